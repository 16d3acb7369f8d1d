import type { Database } from '#base/db/db.ts'
import { until } from './patience.ts'

// Begins `act` while somebody else has the account of this login id, and lets them do theirs and commit once it waits.
export async function whileLocked<Answer>(
  { pool }: Pick<Database, 'pool'>,
  loginId: string,
  act: () => Promise<Answer>,
  theirs: readonly string[],
): Promise<Answer> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(
      'select pg_backend_pid() as pid from member_account where login_id = $1 for update',
      [loginId],
    )
    const acting = act()
    await until(async () => {
      const waiting = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
      return (await pool.query(waiting, [rows[0].pid])).rowCount
    }, 'somebody waits for the account')
    for (const text of theirs) await client.query(text, [loginId])
    await client.query('commit')
    return await acting
  } finally {
    client.release()
  }
}
