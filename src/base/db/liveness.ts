import { DatabaseError } from 'pg'
import { BoundedClient, type BoundedConfig } from './client.ts'

const PROBE_MS = 5_000
const ANSWER_MS = 5_000
const GONE_MAX = 2 // once may be an answer that is on its way
const SILENT_MAX = 3

interface Backend {
  pid: number
  startedAt: string
}

// Verifications, migrations and rotations take an unknown number of minutes. Instead of a time limit, another
// connection asks every few seconds whether PostgreSQL still works on the statement. Returns how to end that.
export async function watchLongStatements(client: BoundedClient, config: BoundedConfig): Promise<() => void> {
  const backend = await identify(client)
  client.isWatched = true
  let gone = 0
  let silent = 0
  let deadSince = 0
  let isAsking = false
  async function look(): Promise<void> {
    const { sent } = client
    const lookedAt = performance.now()
    const outcome = client.waiting > 0 ? await probe(config, backend) : 'working'
    // Answered in the meantime: the observation is about another statement.
    const isSame = client.waiting > 0 && client.sent === sent
    gone = isSame && outcome === 'gone' ? gone + 1 : 0
    silent = isSame && outcome === 'silent' ? silent + 1 : 0
    if (gone + silent === 1) deadSince = lookedAt
    // Connections that have answered since the first bad sign stay.
    if (gone >= GONE_MAX) client.abandon('the database no longer works on the statement', deadSince)
    if (silent >= SILENT_MAX) client.abandon('the database does not answer', deadSince)
  }
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    void look().finally(() => {
      isAsking = false
    })
  }, PROBE_MS)
  timer.unref()
  const stop = () => clearInterval(timer)
  client.once('end', stop)
  return () => {
    stop()
    client.off('end', stop)
    client.isWatched = false
  }
}

// Asked of the server: a pooler in between makes numbers up.
async function identify(client: BoundedClient): Promise<Backend> {
  const { rows } = await client.query(
    `select pid, backend_start::text as "startedAt" from pg_stat_get_activity(pg_backend_pid())`,
  )
  return rows[0]
}

async function probe(config: BoundedConfig, backend: Backend): Promise<'working' | 'gone' | 'silent'> {
  const client = new BoundedClient({ ...config, connectionTimeoutMillis: ANSWER_MS, statementMs: ANSWER_MS })
  try {
    await client.open()
    const { rows } = await client.query(
      `select from pg_stat_activity where pid = $1 and backend_start::text = $2 and state in ('active', 'disabled')`,
      [backend.pid, backend.startedAt],
    )
    return rows.length > 0 ? 'working' : 'gone'
  } catch (error) {
    // A server or pooler that refuses one connection more is one that lives; one that shuts down (57P) is not.
    return error instanceof DatabaseError && !error.code?.startsWith('57P') ? 'working' : 'silent'
  } finally {
    await client.end().catch(() => {})
  }
}
