import { availableParallelism } from 'node:os'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database, Pipeline } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import { type CardNumbers, createCardNumbers } from '#flows/gift-cards/card-numbers.ts'
import type { GiftCardMetrics } from '#flows/gift-cards/metrics.ts'
import { halfOfConnections, purchaseLines, type WriteBatch } from '#flows/gift-cards/purchase-lines.ts'
import { createPurchaseQueues } from '#flows/gift-cards/purchase-queues.ts'
import { createSealedWrite } from '#flows/kit/sealed-write.ts'
import { newPin, type Pin } from '#modules/gift-cards/pin.ts'
import {
  type Held,
  insertPurchases,
  isNumberTaken,
  type PurchaseTerms,
  type SealedPurchase,
} from '#modules/gift-cards/store.ts'
import type { CardId, PurchaseOutcome, TxId } from '#modules/gift-cards/types.ts'

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
  keys: VaultKeeper
  numberKey: Buffer
  metrics: BatchMetrics & GiftCardMetrics
  // Queues that partners share, if not as many as suit the machine.
  sharedLines?: number
}

export type BuyGiftCard = (command: BuyCommand) => Promise<PurchaseOutcome>

const MAX_BATCH = 128 // twice the batches of 64 busy connections: beyond that a batch only gets slower
const MAX_WAITING = 2_000 // under a second's work for one batcher: more would wait past anyone's patience
const NUMBER_TRIES = 4 // after a restore the second set of numbers is free

// A line keeps one core of the database busy, and its batches are smaller the more lines there are (decisions/0103).
const sharedLinesFor = (database: Database) =>
  Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2), halfOfConnections(database)))

export function createBuyGiftCard(deps: BuyDeps): BuyGiftCard {
  const { database, keys, metrics } = deps
  const numbers = createCardNumbers(database, deps.numberKey)
  const lines = deps.sharedLines ?? sharedLinesFor(database)

  async function insert(pipeline: Pipeline, terms: PurchaseTerms, batch: readonly SealedPurchase[]) {
    const outcomes = await insertNumbered({ metrics, pipeline, numbers }, terms, batch)
    if (Array.isArray(outcomes)) countOutcomes(metrics, batch, outcomes)
    return outcomes
  }

  function openLine(write: WriteBatch, sendsAhead: () => boolean) {
    const pipeline = database.openPipeline()
    return createSealedWrite<Purchase, SealedPurchase, PurchaseOutcome | Held>({
      name: 'buy',
      metrics,
      keys,
      seal: sealPurchase,
      write: (epoch, sealed) => write(pipeline, epoch, sealed),
      maxSize: MAX_BATCH,
      maxInFlight: 1,
      sendsAhead,
      maxWaiting: MAX_WAITING,
      // Retries of one purchase meet the first one's row instead of racing it inside a statement.
      apartKey: ({ sealed: { partnerId, idempotency } }) =>
        idempotency ? `${partnerId} ${idempotency.keyHash.toString('base64')}` : undefined,
    })
  }
  const write = createPurchaseQueues(purchaseLines<Purchase>(insert, openLine, database), lines)

  function buy(command: BuyCommand, number: bigint): Promise<PurchaseOutcome> {
    const { partnerId, keyId, phoneNumber, amount, idempotencyKey } = command
    return write({
      partnerId,
      keyId,
      phoneNumber,
      amount,
      idempotencyKey,
      giftId: newId<'card'>(),
      txId: newId<'purchase'>(),
      number,
      pin: newPin(),
    })
  }

  return (command) => {
    const number = numbers.next()
    return typeof number === 'bigint' ? buy(command, number) : number.then((known) => buy(command, known))
  }
}

interface Purchase extends BuyCommand {
  giftId: CardId
  txId: TxId
  number: bigint
  pin: Pin
}

// Everything that costs time and needs no database, done before the purchase joins its batch.
function sealPurchase(vault: Vault, purchase: Purchase): SealedPurchase & { epoch: number } {
  const { giftId, phoneNumber, amount, idempotencyKey } = purchase
  const pin = purchase.pin.reveal()
  return {
    epoch: vault.epoch,
    partnerId: purchase.partnerId,
    giftId,
    txId: purchase.txId,
    number: purchase.number,
    amount,
    keyId: purchase.keyId,
    indexKeyId: vault.indexKeyId,
    recipient: vault.seal({ table: 'gift_card', column: 'recipient', row: giftId }, phoneNumber),
    recipientIndex: vault.index('phone', phoneNumber),
    pin: vault.seal({ table: 'gift_card', column: 'pin', row: giftId }, pin),
    pinIndex: vault.index('pin', pin),
    idempotency:
      idempotencyKey === undefined
        ? null
        : {
            keyHash: vault.fingerprint('idempotency key', idempotencyKey),
            // A hash of the normalised fields: the same purchase written another way is the same purchase.
            requestHash: vault.fingerprint('buy', `${phoneNumber}\0${amount}`),
          },
  }
}

// A number that another card has takes nothing else down: the batch is written again, as a whole, under fresh ones.
async function insertNumbered(
  { pipeline, numbers, metrics }: Pick<BuyDeps, 'metrics'> & { pipeline: Pipeline; numbers: CardNumbers },
  terms: PurchaseTerms,
  batch: readonly SealedPurchase[],
): Promise<(PurchaseOutcome | Held)[] | 'stale_keys'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await insertPurchases(pipeline, terms, batch)
    } catch (error) {
      if (!isNumberTaken(error) || tries === NUMBER_TRIES) throw error
      metrics.batchRerun.inc({ batch: 'buy' })
      await numbers.skipTaken()
      for (const purchase of batch) purchase.number = await numbers.next()
    }
  }
}

// Once for a batch: nearly all of it has one outcome.
function countOutcomes(
  { purchases, purchasedWon }: GiftCardMetrics,
  batch: readonly SealedPurchase[],
  outcomes: readonly (PurchaseOutcome | Held)[],
): void {
  const counts = new Map<string, number>()
  let won = 0n
  for (const [i, outcome] of outcomes.entries()) {
    // Written later, and counted then.
    if (outcome.kind === 'held') continue
    const label = outcome.kind === 'refused' ? outcome.reason : outcome.kind
    counts.set(label, (counts.get(label) ?? 0) + 1)
    if (outcome.kind === 'issued') won += batch[i]!.amount
  }
  for (const [outcome, count] of counts) purchases.inc({ outcome }, count)
  if (won > 0n) purchasedWon.inc(Number(won))
}
