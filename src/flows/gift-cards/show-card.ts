import { findRedeemers } from '#flows/gift-cards/find-card.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import { deliveryEvents } from '#flows/kit/delivery-events.ts'
import { requestEvents } from '#flows/kit/request-events.ts'
import {
  fewEvents,
  readTimeline,
  type TimelineCursor,
  type TimelineEvent,
  type TimelinePage,
  type TimelineSource,
} from '#flows/kit/timeline.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import type { MemberLine } from '#flows/members/describe-members.ts'
import { listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest } from '#modules/approvals/types.ts'
import { listShownDeliveries, type ShownDelivery } from '#modules/deliveries/shown.ts'
import { maskMobile } from '#modules/gift-cards/phone.ts'
import { type CardRecord, findCardRecord } from '#modules/gift-cards/shown.ts'
import { findCard } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier } from '#modules/gift-cards/types.ts'
import { listTransfersOfCard, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'
import { findExtension, findRefundOfCard } from '#modules/refunds/store.ts'
import type { Extension, Refund } from '#modules/refunds/types.ts'

const TIMELINE_PAGE = 50
const SHOWN_DELIVERIES = 50 // the newest: a card that was sent again for weeks has more

export interface ShownCard {
  card: Omit<Card, 'recipient'>
  record: CardRecord
  // Masked.
  recipient: string
  // Masked. Null for a partner's staff: a card does not tell its buyer who used it.
  usedBy: MemberLine | null
  transfers: ShownTransfer[]
  deliveries: ShownDelivery[]
  // Its last day was moved.
  extension: Extension | null
  // Null for a partner's staff: the card stays expired for its buyer.
  refund: Refund | null
  // A refund that waits for a second person.
  refundWaits: ChangeRequest | null
  // The same of its void.
  voidWaits: ChangeRequest | null
  timeline: TimelinePage
}

// partnerId: of a partner's staff, who see their own partner's cards only. Null: the operator. withWords: with what people
// typed into audit entries.
interface CardQuestion {
  card: CardIdentifier
  partnerId: number | null
  withWords: boolean
}

export interface ShowCard {
  show(question: CardQuestion): Promise<ShownCard | undefined>
  timeline(question: CardQuestion, cursor: TimelineCursor): Promise<TimelinePage | undefined>
}

// A card with everything that happened to it. The PIN is not read.
export function createShowCard(deps: VaultDeps): ShowCard {
  const { database, keys } = deps

  async function find({ card: identifier, partnerId }: CardQuestion): Promise<Found | undefined> {
    const card = await findCard(database.db, identifier)
    if (!card || (partnerId !== null && card.partnerId !== partnerId)) return undefined
    const record = (await findCardRecord(database.db, card.id))!
    const usedBy = partnerId === null ? ((await findRedeemers(deps, [card])).get(card.id) ?? null) : null
    return {
      card,
      record,
      usedBy,
      deliveries: await listShownDeliveries(database, card.id, SHOWN_DELIVERIES),
      extension: (await findExtension(database.db, card.id)) ?? null,
      refund: partnerId === null ? ((await findRefundOfCard(database.db, card.id)) ?? null) : null,
    }
  }

  function sourcesOf(found: Found, { partnerId, withWords }: CardQuestion): TimelineSource[] {
    const { card, record, deliveries } = found
    const isOwn = partnerId !== null
    // Partners are told who acted where it was they themselves.
    const isShown = (actor: string) => !isOwn || actor.startsWith(`partner:${record.partner} `)
    // What is told of a refund is not for them at all.
    const isWanted = ({ action }: { action: string }) => !isOwn || !action.startsWith('card.refund')
    return [
      fewEvents('state', [...statesOf(found), ...deliveries.flatMap(deliveryEvents)]),
      auditEvents(database.db, withWords ? keys.vault() : undefined, card.id, { isShown, isWanted }),
      requestEvents(database.db, { kind: 'card', id: card.id }, { partnerId }),
    ]
  }

  return {
    async show(question) {
      const found = await find(question)
      if (!found) return undefined
      const { card, refund, ...rest } = found
      const isOwn = question.partnerId !== null
      const { recipient, ...bare } = card
      const place = { table: 'gift_card', column: 'recipient', row: card.id }
      const transfers = await listTransfersOfCard(database, card.id)
      // What the operator has not agreed on yet is not for a partner.
      const waitsFor = async (kind: 'refund' | 'card_void') =>
        isOwn ? null : ((await listWaitingOf(database.db, kind, card.id))[0] ?? null)
      return {
        ...rest,
        card: isOwn ? { ...bare, usedBy: null } : bare,
        refund,
        refundWaits: await waitsFor('refund'),
        voidWaits: await waitsFor('card_void'),
        recipient: maskMobile(keys.vault().open(place, recipient)),
        transfers: isOwn ? forPartner(transfers) : transfers,
        timeline: await readTimeline(sourcesOf(found, question), {}, TIMELINE_PAGE),
      }
    },
    async timeline(question, cursor) {
      const found = await find(question)
      if (!found) return undefined
      return readTimeline(sourcesOf(found, question), cursor, TIMELINE_PAGE)
    },
  }
}

// Without whose holdings they went to. A refund is between the house and the member.
function forPartner(transfers: readonly ShownTransfer[]): ShownTransfer[] {
  const hide = (side: ShownTransfer['from']) =>
    side.kind === 'holding' ? { ...side, accountId: 0n, owner: null } : side
  return transfers
    .filter(({ kind }) => !kind.startsWith('refund'))
    .map((transfer) => ({ ...transfer, from: hide(transfer.from), to: hide(transfer.to) }))
}

type Found = Omit<
  ShownCard,
  'card' | 'recipient' | 'transfers' | 'refundWaits' | 'voidWaits' | 'timeline'
> & { card: Card }

function statesOf({ card, record, usedBy, extension, refund }: Found): TimelineEvent[] {
  const { partner, apiKeyId, expiredAt } = record
  const details = { amount: card.amount.toString() }
  const state = (at: Temporal.Instant | null, what: string, more: Partial<TimelineEvent> = {}) =>
    at ? [{ at, source: 'state' as const, what, by: null, from: {}, details, object: null, ...more }] : []
  const user = usedBy && { kind: 'member' as const, id: usedBy.memberId }
  return [
    ...state(card.issuedAt, 'card.issued', { by: `partner:${partner} key ${apiKeyId}` }),
    ...state(card.usedAt, 'card.used', { object: user }),
    ...state(card.voidedAt, 'card.voided'),
    ...state(expiredAt, 'card.expired'),
    ...state(extension?.at ?? null, 'card.extended', {
      details: extension ? { from: extension.fromDay, to: extension.toDay } : {},
    }),
    ...state(refund?.at ?? null, 'card.refunded', {
      details: refund ? { total: refund.total.toString(), payout: refund.payout, policy: refund.policy } : {},
      object: refund && { kind: 'member', id: refund.holderId },
    }),
  ]
}
