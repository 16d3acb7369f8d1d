import { findRedeemers } from '#flows/gift-cards/find-card.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import { deliveryEvents } from '#flows/kit/delivery-events.ts'
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
import { listShownDeliveries, type ShownDelivery } from '#modules/deliveries/shown.ts'
import { maskMobile } from '#modules/gift-cards/phone.ts'
import { type CardRecord, findCardRecord } from '#modules/gift-cards/shown.ts'
import { findCard } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier } from '#modules/gift-cards/types.ts'
import { listTransfersOfCard, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'

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
  timeline: TimelinePage
}

// partnerId: of a partner's staff, who see their own partner's cards only. Null: the operator.
interface CardQuestion {
  card: CardIdentifier
  partnerId: number | null
}

export interface ShowCard {
  show(question: CardQuestion): Promise<ShownCard | undefined>
  timeline(question: CardQuestion, cursor: TimelineCursor): Promise<TimelinePage | undefined>
}

// A card with everything that happened to it. The PIN is not read.
export function createShowCard(deps: VaultDeps): ShowCard {
  const { database, keys } = deps

  async function find({ card: identifier, partnerId }: CardQuestion) {
    const card = await findCard(database.db, identifier)
    if (!card || (partnerId !== null && card.partnerId !== partnerId)) return undefined
    const record = (await findCardRecord(database.db, card.id))!
    const usedBy = partnerId === null ? ((await findRedeemers(deps, [card])).get(card.id) ?? null) : null
    const deliveries = await listShownDeliveries(database, card.id, SHOWN_DELIVERIES)
    return { card, record, usedBy, deliveries }
  }

  function sourcesOf(found: NonNullable<Awaited<ReturnType<typeof find>>>, isOwn: boolean): TimelineSource[] {
    const { card, record, usedBy, deliveries } = found
    const states = statesOf(card, record, usedBy)
    // Partners are told who acted where it was they themselves.
    const isShown = (actor: string) => !isOwn || actor.startsWith(`partner:${record.partner} `)
    return [
      fewEvents('state', [...states, ...deliveries.flatMap(deliveryEvents)]),
      auditEvents(database.db, keys.vault(), card.id, { isShown }),
    ]
  }

  return {
    async show(question) {
      const found = await find(question)
      if (!found) return undefined
      const { card, record, usedBy, deliveries } = found
      const isOwn = question.partnerId !== null
      const { recipient, ...rest } = card
      const place = { table: 'gift_card', column: 'recipient', row: card.id }
      const transfers = await listTransfersOfCard(database, card.id)
      return {
        card: isOwn ? { ...rest, usedBy: null } : rest,
        record,
        recipient: maskMobile(keys.vault().open(place, recipient)),
        usedBy,
        transfers: isOwn ? transfers.map(withoutHolders) : transfers,
        deliveries,
        timeline: await readTimeline(sourcesOf(found, isOwn), {}, TIMELINE_PAGE),
      }
    },
    async timeline(question, cursor) {
      const found = await find(question)
      if (!found) return undefined
      return readTimeline(sourcesOf(found, question.partnerId !== null), cursor, TIMELINE_PAGE)
    },
  }
}

function withoutHolders(transfer: ShownTransfer): ShownTransfer {
  const hide = (side: ShownTransfer['from']) =>
    side.kind === 'holding' ? { ...side, accountId: 0n, owner: null } : side
  return { ...transfer, from: hide(transfer.from), to: hide(transfer.to) }
}

function statesOf(
  card: Card,
  { partner, apiKeyId, expiredAt }: CardRecord,
  usedBy: MemberLine | null,
): TimelineEvent[] {
  const details = { amount: card.amount.toString() }
  const state = (at: Temporal.Instant | null, what: string, more: Partial<TimelineEvent> = {}) =>
    at ? [{ at, source: 'state' as const, what, by: null, from: null, details, object: null, ...more }] : []
  const user = usedBy && { kind: 'member' as const, id: usedBy.memberId }
  return [
    ...state(card.issuedAt, 'card.issued', { by: `partner:${partner} key ${apiKeyId}` }),
    ...state(card.usedAt, 'card.used', { object: user }),
    ...state(card.voidedAt, 'card.voided'),
    ...state(expiredAt, 'card.expired'),
  ]
}
