import { Batcher } from '#base/batch.ts'
import type { Database } from '#base/db.ts'
import { classify } from '#base/db-errors.ts'
import { newId } from '#base/ids.ts'
import type { Metrics } from '#base/metrics.ts'
import type { Vault } from '#base/vault.ts'
import { createCardNumbers } from '#flows/card-numbers.ts'
import { newPin } from '#modules/gift-cards/pin.ts'
import { insertPurchases, type PreparedPurchase } from '#modules/gift-cards/store.ts'
import type { PurchaseOutcome } from '#modules/gift-cards/types.ts'

export interface BuyCommand {
  partnerId: number
  keyId: string
  // Normalised: E.164.
  phoneNumber: string
  amount: bigint
  idempotencyKey: string | undefined
}

export interface BuyDeps {
  database: Database
  vault: Vault
  numberKey: Buffer
  metrics: Metrics
}

export type BuyGiftCard = (command: BuyCommand) => Promise<PurchaseOutcome>

// A command's outcome, or the error that befell it alone.
type Settled = PurchaseOutcome | { kind: 'failed'; error: unknown }

const MAX_BATCH = 128 // twice the batches of 64 busy connections: beyond that a batch only gets slower
const MAX_WAITING = 2_000 // under a second's work for one lane: more would wait past anyone's patience
const DEADLOCK_TRIES = 3

export function createBuyGiftCard(deps: BuyDeps): BuyGiftCard {
  const nextNumber = createCardNumbers(deps.database, deps.numberKey)
  // A lane per partner: its receivable is locked by one batch at a time, and others do not wait for it.
  const lanes = new Map<number, Batcher<PreparedPurchase, Settled>>()

  function laneOf(partnerId: number): Batcher<PreparedPurchase, Settled> {
    let lane = lanes.get(partnerId)
    if (!lane) {
      lane = new Batcher({
        run: (batch) => runBatch(deps, partnerId, batch),
        maxSize: MAX_BATCH,
        maxInFlight: 1,
        maxWaiting: MAX_WAITING,
        // Retries of one purchase meet the first one's row instead of racing it inside a statement.
        apartKey: (purchase) => purchase.idempotency?.keyHash.toString('base64'),
        onBatch: (size) => deps.metrics.batchSize.observe({ batch: 'buy' }, size),
      })
      lanes.set(partnerId, lane)
    }
    return lane
  }

  return async (command) => {
    const purchase = preparePurchase(deps.vault, await nextNumber(), command)
    const settled = await laneOf(command.partnerId).submit(purchase)
    if (settled.kind === 'failed') throw settled.error
    deps.metrics.purchases.inc({ outcome: settled.kind === 'refused' ? settled.reason : settled.kind })
    if (settled.kind === 'issued') deps.metrics.purchasedWon.inc(Number(command.amount))
    return settled
  }
}

// Everything that costs time and needs no database, done before the purchase joins its batch.
function preparePurchase(vault: Vault, number: bigint, command: BuyCommand): PreparedPurchase {
  const giftId = newId<'card'>()
  const pin = newPin().reveal()
  const { phoneNumber, amount, idempotencyKey } = command
  return {
    giftId,
    txId: newId<'purchase'>(),
    number,
    amount,
    keyId: command.keyId,
    recipient: vault.seal({ table: 'gift_card', column: 'recipient', row: giftId }, phoneNumber),
    recipientIndex: vault.index('phone', phoneNumber),
    pin: vault.seal({ table: 'gift_card', column: 'pin', row: giftId }, pin),
    pinIndex: vault.index('pin', pin),
    idempotency:
      idempotencyKey === undefined
        ? null
        : {
            keyHash: vault.fingerprint('idempotency key', idempotencyKey),
            // Of the normalised fields: the same purchase written another way is the same purchase.
            requestHash: vault.fingerprint('buy', `${phoneNumber}\0${amount}`),
          },
  }
}

async function runBatch(
  deps: BuyDeps,
  partnerId: number,
  batch: readonly PreparedPurchase[],
): Promise<Settled[]> {
  const endTimer = deps.metrics.batchSeconds.startTimer({ batch: 'buy' })
  try {
    return await insertPurchases(deps.database, partnerId, deps.vault.indexKeyId, batch)
  } catch (error) {
    // Nothing was written. A lost connection reruns nothing: its commit may have happened.
    if (classify(error) !== 'conflict') throw error
    deps.metrics.batchRerun.inc({ batch: 'buy' })
    return runOneByOne(deps, partnerId, batch)
  } finally {
    endTimer()
  }
}

async function runOneByOne(
  deps: BuyDeps,
  partnerId: number,
  batch: readonly PreparedPurchase[],
): Promise<Settled[]> {
  const settled: Settled[] = []
  for (const purchase of batch) {
    const before = settled.at(-1)
    // Once the database is away, the rest need not find out one after the other.
    const lost = before?.kind === 'failed' && classify(before.error) === 'unavailable'
    settled.push(lost ? before : await runAlone(deps, partnerId, purchase))
  }
  return settled
}

// One by one, so that a command the database will not take fails alone.
async function runAlone(deps: BuyDeps, partnerId: number, purchase: PreparedPurchase): Promise<Settled> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [outcome] = await insertPurchases(deps.database, partnerId, deps.vault.indexKeyId, [purchase])
      return outcome!
    } catch (error) {
      const deadlocked = /^40/.test((error as { code?: string }).code ?? '')
      if (!deadlocked || tries === DEADLOCK_TRIES) return { kind: 'failed', error }
    }
  }
}
