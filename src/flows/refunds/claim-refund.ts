import type { Database } from '#base/db/db.ts'
import { confirmReplay } from '#flows/kit/confirm-replay.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { offerRefund, type RefundOffer } from '#flows/refunds/offer-refund.ts'
import { postRefund } from '#flows/refunds/post-refund.ts'
import { findOpenAccount, holdAccount } from '#modules/accounts/store.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { lockCardOfPin } from '#modules/gift-cards/store.ts'
import { readHolding } from '#modules/ledger/store.ts'
import { findPartnerName } from '#modules/partners/store.ts'
import { findQuote, findRefundOfQuote } from '#modules/refunds/store.ts'
import type { Payout, Refund, RefundRefusal } from '#modules/refunds/types.ts'

interface QuoteCommand {
  pin: Pin
  holderId: string
  payouts: readonly Payout[]
}

type QuoteOutcome =
  | ({ kind: 'offered'; amount: bigint; expiresOn: string; partnerName: string } & RefundOffer)
  | { kind: 'refused'; reason: RefundRefusal }

export type QuoteRefund = (command: QuoteCommand) => Promise<QuoteOutcome>

// What the holder of an expired card's PIN may claim, in each way at once.
export function createQuoteRefund(deps: VaultDeps): QuoteRefund {
  return ({ pin, holderId, payouts }) =>
    withVault(deps, async (tx, vault) => {
      const card = await lockCardOfPin(tx, vault.indexes('pin', pin.reveal()))
      const offer = await offerRefund(tx, card, { holderId, payouts })
      if (offer.kind === 'refused' || !card) return offer as Extract<QuoteOutcome, { kind: 'refused' }>
      const { amount, expiresOn, partnerId } = card
      return { ...offer, amount, expiresOn, partnerName: await findPartnerName(tx, partnerId) }
    })
}

type ClaimOutcome =
  // `held`: the holder's balance of that asset now. `again`: it was paid before.
  | { kind: 'refunded'; refund: Refund; held: bigint; again: boolean }
  | { kind: 'refused'; reason: 'quote_expired' | 'refunded' }

export type ClaimRefund = (command: { quoteId: string; holderId: string }) => Promise<ClaimOutcome>

// A member's own claim follows the policy, so one person is enough. It names its quote: the same quote again gets the same
// refund, also after the quote itself was erased.
export function createClaimRefund({ database }: { database: Database }): ClaimRefund {
  return ({ quoteId, holderId }) =>
    retryDeadlocked(() =>
      database.withTransaction(async (tx) => {
        const paid = await findRefundOfQuote(tx, quoteId)
        if (paid?.holderId === holderId) {
          await confirmReplay(tx)
          return told(paid, true)
        }
        const quote = await findQuote(tx, quoteId)
        // Another person's quote gets the same answer as one that is gone.
        if (quote?.holderId !== holderId) return expired
        // An account that is being closed waits for this, or this finds it closed.
        const account = await findOpenAccount(tx, holderId)
        const isOpen = account !== undefined && (await holdAccount(tx, account.id)) !== undefined
        if (quote.payout === 'money' && !isOpen) return expired
        const posted = await postRefund(tx, quote, { requestId: null, mayStart: () => !quote.isExpired })
        return posted.kind === 'refused' ? posted : told(posted.refund, posted.kind === 'again')

        async function told(refund: Refund, again: boolean): Promise<ClaimOutcome> {
          const asset = refund.payout === 'points' ? 'KRW_POINT' : 'KRW'
          return { kind: 'refunded', refund, again, held: await readHolding(tx, holderId, asset) }
        }
      }),
    )
}

const expired = { kind: 'refused', reason: 'quote_expired' } as const
