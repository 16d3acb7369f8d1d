import type { Database, Pipeline } from '#base/db/db.ts'
import { isLockTimeout, Unavailable } from '#base/db/errors.ts'
import { createKeyedQueue } from '#base/queues/keyed-queue.ts'
import type { Lines } from '#flows/gift-cards/purchase-queues.ts'
import type { StaleKeys } from '#flows/kit/retries.ts'
import type { Held, PurchaseTerms, SealedPurchase } from '#modules/gift-cards/store.ts'
import type { PurchaseOutcome } from '#modules/gift-cards/types.ts'

// What is held of one partner keeps the others of its line waiting for no longer than this, or than three batches take at present.
// Other processes hold the same accounts in turn until they commit, also where a commit takes long: that is no reason to leave.
const LOCK_MS = 400
const LOCK_BATCHES = 3
const MOST_LOCK_MS = 1_500 // what any write waits
// Longer than a held line keeps its turn: a partner that was passed over by chance gets the next one.
const TURN_MS = 2_500
const MAX_WAITING = 2_000

type Outcome = PurchaseOutcome | Held
type Insert = (
  pipeline: Pipeline,
  terms: PurchaseTerms,
  batch: readonly SealedPurchase[],
) => Promise<Outcome[] | StaleKeys>

export type WriteBatch = (
  pipeline: Pipeline,
  epoch: number,
  batch: readonly SealedPurchase[],
) => Promise<Outcome[] | StaleKeys>

// How a line gathers batches. `sendsAhead`: the next batch follows before the one at the database is done.
type OpenLine<Purchase> = (
  write: WriteBatch,
  sendsAhead: () => boolean,
) => (purchase: Purchase) => Promise<Outcome>

// How the batches of lines are written.
export function purchaseLines<Purchase>(
  insert: Insert,
  openLine: OpenLine<Purchase>,
  database: Pick<Database, 'connections'>,
): Lines<Purchase, PurchaseOutcome> {
  const takeTurn = createTurns(database)
  return {
    openShared: (hasOwn) => openLine(leavingOut(hasOwn, createSharedWrite(insert)), () => true),
    // A second batch would take a turn only to wait behind the first.
    openOwn: (isHeld) =>
      openLine(
        (pipeline, epoch, batch) => takeTurn(isHeld(), () => insert(pipeline, { epoch }, batch)),
        () => !isHeld(),
      ),
  }
}

function createSharedWrite(insert: Insert): WriteBatch {
  let lastMs = 0
  return async (pipeline, epoch, batch) => {
    const lockMs = Math.round(Math.min(MOST_LOCK_MS, Math.max(LOCK_MS, LOCK_BATCHES * lastMs)))
    const began = performance.now()
    try {
      const outcomes = await insert(pipeline, { epoch, shared: { lockMs, skipHeld: false } }, batch)
      lastMs = performance.now() - began
      return outcomes
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      // Nothing was written. Now all are, but those that are still held.
      return insert(pipeline, { epoch, shared: { lockMs, skipHeld: true } }, batch)
    }
  }
}

function leavingOut(hasOwn: (partnerId: number) => boolean, write: WriteBatch): WriteBatch {
  return async (pipeline, epoch, batch) => {
    const here = batch.filter(({ partnerId }) => !hasOwn(partnerId))
    if (here.length === batch.length) return write(pipeline, epoch, batch)
    const outcomes = here.length > 0 ? await write(pipeline, epoch, here) : []
    if (!Array.isArray(outcomes)) return outcomes
    const written = new Map(here.map((purchase, i) => [purchase, outcomes[i]!]))
    return batch.map((purchase) => written.get(purchase) ?? { kind: 'held', leftOut: true })
  }
}

// The lines of single partners leave half of the connections to all else.
export const halfOfConnections = ({ connections }: Pick<Database, 'connections'>) =>
  Math.max(1, Math.floor(connections / 2))

// Lines of single partners take turns. Those that are held have turns of their own: each may keep its turn until it gives up, and
// partners that are only busy would wait behind them.
function createTurns(database: Pick<Database, 'connections'>) {
  const all = halfOfConnections(database)
  const ofHeld = Math.max(1, Math.floor(all / 3))
  const late = () => new Unavailable('no turn for the purchases of one partner')
  const queueOf = (atOnce: number) => createKeyedQueue({ atOnce, maxWaiting: MAX_WAITING, late })
  const [held, busy] = [queueOf(ofHeld), queueOf(Math.max(1, all - ofHeld))]
  return <Result>(isHeld: boolean, work: () => Promise<Result>): Promise<Result> =>
    (isHeld ? held : busy)('own lines', work, { signal: AbortSignal.timeout(TURN_MS) })
}
