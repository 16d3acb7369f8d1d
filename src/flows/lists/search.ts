import { type RawBuilder, sql } from 'kysely'
import { type Db, setLocally } from '#base/db/db.ts'
import { isUuid } from '#base/ids.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { withVault } from '#flows/kit/with-vault.ts'
import type { ListName } from '#flows/lists/list-types.ts'
import type { ListDeps, Viewer } from '#flows/lists/open-reading.ts'
import { type FilterQuery, readQuery } from '#flows/lists/read-query.ts'
import { WALKING } from '#flows/lists/walk.ts'
import { indexNewPeople } from '#flows/members/index-people.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { normalizeMobile } from '#modules/gift-cards/phone.ts'
import { findMembersBy, type SearchedBy, searchHashes } from '#modules/members/search.ts'
import { isShown } from '#modules/requests/rules.ts'
import { findApiRequest } from '#modules/requests/store.ts'

// Objects with a page. Whoever searches gets hits of those kinds that their role may read.
export const HIT_KINDS = [
  'card',
  'member',
  'user',
  'partner',
  'order',
  'withdrawal',
  'approval',
  'staff',
  'request',
] as const
export type HitKind = (typeof HIT_KINDS)[number]

interface Hit {
  kind: HitKind
  // What it is known by: never a person's name or number.
  title: string
  // Of its page, under /console.
  path: string
}

interface Found {
  hits: Hit[]
  // A list that shows what was meant.
  list: FilterQuery | null
  // The text has the form of a request's id. Without a hit it is not recorded, or not any more.
  isRequestId: boolean
}

interface SearchRights {
  mayFind(kind: HitKind): boolean
  mayList(list: ListName): boolean
  // Each such search is recorded: not one for every letter that is typed.
  mayFindPeople: boolean
}

export type Search = (text: string, viewer: Viewer, rights: SearchRights) => Promise<Found>

const CATCH_UP = 2_000
const SHOWN = 10

// Anything by what it is known by, each by its own index. Read from the database: what was written a moment ago is found.
export function createSearch(deps: ListDeps, queue: WorkQueue): Search {
  return async (typed, viewer, rights) => {
    const text = cleaned(typed)
    const found: Found = { hits: [], list: null, isRequestId: /^req_\w{8,}$/.test(text) }
    if (text === '') return found
    if (found.isRequestId)
      return {
        ...found,
        hits: await queue(`search ${viewer.actor}`, () => findRequested(deps, text, viewer, rights)),
      }
    const query = readQuery(text, rights.mayList)
    if (query) return { ...found, list: query }
    return queue(`search ${viewer.actor}`, async () => {
      const hits = await findObjects(deps, text, viewer, rights)
      const people = rights.mayFindPeople ? await findPeople(deps, text, viewer, rights) : []
      return { ...found, hits: [...hits, ...people], list: hits.length > 0 ? null : listFor(text, rights) }
    })
  }
}

const cleaned = (typed: string) => typed.normalize('NFC').trim()

const digitsOf = (text: string) => text.replace(/[\s-]/g, '')

// A bare number is an amount, or a phone number that cards went to.
function listFor(text: string, { mayList }: SearchRights): FilterQuery | null {
  if (!mayList('cards')) return null
  if (normalizeMobile(text) !== undefined) return { list: 'cards', asked: { phone: text } }
  const won = text.replaceAll(',', '').replace(/\s*원$/, '')
  return /^\d{1,9}$/.test(won) && Number(won) > 0 ? { list: 'cards', asked: { amount: won } } : null
}

interface HitRow {
  kind: HitKind
  title: string
  path: string
}

const hit = (kind: HitKind, title: RawBuilder<unknown>, path: RawBuilder<unknown>) =>
  sql`${kind}::text as kind, ${title}::text as title, ${path} as path`

