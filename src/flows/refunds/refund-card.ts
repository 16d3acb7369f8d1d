import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import { findNamedMember, type NoMember } from '#flows/members/named-member.ts'
import { detailsOf } from '#flows/partner-users/known-age.ts'
import { findToday, offerRefund, type RefundOffer } from '#flows/refunds/offer-refund.ts'
import { postRefund } from '#flows/refunds/post-refund.ts'
import { isUnder14 } from '#modules/accounts/rules.ts'
import { holdAccount } from '#modules/accounts/store.ts'
import { listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockCard } from '#modules/gift-cards/store.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'
import { isFrozen } from '#modules/members/freezes.ts'
import { findQuote, findRefundOfCard, findRefundOfQuote } from '#modules/refunds/store.ts'
import type { Payout, Refund, RefundQuote, RefundRefusal } from '#modules/refunds/types.ts'

// Support refunds an expired card to a member: first a quote, then a request, which a second person approves.

export interface QuoteCommand {
  card: CardIdentifier
  // As an operator names a member.
  member: string
  payout: Payout
}

export type QuoteRefusal =
  | NoMember
  | Refusal<RefundRefusal>
  // Nobody who could use it: there is no open account, the member is frozen or too young.
  | Refusal<'member_has_no_account' | 'member_frozen' | 'under_14'>

type QuoteOutcome = ({ kind: 'offered'; quote: RefundQuote } & Omit<RefundOffer, 'quotes'>) | QuoteRefusal

// A quote by itself gives nobody anything, so one person is enough for it.
export function quoteRefund(
  { database, keys }: { database: Database; keys: VaultKeeper },
  { card: identifier, member, payout }: QuoteCommand,
): Promise<QuoteOutcome> {
  return withOutcome(database, async (tx): Promise<QuoteOutcome> => {
    const named = await findNamedMember(tx, member)
    if (named.kind === 'refused') return named
    const { memberId, account } = named
    if (!account?.details || account.closedAt) return refused('member_has_no_account')
    if (await isFrozen(tx, memberId)) return refused('member_frozen')
    const told = detailsOf(keys.vault(), 'member_account', { id: account.id, details: account.details })
    if (isUnder14(told().birthday ?? '', Temporal.PlainDate.from(await findToday(tx))))
      return refused('under_14')
    const card = await lockCard(tx, identifier)
    const offer = await offerRefund(tx, card, { holderId: memberId, payouts: [payout] })
    if (offer.kind === 'refused') return refused(offer.reason)
    const { quotes, ...rest } = offer
    return { ...rest, quote: quotes[0]! }
  })
}

export type RequestRefusal = Refusal<'quote_not_found' | 'quote_expired' | 'refunded'>

// done: the same quote was approved before.
type RequestOutcome =
  | { kind: 'waiting'; request: ChangeRequest }
  | { kind: 'done'; refund: Refund }
  | RequestRefusal

// The quote's figures and its version stand for as long as the request waits. Asked for again, the request that waits is the
// answer.
export function requestRefund(
  database: Database,
  { quoteId, reason, ...maker }: Person & { quoteId: string; reason: string },
): Promise<RequestOutcome> {
  return withOutcome(database, async (tx): Promise<RequestOutcome> => {
    const paid = await findRefundOfQuote(tx, quoteId)
    if (paid) return { kind: 'done', refund: paid }
    const quote = await findQuote(tx, quoteId)
    if (!quote) return refused('quote_not_found')
    await lockCard(tx, { kind: 'uuid', uuid: quote.cardId })
    const waiting = (await listWaitingOf(tx, 'refund', quote.cardId)).find(
      ({ payload }) => payload.quote === quoteId,
    )
    if (waiting) return { kind: 'waiting', request: waiting }
    if (quote.isExpired) return refused('quote_expired')
    if (await findRefundOfCard(tx, quote.cardId)) return refused('refunded')
    const change = {
      action: 'card.refund.request',
      kind: 'refund',
      subject: quote.cardId,
      payload: payloadOf(quote),
      basis: { status: 'expired' },
    } as const
    return requestChange(tx, change, { ...maker, reason })
  })
}

export type ExecuteRefundRefusal = Refusal<'refunded' | 'refund_quote_gone' | 'refund_holder_closed'>

export async function executeRefund(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteRefundRefusal> {
  const quote = await findQuote(tx, request.payload.quote as string)
  if (!quote) return refused('refund_quote_gone')
  // The member may have closed the account, or been frozen, since.
  const named = await findNamedMember(tx, quote.holderId)
  if (named.kind === 'refused' || !named.account || !(await holdAccount(tx, named.account.id)))
    return refused('refund_holder_closed')
  if (await isFrozen(tx, quote.holderId)) return refused('refund_holder_closed')
  const posted = await postRefund(tx, quote, { requestId: request.id, mayStart: () => true })
  // Of two requests for one card the second ends here, and so does one whose card its member claimed meanwhile.
  if (posted.kind === 'refused' && posted.reason === 'quote_expired') return refused('refund_quote_gone')
  if (posted.kind !== 'done') return refused('refunded')
  const payload = payloadOf(quote)
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'card.refund',
    subject: quote.cardId,
    details: { ...payload, reason: request.reason, askedBy: request.maker, request: request.id },
  })
  return { kind: 'executed', payload }
}

function payloadOf({ id, holderId, payout, policy, face, percent, deduction, total }: RefundQuote) {
  return {
    quote: id,
    member: holderId,
    payout,
    policy,
    face: face.toString(),
    percent,
    deduction: deduction.toString(),
    total: total.toString(),
  }
}
