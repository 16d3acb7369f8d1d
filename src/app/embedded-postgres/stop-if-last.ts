import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ClusterLocation } from './cluster-location.ts'
import { type Connection, disconnect, isLastOut, openMemberConnection } from './member-connection.ts'
import { findPostmaster, startIdOf, stopPostmaster } from './postmaster.ts'
import { removeSocketDir } from './socket-dir.ts'

const ASK_AGAIN_MS = 5_000
const POLL_MS = 50

/** Gives up our place, and stops PostgreSQL if nobody else has one. Call it under the lock. */
export async function stopIfLast(
  location: ClusterLocation,
  client: Client,
  connection: Connection,
): Promise<boolean> {
  let last = await askAndClose(client)
  // Our connection was lost, but the server may live, restarted by itself or by another process.
  if (last === undefined) last = await askAnew(location, connection)
  const postmaster = findPostmaster(location)
  if (!last || !postmaster) return false
  await stopPostmaster(location, postmaster.pid)
  removeSocketDir(location)
  return true
}

async function askAndClose(client: Client): Promise<boolean | undefined> {
  try {
    return await isLastOut(client)
  } catch {
    return undefined
  } finally {
    await disconnect(client)
  }
}

async function askAnew(location: ClusterLocation, connection: Connection): Promise<boolean> {
  const began = performance.now()
  while (findPostmaster(location) && performance.now() - began < ASK_AGAIN_MS) {
    const connected = await openMemberConnection(location, connection, startIdOf(location))
    if (!('notReady' in connected)) return (await askAndClose(connected)) ?? false
    await sleep(POLL_MS)
  }
  // Whether others use it cannot be told, so it is left to them, or to be found by the next start.
  return false
}
