import { assert } from '#base/assert.ts'
import { permuteSerials } from '#base/crypto/permutation.ts'
import type { Database } from '#base/db/db.ts'
import { skipSerialBlocks, takeSerialBlock } from '#modules/gift-cards/store.ts'

// Permuting a block takes some 0.4 ms of the event loop, and a process that dies loses at most two blocks
// of the 8·10^15 serials there are.
const BLOCK = 128

export interface CardNumbers {
  // At once if one is ready, as nearly always: a promise each would cost more than the number.
  next(): bigint | Promise<bigint>
  // A number was taken: the database was restored, and its sequence hands out used serials again. Drops the present
  // block. The next numbers are beyond all that can have been issued since the backup.
  skipTaken(): Promise<void>
}

// Card numbers, fetched ahead in blocks so that a purchase does not wait for its serial.
export function createCardNumbers(database: Database, numberKey: Buffer): CardNumbers {
  let ready: bigint[] = []
  let fetching: Promise<void> | undefined
  let skipping: Promise<void> | undefined

  async function fetchBlock(): Promise<void> {
    const block = Number(await takeSerialBlock(database))
    const serials = Array.from({ length: BLOCK }, (_, i) => block * BLOCK + i)
    ready = [...ready, ...permuteSerials(numberKey, serials)]
  }

  function startFetching(): Promise<void> {
    fetching ??= fetchBlock().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  async function skip(): Promise<void> {
    // A block that is on its way is of before.
    await fetching?.catch(() => {})
    await skipSerialBlocks(database)
    ready = []
  }

  function take(): bigint {
    // A failed fetch ahead is met by the purchase that finds nothing ready, and answered there.
    if (ready.length < BLOCK / 2) startFetching().catch(() => {})
    const number = ready.pop()
    assert(number, 'called when one is ready')
    return number
  }

  async function wait(): Promise<bigint> {
    while (ready.length === 0) await startFetching()
    return take()
  }

  return {
    next: () => (ready.length > 0 ? take() : wait()),
    skipTaken() {
      skipping ??= skip().finally(() => {
        skipping = undefined
      })
      return skipping
    },
  }
}
