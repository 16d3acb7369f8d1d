import { isLockTimeout } from '#base/db/errors.ts'

// Beyond this a partner fills batches of its own.
const MOST_SHARED = 128
// What is held of one partner keeps the others of its line waiting for no longer. Long enough for the batches of many other
// processes, also where a commit takes long: these are no reason to leave.
const LOCK_MS = 400

type Write<Purchase, Outcome> = (purchase: Purchase) => Promise<Outcome>

export interface LineTerms {
  // How long a batch waits for a lock, if not as long as any write.
  lockMs?: number
  // Of one partner. There may be many of these.
  isOwn: boolean
}

interface OwnLine<Purchase, Outcome> {
  write: Write<Purchase, Outcome>
  underWay: number
  // Something of the partner was held when it last tried.
  isHeld: boolean
}

// Purchases of several partners share a line, and so its batches: most of what a batch costs, it costs once. A batch locks the
// accounts of its partners until the commit, so a partner is always in the same line. `open` makes a line.
export function createPurchaseQueues<Purchase extends { readonly partnerId: number }, Outcome>(
  open: (terms: LineTerms) => Write<Purchase, Outcome>,
  sharedLines: number,
): Write<Purchase, Outcome> {
  const shared: Write<Purchase, Outcome>[] = []
  // How many purchases of a partner are under way in its shared line.
  const sharing = new Map<number, number>()
  // Of partners that wait for a lock, or have much to write. A partner stays there until nothing of it is held or under way there.
  const own = new Map<number, OwnLine<Purchase, Outcome>>()

  function sharedLineOf(partnerId: number): Write<Purchase, Outcome> {
    const place = partnerId % sharedLines
    shared[place] ??= open({ lockMs: LOCK_MS, isOwn: false })
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
    const line = own.get(partnerId) ?? { write: open({ isOwn: true }), underWay: 0, isHeld: false }
    own.set(partnerId, line)
    line.underWay += 1
    try {
      const outcome = await line.write(purchase)
      line.isHeld = false
      return outcome
    } catch (error) {
      line.isHeld = isLockTimeout(error)
      throw error
    } finally {
      line.underWay -= 1
      if (line.underWay === 0 && !line.isHeld) own.delete(partnerId)
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
