import { assert } from '#base/assert.ts'
import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import { asciiArray, bytesArray, intArray } from '#base/db/binary-arrays.ts'
import type { Database } from '#base/db/db.ts'
import { Batcher } from '#base/queues/batch.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { detailsOf, isKnownUnder14 } from '#flows/partner-users/known-age.ts'
import { maskName } from '#modules/members/rules.ts'
import { FRESH_MINUTES, liveSession } from '#modules/sessions/rules.ts'
import type { SessionKind } from '#modules/sessions/types.ts'

// The one who is there.
export interface Visitor {
  kind: SessionKind
  sessionId: string
  memberId: string
  // Whose accounts are meant: the member's, or those of a link that the member has not confirmed.
  holderId: string
  accountId: string | null
  linkId: string | null
  loginId: string | null
  // The whole name, for the bank, which pays to no other. Pages get the masked one. Opened only for those who ask.
  readonly name: string
  readonly maskedName: string
  // Neither registers cards nor trades.
  readonly isUnder14: boolean
  partnerName: string | null
  mustVerify: boolean
  verifiedAt: Temporal.Instant | null
  // Verified in this session, and not long ago.
  fresh: boolean
}

export interface Continued {
  kind: 'continued'
  visitor: Visitor
  // For a web view: the partner's name for its user.
  link: { partnerId: number; partnerKey: string } | null
  framed: boolean
  undecidedLinks: number
  frameAncestors: readonly string[]
}

interface EndedSession {
  kind: 'ended'
  frameAncestors: readonly string[]
  // The session was of a member whom the operator has frozen, so that logging in again would not help.
  frozen: boolean
  // For a web view: the member has refused the link, so that no app opens it again.
  linkRefused: boolean
}

export type ContinueOutcome = Continued | EndedSession

export type ContinueSession = (kind: SessionKind, sessions: readonly string[]) => Promise<ContinueOutcome>

// A session lives only as long as its link or account does. A browser sends two cookies only if an attacker planted
// one. If both are alive we cannot tell which is the person's, so neither opens anything. A cookie of one kind of
// session opens nothing of the other. seen_at is written at most once a minute and skips a locked row: the transaction
// that holds it renews the session or ends it. The limits in the laterals make each of them an index probe.
const CONTINUE = {
  name: 'continue_sessions',
  text: `with clock as materialized (select service_now() as now),
    known as materialized (
      select w.i, s.hash, s.id, s.created_at, s.seen_at, s.must_verify, s.verified_at, s.framed,
             s.verified_at > clock.now - interval '${FRESH_MINUTES} minutes' as fresh, s.account_id,
             u.id as link_id, coalesce(a.member_id, u.member_id) as member_id,
             coalesce(a.member_id, link_holder(u.confirmed, u.member_id, u.id)) as holder_id,
             u.partner_id, u.partner_key, a.login_id, coalesce(a.details, u.details) as details,
             v.id as verified_id, v.details as verified_details,
             p.name, p.frame_ancestors, clock.now, u.status = 'refused' as refused,
             ${liveSession('s', 'clock.now')}
               and s.created_at > coalesce(a.logins_after, u.logins_after)
               and case when s.account_id is null then u.status = 'active' and p.status = 'active'
                        else a.closed_at is null and a.frozen_at is null end as alive,
             case when s.account_id is null then u.status = 'frozen' else a.frozen_at is not null end as frozen
        from clock, unnest($1::int[], $2::bytea[], $3::text[]) as w (i, hash, kind)
       cross join lateral (select * from web_session where hash = w.hash limit 1) s
        left join lateral (select * from member_account where id = s.account_id limit 1) a on true
        left join lateral (select * from partner_user where id = s.partner_user_id limit 1) u on true
        left join lateral (select * from partner where id = u.partner_id limit 1) p on true
        left join lateral (select id, details from member_account
                            where member_id = u.member_id and u.confirmed and closed_at is null limit 1) v on true
       where (s.account_id is not null) = (w.kind = 'member')),
    judged as materialized (
      select *, alive and count(*) filter (where alive) over (partition by i) = 1 as open from known),
    renewed as (
      update web_session s set seen_at = stale.now
        from (select s.hash, j.now
                from (select distinct hash, now from judged
                       where open and seen_at < now - interval '1 minute') j
               cross join lateral (select hash from web_session
                                    where hash = j.hash and ended_at is null and seen_at < j.now - interval '1 minute'
                                    limit 1 for no key update skip locked) s
              offset 0) stale
       where s.hash = stale.hash)
    select distinct on (i) i, id, must_verify, verified_at, framed, fresh, account_id, link_id, member_id, holder_id,
           partner_id, partner_key, login_id, details, verified_id, verified_details, name, frame_ancestors, now, refused,
           open, frozen,
           (select count(*) from partner_user l
             where l.member_id = j.member_id and l.status = 'active' and not l.confirmed
               and (j.link_id is null or l.id = j.link_id)) as undecided
      from judged j order by i, open desc, created_at desc`,
}

