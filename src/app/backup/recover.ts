import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { prepareBinaries } from '#app/embedded-postgres/binaries.ts'
import type { ClusterLocation } from '#app/embedded-postgres/cluster-location.ts'
import { messageOf } from '#app/embedded-postgres/error.ts'
import { type Launch, launchPostgres } from '#app/embedded-postgres/launch.ts'
import { connectionOf } from '#app/embedded-postgres/member-connection.ts'
import { findPostmaster, stopPostmaster } from '#app/embedded-postgres/postmaster.ts'
import { ensureSocketDir, removeSocketDir } from '#app/embedded-postgres/socket-dir.ts'
import { BackupError } from './error.ts'

const POLL_MS = 50
const NOT_REACHED = /recovery ended before configured recovery target was reached/

interface Recovery {
  readonly password: string
  readonly restoreCommand: string
  /** Up to and with this moment. Undefined: to the end of the log. */
  readonly time: string | undefined
  /** Rejects if the log can be fed no longer. */
  readonly failed: Promise<never>
}

/** Starts the restored cluster, lets it recover and become a primary, and stops it again. */
export async function recover(location: ClusterLocation, recovery: Recovery): Promise<void> {
  const first = await tryRecovery(location, recovery)
  if (first === 'recovered') return
  // Nothing was committed after that moment: what there is up to the end is the same.
  const second = await tryRecovery(location, { ...recovery, time: undefined })
  if (second !== 'recovered') throw new BackupError('PostgreSQL did not come to the end of the log')
}

async function tryRecovery(
  location: ClusterLocation,
  recovery: Recovery,
): Promise<'recovered' | 'not_reached'> {
  const bin = prepareBinaries(location)
  const socketDir = await ensureSocketDir(location)
  const launch = launchPostgres(location, bin, socketDir, settingsOf(recovery))
  try {
    const connection = { ...connectionOf(location, socketDir, recovery.password), database: 'postgres' }
    return await Promise.race([untilPrimary(location, launch, connection), recovery.failed])
  } finally {
    const seen = findPostmaster(location)
    if (seen) await stopPostmaster(location, seen.pid)
    removeSocketDir(location)
  }
}

// On the command line, so that no file of the cluster remembers them.
function settingsOf({ restoreCommand, time }: Recovery): Record<string, string> {
  return {
    restore_command: restoreCommand,
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    // A number for the zone: names of zones are not known yet when the setting is read.
    ...(time === undefined
      ? {}
      : { recovery_target_time: time.replace('Z', '+00'), recovery_target_inclusive: 'on' }),
  }
}

async function untilPrimary(
  location: ClusterLocation,
  launch: Launch,
  connection: ReturnType<typeof connectionOf>,
): Promise<'recovered' | 'not_reached'> {
  for (;;) {
    const ended = launch.ended()
    const tail = ended === undefined ? '' : launch.logTail()
    if (NOT_REACHED.test(tail)) return 'not_reached'
    if (ended !== undefined)
      throw new BackupError(`PostgreSQL could not recover: ${ended}. Its log ends with:\n${tail}`)
    // Ready only when the recovery is over: until then each attempt would be a line in PostgreSQL's log.
    if (findPostmaster(location)?.status === 'ready' && (await isPrimary(connection))) return 'recovered'
    await sleep(POLL_MS)
  }
}

async function isPrimary(connection: ReturnType<typeof connectionOf>): Promise<boolean> {
  const client = new Client({
    ...connection,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select not pg_is_in_recovery() as primary')
    return rows[0].primary
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('28')) {
      throw new BackupError(`the restored database does not accept its own password (${messageOf(error)})`)
    }
    return false // not up yet, or it ended: the next look tells
  } finally {
    await client.end().catch(() => {})
  }
}