// The questions that a text can be, by its shape. Each probes one index.
function questionsOf(
  text: string,
  partnerId: number | null,
): [kind: HitKind, question: RawBuilder<unknown>][] {
  const ofPartner = (column: string) =>
    partnerId === null ? sql`true` : sql`${sql.ref(column)} = ${partnerId}::int`
  const card = hit('card', sql`c.number`, sql`'/cards/' || c.id`)
  const user = hit('user', sql`u.partner_key`, sql`'/users/' || u.id`)
  const partner = hit('partner', sql`p.code`, sql`'/partners/' || p.code`)
  const member = (id: RawBuilder<unknown>) => hit('member', id, sql`'/members/' || ${id}`)
  const questions: [HitKind, RawBuilder<unknown>][] = [
    [
      'partner',
      sql`select ${partner} from partner p where lower(p.code) = lower(${text}) and ${ofPartner('p.id')}`,
    ],
    [
      'user',
      sql`select ${user} from partner_user u where u.partner_id = any(array(select id from partner))
            and u.partner_key in (${text}, ${text.toLowerCase()}) and ${ofPartner('u.partner_id')} limit ${SHOWN}`,
    ],
  ]
  if (isUuid(text)) {
    const id = sql`${text}::uuid`
    questions.push(
      ['card', sql`select ${card} from gift_card c where c.id = ${id} and ${ofPartner('c.partner_id')}`],
      ['card', sql`select ${card} from gift_card c where c.tx_id = ${id} and ${ofPartner('c.partner_id')}`],
      ['user', sql`select ${user} from partner_user u where u.id = ${id} and ${ofPartner('u.partner_id')}`],
      ['member', sql`select ${member(sql`m.id`)} from member m where m.id = ${id}`],
      ['member', sql`select ${member(sql`a.member_id`)} from member_account a where a.id = ${id}`],
      [
        'order',
        sql`select ${hit('order', sql`o.id`, sql`'/orders/' || o.id`)} from trade_order o where o.id = ${id}`,
      ],
      [
        'withdrawal',
        sql`select ${hit('withdrawal', sql`w.id`, sql`'/withdrawals/' || w.id`)} from withdrawal w where w.id = ${id}`,
      ],
      [
        'approval',
        sql`select ${hit('approval', sql`r.kind`, sql`'/approvals/' || r.id`)} from change_request r where r.id = ${id}`,
      ],
    )
  }
  const digits = digitsOf(text)
  if (/^\d{1,16}$/.test(digits)) {
    const number = sql`select ${card} from gift_card c where c.number = ${digits}::bigint and ${ofPartner('c.partner_id')}`
    questions.push(['card', number])
  }
  const login = sql`select ${member(sql`a.member_id`)} from member_account a where a.login_id = ${text.toLowerCase()}`
  questions.push(['member', login])
  if (text.includes('@')) {
    const staff = hit('staff', sql`s.email`, sql`'/staff'`)
    questions.push(['staff', sql`select ${staff} from staff s where s.email = ${text.toLowerCase()}`])
  }
  const [, keyId] = /^(?:ik_(?:test|live)_)?([0-9A-Za-z]{12})(?:[0-9A-Za-z]{38})?$/.exec(text) ?? []
  if (keyId !== undefined) {
    const key = sql`select ${partner} from api_key k join partner p on p.id = k.partner_id
      where k.id = ${keyId} and ${ofPartner('p.id')}`
    questions.push(['partner', key])
  }
  const [, code, userKey] = /^(\S+)\s+(\S+)$/.exec(text) ?? []
  if (userKey !== undefined) {
    const keyed = sql`select ${user} from partner p join partner_user u on u.partner_id = p.id
      where lower(p.code) = lower(${code}) and u.partner_key in (${userKey}, ${userKey.toLowerCase()})
        and ${ofPartner('p.id')}`
    questions.push(['user', keyed])
  }
  return questions
}

// What a request was about comes first, then the request itself.
async function findRequested(
  deps: ListDeps,
  id: string,
  viewer: Viewer,
  rights: SearchRights,
): Promise<Hit[]> {
  if (!rights.mayFind('request')) return []
  const request = await findApiRequest(deps.database.db, id)
  const reader = { partnerId: viewer.partnerId, maySeeMembers: rights.mayFind('member') }
  if (!request || !isShown(request, reader)) return []
  const { memberId } = request
  const object = request.object ?? (memberId === null ? null : { kind: 'member', id: memberId })
  const mayFind = (kind: HitKind) => kind === object?.kind && rights.mayFind(kind)
  const hits = object ? await findObjects(deps, object.id, viewer, { ...rights, mayFind }) : []
  return [...hits, { kind: 'request', title: id, path: `/requests/${id}` }]
}

function findObjects(deps: ListDeps, text: string, viewer: Viewer, rights: SearchRights): Promise<Hit[]> {
  const questions = questionsOf(text, viewer.partnerId).filter(([kind]) => rights.mayFind(kind))
  if (questions.length === 0) return Promise.resolve([])
  const all = sql.join(
    questions.map(([, question]) => sql`(${question})`),
    sql` union `,
  )
  return deps.database.withReading(WALKING, async (db: Db) => {
    const { rows } = await sql<HitRow>`${all}`.execute(db)
    return rows
  })
}

const NAME = /^[가-힣]{2,6}$|^[\p{L}][\p{L}' .-]{3,60}$/u

// What of a person a text can be.
export function personalPart(typed: string): SearchedBy | undefined {
  const text = cleaned(typed)
  if (normalizeMobile(text) !== undefined) return 'phone'
  return NAME.test(text) ? 'name' : undefined
}

// By a name or a number that somebody verified, or that a partner told: by keyed hashes, and recorded.
async function findPeople(
  deps: ListDeps,
  text: string,
  { actor, partnerId }: Viewer,
  { mayFind }: SearchRights,
): Promise<Hit[]> {
  const by = personalPart(text)
  if (!by || partnerId !== null || !mayFind('member')) return []
  await indexNewPeople(deps, CATCH_UP)
  return withVault(deps, async (tx, vault) => {
    await setLocally(tx, WALKING)
    const { ids } = await findMembersBy(tx, by, searchHashes(vault, by, text))
    const details = { by, found: ids }
    await insertAuditEntry(tx, { actor, action: 'list.search', subject: 'members', details })
    return ids.slice(0, SHOWN).map((id): Hit => ({ kind: 'member', title: id, path: `/members/${id}` }))
  })
}
