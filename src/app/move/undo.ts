import type pg from 'pg'
import { anchorPlace, appendAnchor, setAnchorsAside } from '#app/audit/anchor-file.ts'
import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { beginAnchors } from '#flows/audit/anchor-chain.ts'
import { beginUndo, endUndo } from '#flows/installation/record-move.ts'
import { recordRestoration } from '#flows/restoration/record-restoration.ts'
import type { Restoration } from '#modules/restorations/types.ts'
import { holdsLock, withLock } from './lock.ts'
import { type MoveState, readMove } from './state.ts'
import { allowWrites } from './stop-writes.ts'

interface Undone {
  target: string
  // If the move had been completed: this place goes on from an earlier time (docs/after-a-restore.md).
  restoration: Restoration | undefined
}

// If this process dies in between, the next call does everything again. A completed move is undone as a restore: until the row
// of the move is gone, nothing serves here.
export async function undoMove(runtime: Runtime, actor: string): Promise<Undone> {
  return withLock(runtime, async (source) => {
    const undone = await openAgain(runtime, source, actor)
    if (!undone) throw new Refused('nothing is being moved here: there is nothing to undo')
    return undone
  })
}

async function openAgain(runtime: Runtime, source: pg.Client, actor: string): Promise<Undone | undefined> {
  const undone = await beginUndo(runtime.database)
  if (!undone) return undefined
  const { target, wasMoved } = undone
  await allowWrites(source)
  const restoration = wasMoved ? await recordReturn(runtime, undone.begunAt, actor) : undefined
  await endUndo(runtime.database, { target, wasMoved, actor })
  return { target, restoration }
}

/**
 * For a move that failed and cannot go on: opens the source again. False if another process may go on with it, or has ended it.
 * If this process dies in between, `--undo` goes on.
 */
export async function reopen(
  runtime: Runtime,
  source: pg.Client,
  { id, actor }: { id: string; actor: string },
): Promise<boolean> {
  try {
    const move = await readMove(runtime.database)
    if (move?.id !== id || move.state !== 'stopped' || !(await holdsLock(source))) return false
    return (await openAgain(runtime, source, actor)) !== undefined
  } catch {
    return false // the failure that led here is told, with the way to open the source by hand
  }
}

// The target may have sent messages, given out numbers and ended sessions since the move was begun. Recorded anew by each call:
// it may have done so since the last one, too.
async function recordReturn(
  runtime: Runtime,
  begunAt: Temporal.Instant,
  actor: string,
): Promise<Restoration> {
  const signer = runtime.keys.vault()
  const outcome = await recordRestoration(runtime.database, { to: begunAt, actor, anew: true, signer })
  if (outcome.kind === 'refused') {
    throw new Refused(
      `the clock is behind: it is ${outcome.now}, and the move was begun at ${begunAt}. Set the clock and run it again`,
    )
  }
  await beginAnchorsHere(runtime, actor)
  return outcome.restoration
}

// The file may know entries that were made at the target and are not here: it would call them cut off.
async function beginAnchorsHere({ database, keys, config }: Runtime, actor: string): Promise<void> {
  setAnchorsAside(config.dataDir)
  await beginAnchors(
    {
      database,
      vault: keys.vault(),
      outside: { place: anchorPlace(config.dataDir), anchors: undefined },
      keep: (line) => appendAnchor(config.dataDir, line),
    },
    { reason: 'a move was undone', actor },
  )
}

// For a restore into the time of a move, which has to write. Writes nothing itself: the last entry of the audit log says how far
// the restored database goes. Returns the move that it found.
export async function openRestored(runtime: Runtime): Promise<MoveState | undefined> {
  const move = await readMove(runtime.database)
  if (move) await withLock(runtime, allowWrites)
  return move
}
