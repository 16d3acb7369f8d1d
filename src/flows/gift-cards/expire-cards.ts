import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import {
  type ExpiredCard,
  erasePins,
  lockExpired,
  lockPastRefund,
  markExpired,
} from '#modules/gift-cards/expiry.ts'
import {
  findExpiredAccount,
  findHouseAccount,
  findOutstandingAccount,
  postTransfers,
} from '#modules/ledger/store.ts'

const CHUNK = 500 // a fifth of a second under the locks of these cards and two house accounts

// Moves the value of cards whose last day is over to what is owed for expired cards: refundable, and out of circulation.
export async function expireCards(database: Database): Promise<number> {
  for (let total = 0; ; ) {
    const expired = await database.withTransaction(async (tx) => {
      const cards = await lockExpired(tx, CHUNK)
      await expireLocked(tx, cards)
      return cards.length
    })
    total += expired
    if (expired === 0) return total
  }
}

// The cards are locked and their last day is over.
export async function expireLocked(tx: Tx, cards: readonly ExpiredCard[]): Promise<void> {
  if (cards.length === 0) return
  const debit = await findOutstandingAccount(tx)
  const credit = await findExpiredAccount(tx)
  const transfers = cards.map(({ id, amount }) => ({
    groupId: newId<'expiry'>(),
    cardId: id,
    debit,
    credit,
    amount,
  }))
  await postTransfers(tx, 'expire', transfers)
  await markExpired(
    tx,
    cards.map(({ id }) => id),
  )
}

// After the refund deadline nobody can claim a card: its value becomes revenue of the house, and its PIN, of use only to a thief
// now, is erased. Both in one transaction: a kill leaves both undone, and the next run does them.
export async function lapseCards(database: Database): Promise<number> {
  for (let total = 0; ; ) {
    const lapsed = await database.withTransaction(async (tx) => {
      const cards = await lockPastRefund(tx, CHUNK)
      await lapseLocked(tx, cards)
      return cards.length
    })
    total += lapsed
    if (lapsed === 0) return total
  }
}

async function lapseLocked(tx: Tx, cards: readonly ExpiredCard[]): Promise<void> {
  if (cards.length === 0) return
  const debit = await findExpiredAccount(tx)
  const credit = await findHouseAccount(tx, 'breakage', 'KRW_POINT')
  const transfers = cards.map(({ id, amount }) => ({
    groupId: newId<'lapse'>(),
    cardId: id,
    debit,
    credit,
    amount,
  }))
  await postTransfers(tx, 'lapse', transfers)
  await erasePins(
    tx,
    cards.map(({ id }) => id),
  )
}
