import { Batcher } from '#base/batch.ts'
import type { Database } from '#base/db.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import { FEW_AT_A_TIME } from '#flows/enter-web-view.ts'
import { maskName } from '#modules/members/rules.ts'
import type { Details } from '#modules/members/types.ts'
import { hashOfToken } from '#modules/web-view/rules.ts'

// The one who is there, as much as a page may say.
export interface Visitor {
  partnerId: number
  partnerKey: string
  partnerName: string
  maskedName: string
}

type ContinueOutcome =
  | { kind: 'continued'; visitor: Visitor; frameAncestors: readonly string[] }
  | { kind: 'ended'; frameAncestors: readonly string[] }

export type ContinueWebView = (sessions: readonly string[]) => Promise<ContinueOutcome>

// A session lives for 30 minutes from when it was last seen, 8 hours at most, and only as long as its link does.
// A browser sends two cookies when somebody planted one: two that are both alive are a riddle, and open nothing.
const CONTINUE = {
  name: 'continue_web_view',
  text: `with known as (
      select s.hash, s.created_at, u.id as link_id, u.partner_id, u.partner_key, u.details,
             p.name, p.frame_ancestors,
             s.ended_at is null
               and s.seen_at > service_now() - interval '30 minutes'
               and s.created_at > service_now() - interval '8 hours'
               and s.created_at > u.logins_after
               and u.status = 'active' and p.status = 'active' as alive
        from web_session s
        join partner_user u on u.id = s.partner_user_id
        join partner p on p.id = u.partner_id
       where s.hash = any($1::bytea[])),
    renewed as (
      update web_session s set seen_at = service_now()
        from known
       where s.hash = known.hash and known.alive and s.ended_at is null
         and (select count(*) from known where alive) = 1
      returning s.hash)
    select link_id, partner_id, partner_key, details, name, frame_ancestors,
           renewed.hash is not null as renewed
      from known left join renewed on renewed.hash = known.hash
     order by renewed desc, created_at desc limit 1`,
}

interface ContinueRow {
  link_id: string
  partner_id: number
  partner_key: string
  details: Buffer
  name: string
  frame_ancestors: string[]
  renewed: boolean
}

interface ContinueDeps {
  database: Database
  keys: VaultKeeper
}

export function createContinueWebView(deps: ContinueDeps): ContinueWebView {
  const few = new Batcher<readonly string[], ContinueOutcome>({
    run: async ([sessions]) => [await continueVisit(deps, sessions!)],
    ...FEW_AT_A_TIME,
  })
  return (sessions) => few.submit(sessions)
}

async function continueVisit(deps: ContinueDeps, sessions: readonly string[]): Promise<ContinueOutcome> {
  const hashes = sessions.flatMap((id) => hashOfToken(id) ?? [])
  if (hashes.length === 0) return { kind: 'ended', frameAncestors: [] }
  const [row] = await deps.database.writeOnce<ContinueRow>(CONTINUE, [hashes])
  if (!row?.renewed) return { kind: 'ended', frameAncestors: row?.frame_ancestors ?? [] }
  return {
    kind: 'continued',
    visitor: toVisitor(deps.keys.vault(), row),
    frameAncestors: row.frame_ancestors,
  }
}

function toVisitor(vault: Vault, row: ContinueRow): Visitor {
  const place = { table: 'partner_user', column: 'details', row: row.link_id }
  const { name } = JSON.parse(vault.open(place, row.details)) as Details
  return {
    partnerId: row.partner_id,
    partnerKey: row.partner_key,
    partnerName: row.name,
    maskedName: maskName(name),
  }
}
