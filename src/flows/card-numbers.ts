import { assert } from '#base/assert.ts'
import type { Database } from '#base/db.ts'
import { permuteSerials } from '#base/permutation.ts'
import { takeSerialBlock } from '#modules/gift-cards/store.ts'

// Permuting a block takes some 0.4 ms of the event loop, and a process that dies loses at most two blocks
// of the 8·10^15 serials there are.
const BLOCK = 128

// Card numbers, fetched ahead in blocks so that a purchase does not wait for its serial.
export function createCardNumbers(database: Database, numberKey: Buffer): () => Promise<bigint> {
  let ready: bigint[] = []
  let fetching: Promise<void> | undefined

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

  return async () => {
    while (ready.length === 0) await startFetching()
    // A failed fetch ahead is met by the purchase that finds nothing ready, and answered there.
    if (ready.length < BLOCK / 2) startFetching().catch(() => {})
    const number = ready.pop()
    assert(number, 'the loop above waits for a number')
    return number
  }
}
