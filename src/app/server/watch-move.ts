import { type MoveState, readMove } from '#app/move/state.ts'
import type { Reader } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'

const LOOK_MS = 1_000

export interface MoveWatch {
  // The worker stops before writes do, so that what it sends is recorded.
  isBegun(): boolean
  // Another place serves by now: what is here grows old. Also while the move is being undone.
  isMoved(): boolean
  stop(): void
}

// Whether the installation is being moved, as seen a second ago. The database refuses writes by itself; this is for what
// must end before, and for reads after.
export async function watchMove(database: Reader, log: Log): Promise<MoveWatch> {
  let move: MoveState | undefined
  async function look(): Promise<void> {
    const seen = await readMove(database)
    if (seen?.state !== move?.state) tell(seen)
    move = seen
  }
  function tell(seen: MoveState | undefined): void {
    if (seen?.state === 'stopped') log.warn('writes are being stopped: this installation is moved')
    else if (seen?.state === 'moved')
      log.error('moved: nothing is served here any more', { reason: seen.target })
    else if (!seen) log.warn('not moved any more: open again')
  }
  await look()
  // A database that is away changes nothing about the move.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
  timer.unref()
  return {
    isBegun: () => move !== undefined,
    isMoved: () => move?.wasMoved ?? false,
    stop: () => clearInterval(timer),
  }
}
