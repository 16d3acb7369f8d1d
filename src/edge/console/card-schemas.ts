import { wonToJson } from '#base/money.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { ShownCard } from '#flows/gift-cards/show-card.ts'
import type { ShownDelivery } from '#modules/deliveries/shown.ts'
import { CHANNELS, PURPOSES } from '#modules/deliveries/types.ts'
import { PAYOUTS, type Refund, type RefundLines } from '#modules/refunds/types.ts'
import {
  maybeMoment,
  maybeText,
  moment,
  Timeline,
  Transfer,
  textOf,
  timelineJson,
  transferJson,
  won,
} from './object-parts.ts'

const CHANNEL = choice('Channel', CHANNELS)
const PURPOSE = choice('Purpose', PURPOSES)
export const DELIVERY_STATUS = choice('DeliveryStatus', [
  'queued',
  'accepted',
  'delivered',
  'failed',
  'unknown',
])

export const DELIVERY = {
  id: Type.String(),
  cardId: Type.String(),
  channel: CHANNEL,
  purpose: PURPOSE,
  status: DELIVERY_STATUS,
  attempts: Type.Integer(),
  provider: maybeText,
  messageId: maybeText,
  reason: maybeText,
  retryable: Type.Union([Type.Boolean(), Type.Null()]),
  createdAt: moment,
  sentAt: maybeMoment,
  settledAt: maybeMoment,
  dueAt: maybeMoment,
}

export const PAYOUT = choice('Payout', PAYOUTS, {
  description: "points: the member's points. money: the member's deposit, from which a withdrawal pays out.",
})

const CardRefund = object('CardRefund', {
  id: Type.String(),
  at: moment,
  memberId: Type.String(),
  payout: PAYOUT,
  policy: Type.String({ description: "The policy's version." }),
  face: won,
  percent: Type.Integer(),
  deduction: won,
  total: won,
})

export const CardAnswer = object(
  'CardPage',
  {
    giftId: Type.String(),
    txId: Type.String(),
    number: Type.Integer(),
    partner: Type.String({ description: 'Code.' }),
    partnerName: Type.String(),
    amount: won,
    status: choice('CardStatus', ['issued', 'used', 'voided', 'expired']),
    recipient: Type.String({ description: 'Masked.' }),
    apiKeyId: Type.String({ description: 'The key that bought it.' }),
    issuedAt: moment,
    expires: Type.String({ description: 'The last day, in Seoul.' }),
    cancelUntil: Type.String({ description: 'The last day on which the partner may cancel it.' }),
    usedAt: maybeMoment,
    usedBy: Type.Union(
      [object('CardUser', { memberId: Type.String(), loginId: maybeText, name: maybeText }), Type.Null()],
      { description: "Masked. Null for a partner's staff." },
    ),
    voidedAt: maybeMoment,
    expiredAt: maybeMoment,
    extendedFrom: Type.Union([Type.String(), Type.Null()], {
      description: 'The last day before it was extended, which happens once.',
    }),
    refund: Type.Union([CardRefund, Type.Null()], { description: "Null for a partner's staff." }),
    refundWaits: Type.Union([Type.String(), Type.Null()], {
      description: 'The request for a refund that waits for a second person.',
    }),
    voidWaits: Type.Union([Type.String(), Type.Null()], {
      description: 'The request for its void that waits for a second person.',
    }),
    now: Type.String({ description: 'The moment of this answer.' }),
    deliveries: Type.Array(object('CardDelivery', DELIVERY)),
    transfers: Type.Array(Transfer),
    timeline: Timeline,
  },
  { description: 'A card, everything that moved for it and everything that happened to it. Never its PIN.' },
)

export function deliveryJson(delivery: ShownDelivery) {
  // The steps of a message are on its own page.
  const { events: _, ordinal: _resend, ...rest } = delivery
  return {
    ...rest,
    id: delivery.id.toString(),
    createdAt: instantText(delivery.createdAt),
    sentAt: textOf(delivery.sentAt),
    settledAt: textOf(delivery.settledAt),
    dueAt: textOf(delivery.dueAt),
  }
}

function refundJson({ id, at, holderId, payout, policy, ...lines }: Refund) {
  return { id, at: instantText(at), memberId: holderId, payout, policy, ...linesJson(lines) }
}

export function linesJson({ face, percent, deduction, total }: RefundLines) {
  return { face: wonToJson(face), percent, deduction: wonToJson(deduction), total: wonToJson(total) }
}

export function cardJson({ card, record, recipient, usedBy, ...lists }: ShownCard) {
  return {
    giftId: card.id,
    txId: card.txId,
    number: Number(card.number),
    partner: record.partner,
    partnerName: record.partnerName,
    amount: wonToJson(card.amount),
    status: card.status,
    recipient,
    apiKeyId: record.apiKeyId,
    issuedAt: instantText(card.issuedAt),
    expires: card.expiresOn,
    cancelUntil: record.cancelUntil,
    usedAt: textOf(card.usedAt),
    usedBy: usedBy && { memberId: usedBy.memberId, loginId: usedBy.loginId, name: usedBy.name },
    voidedAt: textOf(card.voidedAt),
    expiredAt: textOf(record.expiredAt),
    extendedFrom: lists.extension?.fromDay ?? null,
    refund: lists.refund && refundJson(lists.refund),
    refundWaits: lists.refundWaits?.id ?? null,
    voidWaits: lists.voidWaits?.id ?? null,
    now: instantText(record.now),
    deliveries: lists.deliveries.map(deliveryJson),
    transfers: lists.transfers.map(transferJson),
    timeline: timelineJson(lists.timeline),
  }
}

export const ResendPreviewAnswer = object('ResendPreview', {
  possible: Type.Boolean(),
  refusal: Type.Union([
    choice('ResendRefusal', ['not_found', 'not_valid', 'on_its_way', 'too_soon', 'too_often']),
    Type.Null(),
  ]),
  retryAfterSeconds: Type.Union([Type.Integer(), Type.Null()]),
  channels: Type.Array(CHANNEL),
  recipient: Type.String({ description: 'Masked.' }),
})

export const ResendAnswer = object('CardResent', { giftId: Type.String(), channels: Type.Array(CHANNEL) })

export const VoidPreviewAnswer = object('VoidPreview', {
  possible: Type.Boolean(),
  refusal: Type.Union([choice('VoidRefusal', ['used', 'voided', 'expired']), Type.Null()]),
  amount: won,
  waits: Type.Boolean({ description: 'It takes a second person.' }),
  owed: Type.Integer({ description: 'Won that the partner owes now; negative: prepaid.' }),
  owedAfter: Type.Integer({ description: 'The same after the act.' }),
  withdrawn: Type.Integer({ description: 'Messages that have not left and would be withdrawn.' }),
  told: Type.Array(CHANNEL, { description: 'Where the recipient would be told.' }),
})

export const VoidAnswer = object('CardVoided', {
  giftId: Type.String(),
  amount: won,
  waiting: Type.Boolean({ description: 'True: a second person has to approve it.' }),
  requestId: maybeText,
})

export const CancelReasonAnswer = object('CancelReason', { cancelReason: maybeText, shownAt: moment })
