import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { newId } from '#base/ids.ts'
import { decideSignup, newConsents } from '#modules/members/model.ts'
import { insertSignups, type SealedSignup, type SignupAnswer } from '#modules/members/store.ts'
import type { Consent, LinkId, MemberId } from '#modules/members/types.ts'
import { changePartner, setUserStatusOf } from '#test/operator.ts'
import { startService } from '#test/service.ts'

// The SQL function against its model in rules.ts, on random histories of a partner of either key format.
const service = await startService()
const { database } = service
const hash = (text: string) => createHash('sha256').update(text).digest()

interface Wish {
  person: number
  key: number
  details: number
  consents: Consent[]
}

const wish: fc.Arbitrary<Wish> = fc.record({
  person: fc.nat(4),
  key: fc.nat(4),
  details: fc.nat(1),
  consents: fc.uniqueArray(fc.record({ termsId: fc.constantFrom('a', 'b'), agreed: fc.boolean() }), {
    selector: (consent) => consent.termsId,
  }),
})
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('batch' as const),
        wishes: fc.array(wish, { minLength: 1, maxLength: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('suspend user' as const), person: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('suspend partner' as const) }) },
  ),
  { maxLength: 10 },
)

interface ModelLink {
  userKey: string
  suspended: boolean
  consents: Map<string, boolean>
  history: string[]
}

let worlds = 0

test('sign_up_partner_users does what its model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (custom, history) => {
      worlds += 1
      const world = `world ${worlds}`
      const { partner } = await service.addPartner(custom ? { keyFormat: 'custom', keyPattern: 'k.*' } : {})
      const links = new Map<number, ModelLink>()
      let active = true
      for (const step of history) {
        if (step.do === 'suspend partner') {
          active = !active
          await changePartner(database, {
            code: partner.code,
            changes: { status: active ? 'active' : 'suspended' },
            actor: 'test',
          })
        } else if (step.do === 'suspend user') {
          const link = links.get(step.person)
          if (!link) continue
          link.suspended = !link.suspended
          await setUserStatusOf(database, {
            partner: partner.code,
            partnerKey: link.userKey,
            status: link.suspended ? 'suspended' : 'active',
            reason: 'test',
            actor: 'test',
          })
        } else {
          const wishes = step.wishes.filter(
            (one, i, all) => all.findIndex((w) => w.person === one.person) === i,
          )
          await compare(partner.id, active, world, custom, links, wishes)
        }
      }
      await compareHistory(partner.id, links)
    }),
    { numRuns: 40 },
  )
})

async function compare(
  partnerId: number,
  active: boolean,
  world: string,
  custom: boolean,
  links: Map<number, ModelLink>,
  wishes: readonly Wish[],
): Promise<void> {
  const sealed = wishes.map((one) => seal(partnerId, world, custom, one))
  let answers = await insertSignups(database, 1, sealed)
  assert.ok(answers !== 'stale_keys')
  // Details that changed are sealed for the row that is there, and come again.
  const again = answers.map((answer, i) =>
    answer.kind === 'reseal' ? { ...sealed[i]!, linkId: answer.linkId } : sealed[i]!,
  )
  if (answers.some((answer) => answer.kind === 'reseal')) {
    const second = await insertSignups(database, 1, again)
    assert.ok(second !== 'stale_keys')
    answers = answers.map((answer, i) => (answer.kind === 'reseal' ? second[i]! : answer))
  }
  // Within a batch, people who are new take their keys in the order of their ids, as the statement sorts them.
  const order = [...wishes.keys()].sort((a, b) => (sealed[a]!.memberId < sealed[b]!.memberId ? -1 : 1))
  for (const i of order) {
    const { person, consents } = wishes[i]!
    const { partnerKey } = sealed[i]!
    const link = links.get(person)
    const keyTaken = [...links].some(([other, { userKey }]) => other !== person && userKey === partnerKey)
    const expected = decideSignup({ partnerActive: active, link, keyTaken }, { custom, partnerKey })
    const answer: SignupAnswer = answers[i]!
    assert.equal(answer.kind === 'refused' ? answer.reason : answer.kind, expected)
    if (answer.kind !== 'new' && answer.kind !== 'known') continue
    const now: ModelLink = link ?? { userKey: partnerKey, suspended: false, consents: new Map(), history: [] }
    links.set(person, now)
    assert.equal(answer.userKey, now.userKey)
    for (const { termsId, agreed } of newConsents(now.consents, consents)) {
      now.history.push(`${termsId} ${agreed}`)
      now.consents.set(termsId, agreed)
    }
  }
}

function seal(partnerId: number, world: string, custom: boolean, one: Wish): SealedSignup {
  const ci = hash(`${world} ${one.person}`)
  return {
    partnerId,
    partnerKey: custom ? `k${one.key}` : newId(),
    custom,
    linkId: newId() as LinkId,
    memberId: newId() as MemberId,
    ci: Buffer.from('\u0002e1 sealed'),
    ciHash: { current: ci, next: null },
    details: Buffer.from('\u0002e1 sealed'),
    detailsHash: { current: hash(`details ${one.details}`), next: null },
    registeredBy: 'test',
    actor: 'test',
    consents: one.consents,
    trace: {
      id: newId(),
      value: Buffer.from('\u0002e1 sealed'),
      hash: { current: hash(`trace ${one.details}`), next: null },
    },
  }
}

async function compareHistory(partnerId: number, links: ReadonlyMap<number, ModelLink>): Promise<void> {
  const { rows } = await sql<{ partner_key: string; history: string[] | null }>`
    select u.partner_key, array_agg(c.terms_id || ' ' || c.agreed order by c.id)
             filter (where c.id is not null) as history
      from partner_user u left join consent c on c.partner_user_id = u.id
     where u.partner_id = ${partnerId} group by u.id`.execute(database.db)
  const kept = new Map(rows.map((row) => [row.partner_key, (row.history ?? []).sort()]))
  const expected = new Map([...links.values()].map((link) => [link.userKey, [...link.history].sort()]))
  assert.deepEqual(kept, expected)
}

test('one person twice in a batch, which the flow never sends: one member, found again afterwards', async () => {
  const { partner } = await service.addPartner()
  const twice = { person: 0, key: 0, details: 0, consents: [] }
  const batch = () => [seal(partner.id, 'twice', false, twice), seal(partner.id, 'twice', false, twice)]
  const kinds = async () => {
    const answers = await insertSignups(database, 1, batch())
    return answers === 'stale_keys' ? answers : answers.map((answer) => answer.kind)
  }
  assert.deepEqual(await kinds(), ['new', 'known'])
  assert.deepEqual(await kinds(), ['known', 'known'])
})
