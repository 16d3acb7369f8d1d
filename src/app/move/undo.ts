import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { beginUndo, endUndo } from '#flows/installation/record-move.ts'
import { withLock } from './lock.ts'
import { type MoveState, readMove } from './state.ts'
import { allowWrites } from './stop-writes.ts'

interface Undone {
  target: string
  wasMoved: boolean
}

export async function undoMove(runtime: Runtime, actor: string): Promise<Undone> {
  return withLock(runtime, async (source) => {
    const undone = await beginUndo(runtime.database)
    if (!undone) throw new Refused('nothing is being moved here: there is nothing to undo')
    await allowWrites(source)
    await endUndo(runtime.database, { target: undone.target, actor })
    return undone
  })
}

// For a restore into the time of a move, which has to write. Writes nothing itself: the last entry of the audit log says how far
// the restored database goes. Returns the move that it found.
export async function openRestored(runtime: Runtime): Promise<MoveState | undefined> {
  const move = await readMove(runtime.database)
  if (move) await withLock(runtime, allowWrites)
  return move
}
