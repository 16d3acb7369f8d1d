import { assert } from '#base/assert.ts'
import { isLockTimeout } from '#base/db/errors.ts'
import type { Held } from '#modules/gift-cards/store.ts'

// Beyond this a partner fills batches of its own.
const MOST_SHARED = 128

type Write<Purchase, Outcome> = (purchase: Purchase) => Promise<Outcome | Held>

export interface Lines<Purchase, Outcome> {
  // Of several partners. When a batch is sent, it leaves out the purchases of those that have a line of their own by then: they are held.
  openShared(hasOwn: (partnerId: number) => boolean): Write<Purchase, Outcome>
  // Of one partner. There may be many of these.
  openOwn(isHeld: () => boolean): Write<Purchase, Outcome>
}

interface OwnLine<Purchase, Outcome> {
  write: Write<Purchase, Outcome>
  underWay: number
  // Others held something of the partner when it last tried.
  isHeld: boolean
}

const wasHeld = <Outcome>(outcome: Outcome | Held): outcome is Held => (outcome as Held).kind === 'held'

// Purchases of several partners share a line, and so its batches: most of what a batch costs, it costs once. A batch locks the
// accounts of its partners until the commit, so a partner is always in the same line.
export function createPurchaseQueues<Purchase extends { readonly partnerId: number }, Outcome>(
  { openShared, openOwn }: Lines<Purchase, Outcome>,
  sharedLines: number,
): (purchase: Purchase) => Promise<Outcome> {
  const shared: Write<Purchase, Outcome>[] = []
  // How many purchases of a partner are under way in its shared line.
  const sharing = new Map<number, number>()
  // Of partners that are held, or have much to write. A partner stays there until nothing of it is held or under way there.
  const own = new Map<number, OwnLine<Purchase, Outcome>>()
  const hasOwn = (partnerId: number) => own.has(partnerId)

  function sharedLineOf(partnerId: number): Write<Purchase, Outcome> {
    const place = partnerId % sharedLines
    shared[place] ??= openShared(hasOwn)
    return shared[place]
  }

  async function writeShared(purchase: Purchase): Promise<Outcome | Held> {
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

  function openLine(isHeld: boolean): OwnLine<Purchase, Outcome> {
    const line: OwnLine<Purchase, Outcome> = { write: openOwn(() => line.isHeld), underWay: 0, isHeld }
    return line
  }

  async function writeAlone(purchase: Purchase, isHeld: boolean): Promise<Outcome> {
    const { partnerId } = purchase
    const line = own.get(partnerId) ?? openLine(isHeld)
    own.set(partnerId, line)
    line.underWay += 1
    try {
      const outcome = await line.write(purchase)
      assert(!wasHeld(outcome), 'a line of one partner waits')
      line.isHeld = false
      return outcome
    } catch (error) {
      line.isHeld ||= isLockTimeout(error)
      throw error
    } finally {
      line.underWay -= 1
      if (line.underWay === 0 && !line.isHeld) own.delete(partnerId)
    }
  }

  return async (purchase) => {
    const { partnerId } = purchase
    if (hasOwn(partnerId) || (sharing.get(partnerId) ?? 0) >= MOST_SHARED) return writeAlone(purchase, false)
    let isHeld = false
    try {
      const outcome = await writeShared(purchase)
      if (!wasHeld(outcome)) return outcome
      isHeld = !outcome.leftOut
    } catch (error) {
      // What was held is not this partner's alone. Nothing of the batch was written.
      if (!isLockTimeout(error)) throw error
    }
    return writeAlone(purchase, isHeld)
  }
}