interface ContinueRow {
  i: number
  id: string
  must_verify: boolean
  verified_at: Temporal.Instant | null
  fresh: boolean | null
  framed: boolean
  account_id: string | null
  link_id: string | null
  member_id: string
  holder_id: string
  partner_id: number | null
  partner_key: string | null
  login_id: string | null
  details: Buffer
  // Of a web view: the member's own account, if there is one. Not read for an unconfirmed link: its partner could learn
  // from it who has one.
  verified_id: string | null
  verified_details: Buffer | null
  now: Temporal.Instant
  name: string | null
  frame_ancestors: string[] | null
  refused: boolean | null
  open: boolean
  frozen: boolean
  undecided: bigint
}

interface ContinueDeps {
  database: Database
  keys: VaultKeeper
}

interface Asked {
  kind: SessionKind
  hashes: readonly Buffer[]
}

// Any visitor can call this, with any cookie. So calls are batched, and only two batches are at the database, so that
// purchases find a connection.
export function createContinueSession({ database, keys }: ContinueDeps): ContinueSession {
  const batcher = new Batcher<Asked, ContinueRow | undefined>({
    run: (asked) => findSessions(database, asked),
    maxSize: 64,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: 2_000,
  })
  return async (kind, sessions) => {
    const hashes = hashesOfTokens(sessions)
    if (hashes.length === 0) return { kind: 'ended', frameAncestors: [], frozen: false, linkRefused: false }
    const row = await batcher.submit({ kind, hashes })
    if (!row?.open) {
      const { frozen = false, refused } = row ?? {}
      return {
        kind: 'ended',
        frameAncestors: row?.frame_ancestors ?? [],
        frozen,
        linkRefused: refused ?? false,
      }
    }
    const { partner_id: partnerId, partner_key: partnerKey } = row
    return {
      kind: 'continued',
      visitor: toVisitor(keys.vault(), row),
      link: partnerId === null || partnerKey === null ? null : { partnerId, partnerKey },
      framed: row.framed,
      undecidedLinks: Number(row.undecided),
      frameAncestors: row.frame_ancestors ?? [],
    }
  }
}

async function findSessions(
  database: Database,
  asked: readonly Asked[],
): Promise<(ContinueRow | undefined)[]> {
  const cookies = asked.flatMap(({ kind, hashes }, i) => hashes.map((hash) => ({ i, hash, kind })))
  const rows = await database.writeOnce<ContinueRow>(CONTINUE, [
    intArray(cookies, (cookie) => cookie.i),
    bytesArray(cookies, (cookie) => cookie.hash),
    asciiArray(cookies, (cookie) => cookie.kind),
  ])
  const found = new Array<ContinueRow | undefined>(asked.length).fill(undefined)
  for (const row of rows) found[row.i] = row
  return found
}

function toVisitor(vault: Vault, row: ContinueRow): Visitor {
  const { account_id, link_id, verified_id, verified_details } = row
  const owner = account_id ?? link_id
  assert(owner !== null, 'a session is of an account or of a link')
  const table = account_id === null ? 'partner_user' : 'member_account'
  const own = detailsOf(vault, table, { id: owner, details: row.details })
  const account =
    verified_id !== null && verified_details
      ? detailsOf(vault, 'member_account', { id: verified_id, details: verified_details })
      : undefined
  return {
    kind: account_id === null ? 'web_view' : 'member',
    sessionId: row.id,
    memberId: row.member_id,
    holderId: row.holder_id,
    accountId: account_id,
    linkId: link_id,
    loginId: row.login_id,
    get name() {
      return own().name
    },
    get maskedName() {
      return maskName(own().name)
    },
    get isUnder14() {
      return isKnownUnder14({ account, link: own }, seoulDate(row.now))
    },
    partnerName: row.name,
    mustVerify: row.must_verify,
    verifiedAt: row.verified_at,
    fresh: row.fresh ?? false,
  }
}
