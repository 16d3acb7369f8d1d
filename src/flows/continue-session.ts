import { assert } from '#base/assert.ts'
import { Batcher } from '#base/batch.ts'
import type { Database } from '#base/db.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import { FEW_AT_A_TIME } from '#flows/enter-web-view.ts'
import { maskName } from '#modules/members/rules.ts'
import { hashOfToken } from '#modules/web-view/rules.ts'
import type { Door } from '#modules/web-view/types.ts'

// The one who is there.
export interface Visitor {
  kind: Door
  sessionId: string
  memberId: string
  // Whose accounts are meant: the member's, or those of a link that the member has not confirmed.
  holderId: string
  accountId: string | null
  linkId: string | null
  loginId: string | null
  // Whole: for a bank, which pays to nobody else. Pages get the masked one.
  name: string
  maskedName: string
  partnerName: string | null
  mustVerify: boolean
  verifiedAt: Temporal.Instant | null
}

export interface Continued {
  kind: 'continued'
  visitor: Visitor
  // Of a web view: how the partner names its user.
  link: { partnerId: number; partnerKey: string } | null
  framed: boolean
  undecidedLinks: number
  frameAncestors: readonly string[]
}

type ContinueOutcome = Continued | { kind: 'ended'; frameAncestors: readonly string[] }

export type ContinueSession = (door: Door, sessions: readonly string[]) => Promise<ContinueOutcome>

// A session lives for 30 minutes from when it was last seen, 8 hours at most, and only as long as its link or account
// does. A browser sends two cookies when somebody planted one: two that are both alive are a riddle, and open nothing.
// A cookie of one door opens nothing at the other. Seen is written every ten seconds at most: a page that asks five things at
// once costs no five commits.
const CONTINUE = {
  name: 'continue_session',
  text: `with known as (
      select s.hash, s.id, s.created_at, s.must_verify, s.verified_at, s.framed, s.account_id, u.id as link_id,
             coalesce(a.member_id, u.member_id) as member_id,
             case when u.id is null or u.confirmed then coalesce(a.member_id, u.member_id) else u.id end as holder_id,
             u.partner_id, u.partner_key, a.login_id, coalesce(a.details, u.details) as details,
             p.name, coalesce(p.frame_ancestors, '{}') as frame_ancestors,
             s.ended_at is null
               and s.seen_at > service_now() - interval '30 minutes'
               and s.created_at > service_now() - interval '8 hours'
               and s.created_at > coalesce(a.logins_after, u.logins_after)
               and case when s.account_id is null then u.status = 'active' and p.status = 'active'
                        else a.closed_at is null end as alive
        from web_session s
        left join member_account a on a.id = s.account_id
        left join partner_user u on u.id = s.partner_user_id
        left join partner p on p.id = u.partner_id
       where s.hash = any($1::bytea[]) and (s.account_id is not null) = $2),
    renewed as (
      update web_session s set seen_at = service_now()
        from known
       where s.hash = known.hash and known.alive and s.ended_at is null
         and s.seen_at < service_now() - interval '10 seconds'
         and (select count(*) from known where alive) = 1)
    select known.*, alive and (select count(*) from known where alive) = 1 as open,
           (select count(*) from partner_user l
             where l.member_id = known.member_id and l.status = 'active' and not l.confirmed
               and (known.link_id is null or l.id = known.link_id)) as undecided
      from known order by open desc, created_at desc limit 1`,
}

interface ContinueRow {
  id: string
  must_verify: boolean
  verified_at: Temporal.Instant | null
  framed: boolean
  account_id: string | null
  link_id: string | null
  member_id: string
  holder_id: string
  partner_id: number | null
  partner_key: string | null
  login_id: string | null
  details: Buffer
  name: string | null
  frame_ancestors: string[]
  open: boolean
  undecided: bigint
}

interface ContinueDeps {
  database: Database
  keys: VaultKeeper
}

export function createContinueSession(deps: ContinueDeps): ContinueSession {
  const few = new Batcher<{ door: Door; sessions: readonly string[] }, ContinueOutcome>({
    run: async ([asked]) => [await continueSession(deps, asked!.door, asked!.sessions)],
    ...FEW_AT_A_TIME,
  })
  return (door, sessions) => few.submit({ door, sessions })
}

async function continueSession(
  { database, keys }: ContinueDeps,
  door: Door,
  sessions: readonly string[],
): Promise<ContinueOutcome> {
  const hashes = sessions.flatMap((id) => hashOfToken(id) ?? [])
  if (hashes.length === 0) return { kind: 'ended', frameAncestors: [] }
  const [row] = await database.writeOnce<ContinueRow>(CONTINUE, [hashes, door === 'member'])
  if (!row?.open) return { kind: 'ended', frameAncestors: row?.frame_ancestors ?? [] }
  const { partner_id: partnerId, partner_key: partnerKey } = row
  return {
    kind: 'continued',
    visitor: toVisitor(keys.vault(), row),
    link: partnerId === null || partnerKey === null ? null : { partnerId, partnerKey },
    framed: row.framed,
    undecidedLinks: Number(row.undecided),
    frameAncestors: row.frame_ancestors,
  }
}

function toVisitor(vault: Vault, row: ContinueRow): Visitor {
  const { account_id, link_id } = row
  const owner = account_id ?? link_id
  assert(owner !== null, 'a session is of an account or of a link')
  const table = account_id === null ? 'partner_user' : 'member_account'
  const { name } = JSON.parse(vault.open({ table, column: 'details', row: owner }, row.details)) as {
    name: string
  }
  return {
    kind: account_id === null ? 'web_view' : 'member',
    sessionId: row.id,
    memberId: row.member_id,
    holderId: row.holder_id,
    accountId: account_id,
    linkId: link_id,
    loginId: row.login_id,
    name,
    maskedName: maskName(name),
    partnerName: row.name,
    mustVerify: row.must_verify,
    verifiedAt: row.verified_at,
  }
}
