import { Batcher } from '#base/batch.ts'
import type { Database } from '#base/db.ts'
import { FEW_AT_A_TIME } from '#flows/enter-web-view.ts'
import { hashOfToken } from '#modules/web-view/rules.ts'
import type { Door } from '#modules/web-view/types.ts'

// Tells whose frames the farewell may be shown in.
export type LeaveSession = (
  door: Door,
  sessions: readonly string[],
) => Promise<{ frameAncestors: readonly string[] }>

const LEAVE = {
  name: 'leave_session',
  text: `with ended as (
      update web_session set ended_at = coalesce(ended_at, service_now())
       where hash = any($1::bytea[]) and (account_id is not null) = $2
      returning partner_user_id, created_at)
    select p.frame_ancestors
      from ended
      join partner_user u on u.id = ended.partner_user_id
      join partner p on p.id = u.partner_id
     order by ended.created_at desc limit 1`,
}

export function createLeaveSession(database: Database): LeaveSession {
  const few = new Batcher<{ door: Door; sessions: readonly string[] }, { frameAncestors: readonly string[] }>(
    {
      run: async ([asked]) => [await leave(database, asked!.door, asked!.sessions)],
      ...FEW_AT_A_TIME,
    },
  )
  return (door, sessions) => few.submit({ door, sessions })
}

async function leave(database: Database, door: Door, sessions: readonly string[]) {
  const hashes = sessions.flatMap((id) => hashOfToken(id) ?? [])
  if (hashes.length === 0) return { frameAncestors: [] }
  const [row] = await database.writeOnce<{ frame_ancestors: string[] }>(LEAVE, [hashes, door === 'member'])
  return { frameAncestors: row?.frame_ancestors ?? [] }
}
