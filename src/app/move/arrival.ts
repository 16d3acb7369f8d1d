import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { MOVED_IN } from '#app/data-dir.ts'
import { Refused } from '#app/refused.ts'
import { type Runtime, reachPostgres } from '#app/runtime.ts'
import type { Database } from '#base/db/db.ts'
import { recordArrival } from '#flows/installation/record-move.ts'
import { type OpenTarget, openTarget, withDatabase } from './open-target.ts'
import { COPY_SCHEMA, openMover } from './state.ts'
import { readCopy, readMarker, type Target } from './target.ts'

interface Arrival {
  id: string
  actor: string
  // Until the processes at the source have seen that it is moved.
  untilSeen(): Promise<void>
}

// One transaction: the mark of an unfinished copy goes, and the audit log says who did it. If this process died before it,
// the next run finds the source moved and opens the target.
export async function openCopy(open: OpenTarget, target: Target, actor: string): Promise<void> {
  await withDatabase(open.connection, (database) =>
    recordArrival(database, { target: target.place, actor }, async (tx) => {
      await sql.raw(`drop schema if exists ${COPY_SCHEMA} cascade`).execute(tx)
    }),
  )
  open.finish()
}

// The source was marked as moved by an earlier run, which may have died before it opened the target. Does the rest. What is not
// there is no success: a target may have been deleted or replaced since.
export async function finishArrival(runtime: Runtime, target: Target, arrival: Arrival): Promise<void> {
  if (target.kind === 'folder' && readMarker(target.folder) !== arrival.id) {
    return checkOpened(runtime, target, arrival.id)
  }
  const open = await openTarget(runtime, target, arrival.id)
  try {
    const client = await openMover(open.connection)
    const copy = await readCopy(client).finally(() => client.end())
    if (copy && (copy.id !== arrival.id || copy.phase !== 'verified')) {
      throw notThere(target, 'it holds a copy that was not verified, or that of another move')
    }
    if (copy) {
      await arrival.untilSeen()
      await openCopy(open, target, arrival.actor)
      return
    }
    await withDatabase(open.connection, (there) => refuseOther(runtime.database, there, target))
    // It was opened, and the process died before it renamed the marker.
    open.finish()
  } finally {
    await open.close()
  }
}

// A folder that was opened has the marker under its other name, and secrets of its own.
async function checkOpened(
  { config, log, database }: Runtime,
  target: Target & { kind: 'folder' },
  id: string,
): Promise<void> {
  const secrets = join(target.folder, 'secrets.json')
  if (readMarker(target.folder, MOVED_IN) !== id || !existsSync(secrets)) {
    throw notThere(target, 'the folder is not the one that this move made')
  }
  const password: string = JSON.parse(readFileSync(secrets, 'utf8')).databasePassword
  const there = { ...config, databaseUrl: undefined, dataDir: target.folder }
  const reached = await reachPostgres(there, log, { password })
  try {
    await withDatabase(reached.connection, (copy) => refuseOther(database, copy, target))
  } finally {
    await reached.leave()
  }
}

interface Evidence {
  keyRing: string
  // The newest entry about a move that was begun here, and about one that arrived.
  begun: string | null
  arrived: string | null
}

const EVIDENCE = {
  name: 'move_evidence',
  text: `select (select key_ring from installation) as "keyRing", max(id) filter (where action = 'installation.move')::text as begun,
                max(id) filter (where action = 'installation.arrive')::text as arrived
           from audit_entry where action in ('installation.move', 'installation.arrive')`,
}
const TABLES = { name: 'move_tables', text: `select to_regclass('audit_entry') is not null as there` }

// The copy has the entry of the move that was begun at the source, and the arrival after it.
async function refuseOther(source: Database, copy: Database, target: Target): Promise<void> {
  const [tables] = await copy.read<{ there: boolean }>(TABLES, [])
  if (!tables!.there) throw notThere(target, 'it is empty')
  const read = async (database: Database) =>
    (await database.read<Evidence & Record<string, unknown>>(EVIDENCE, []))[0]!
  const [ours, theirs] = [await read(source), await read(copy)]
  const has = theirs.keyRing === ours.keyRing && BigInt(theirs.begun ?? 0) >= BigInt(ours.begun ?? 0)
  if (has && BigInt(theirs.arrived ?? 0) > BigInt(ours.begun ?? 0)) return
  throw notThere(target, 'it holds another installation')
}

function notThere({ place }: Target, why: string): Refused {
  return new Refused(
    `this installation was moved to ${place}, but is not found there: ${why}. Bring the target back, from a backup if need be. ` +
      'Without it, `ingot move --undo` opens this place again, as it was when its writes were stopped',
  )
}
