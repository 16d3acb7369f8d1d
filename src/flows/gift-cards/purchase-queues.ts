import { availableParallelism } from 'node:os'
import { isLockTimeout } from '#base/db/errors.ts'

// Beyond this a partner fills batches of its own.
const MOST_SHARED = 128
// What is held of one partner keeps the others of its line waiting for no longer.
const LOCK_MS = 300
// A line keeps one core of the database busy, and its batches are smaller the more lines there are (decisions/0103).
const SHARED_LINES = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))

type Write<Purchase, Outcome> = (purchase: Purchase) => Promise<Outcome>

interface OwnLine<Purchase, Outcome> {
  write: Write<Purchase, Outcome>
  underWay: number
}

// Purchases of several partners share a line, and so its batches: most of what a batch costs, it costs once. A batch locks the
// accounts of its partners until the commit, so a partner is always in the same line. `open` makes a line whose batches wait that
// long for a lock.
export function createPurchaseQueues<Purchase extends { readonly partnerId: number }, Outcome>(
  open: (lockMs?: number) => Write<Purchase, Outcome>,
  sharedLines = SHARED_LINES,
): Write<Purchase, Outcome> {
  const shared: Write<Purchase, Outcome>[] = []
  // How many purchases of a partner are under way in its shared line.
  const sharing = new Map<number, number>()
  // Of partners that wait for a lock, or have much to write. A partner stays there until nothing of it is under way there.
  const own = new Map<number, OwnLine<Purchase, Outcome>>()

  function sharedLineOf(partnerId: number): Write<Purchase, Outcome> {
    const place = partnerId % sharedLines
    shared[place] ??= open(LOCK_MS)
    return shared[place]
  }

  async function writeShared(purchase: Purchase): Promise<Outcome> {
    const { partnerId } = purchase
    sharing.set(partnerId, (sharing.get(partnerId) ?? 0) + 1)
    try {
      return await sharedLineOf(partnerId)(purchase)
    } finally {
      const left = sharing.get(partnerId)! - 1
      if (left === 0) sharing.delete(partnerId)
      else sharing.set(partnerId, left)
    }
  }

  async function writeAlone(purchase: Purchase): Promise<Outcome> {
    const { partnerId } = purchase
    const line = own.get(partnerId) ?? { write: open(), underWay: 0 }
    own.set(partnerId, line)
    line.underWay += 1
    try {
      return await line.write(purchase)
    } finally {
      line.underWay -= 1
      if (line.underWay === 0) own.delete(partnerId)
    }
  }

  return async (purchase) => {
    const { partnerId } = purchase
    if (own.has(partnerId) || (sharing.get(partnerId) ?? 0) >= MOST_SHARED) return writeAlone(purchase)
    try {
      return await writeShared(purchase)
    } catch (error) {
      // Nothing of its batch was written.
      if (!isLockTimeout(error)) throw error
      return writeAlone(purchase)
    }
  }
}
