import { hashesOfTokens } from '#base/crypto/token.ts'
import { bytesArray, intArray } from '#base/db/binary-arrays.ts'
import type { Database } from '#base/db/db.ts'
import { Batcher } from '#base/queues/batch.ts'
import { FRESH_MINUTES, liveSession } from '#modules/sessions/rules.ts'
import type { Role } from '#modules/staff/permissions.ts'
import { actorOf } from '#modules/staff/rules.ts'
import type { Staff, StaffId } from '#modules/staff/types.ts'

export type ContinueStaff = (sessions: readonly string[]) => Promise<Staff | undefined>

// As with the members' sessions (flows/sessions/continue-session.ts): two cookies that are both alive open nothing,
// because one was planted. seen_at is written at most once a minute and skips a locked row. Role and status are read each
// time, so a change of either counts at once.
const CONTINUE = {
  name: 'continue_staff_sessions',
  text: `with clock as materialized (select service_now() as now),
    known as materialized (
      select w.i, s.hash, s.id, s.staff_id, s.seen_at, f.email, f.name, f.role, f.partner_id, clock.now,
             s.proven_at > clock.now - interval '${FRESH_MINUTES} minutes' as fresh,
             ${liveSession('s', 'clock.now')}
               and f.status = 'active' and (f.partner_id is null or p.status = 'active') as alive
        from clock, unnest($1::int[], $2::bytea[]) as w (i, hash)
       cross join lateral (select * from staff_session where hash = w.hash limit 1) s
       cross join lateral (select * from staff where id = s.staff_id limit 1) f
        left join lateral (select status from partner where id = f.partner_id limit 1) p on true),
    judged as materialized (
      select *, alive and count(*) filter (where alive) over (partition by i) = 1 as open from known),
    renewed as (
      update staff_session s set seen_at = stale.now
        from (select s.hash, j.now
                from (select distinct hash, now from judged
                       where open and seen_at < now - interval '1 minute') j
               cross join lateral (select hash from staff_session
                                    where hash = j.hash and ended_at is null and seen_at < j.now - interval '1 minute'
                                    limit 1 for no key update skip locked) s
              offset 0) stale
       where s.hash = stale.hash)
    select i, id, staff_id, email, name, role, partner_id, coalesce(fresh, false) as fresh,
           (select mode = 'sandbox' from installation) as single_person
      from judged where open`,
}

interface ContinueRow {
  i: number
  id: string
  staff_id: StaffId
  email: string
  name: string
  role: Role
  partner_id: number | null
  fresh: boolean
  single_person: boolean
}

// Any visitor can call this, with any cookie. So calls are batched, and one batch is at the database: purchases find a
// connection.
export function createContinueStaff(
  database: Database,
  // As the settings declare it. A live database has it never.
  { singlePerson }: { singlePerson: boolean },
): ContinueStaff {
  const batcher = new Batcher<readonly Buffer[], ContinueRow | undefined>({
    run: (asked) => findSessions(database, asked),
    maxSize: 64,
    maxInFlight: 1,
    maxWaiting: 1_000,
  })
  return async (sessions) => {
    const hashes = hashesOfTokens(sessions)
    const row = hashes.length === 0 ? undefined : await batcher.submit(hashes)
    return row && toStaff({ ...row, single_person: row.single_person && singlePerson })
  }
}

async function findSessions(
  database: Database,
  asked: readonly (readonly Buffer[])[],
): Promise<(ContinueRow | undefined)[]> {
  const cookies = asked.flatMap((hashes, i) => hashes.map((hash) => ({ i, hash })))
  const rows = await database.writeOnce<ContinueRow>(CONTINUE, [
    intArray(cookies, (cookie) => cookie.i),
    bytesArray(cookies, (cookie) => cookie.hash),
  ])
  const found = new Array<ContinueRow | undefined>(asked.length).fill(undefined)
  for (const row of rows) found[row.i] = row
  return found
}

function toStaff(row: ContinueRow): Staff {
  return {
    staffId: row.staff_id,
    actor: actorOf(row),
    email: row.email,
    name: row.name,
    role: row.role,
    partnerId: row.partner_id,
    sessionId: row.id,
    fresh: row.fresh,
    singlePerson: row.single_person,
  }
}
