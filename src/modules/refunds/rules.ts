import type {
  ExtendRefusal,
  Payout,
  PolicyRefusal,
  RefundLines,
  RefundPolicy,
  RefundRefusal,
} from './types.ts'

interface CardFacts {
  status: 'issued' | 'used' | 'voided' | 'expired'
  issuedOn: string
  expiresOn: string
}

// Days are ISO dates of Seoul, which compare as texts.
const later = (day: string, duration: Temporal.DurationLike) =>
  // Of 29 February the year after has 28 days, as in PostgreSQL.
  Temporal.PlainDate.from(day).add(duration, { overflow: 'constrain' }).toString()

// The last day on which a refund may be asked for.
export function refundableUntil({ issuedOn }: Pick<CardFacts, 'issuedOn'>, policy: RefundPolicy): string {
  return later(issuedOn, { years: policy.refundYears })
}

// An expired card, once, until its last day. A card whose last day is over counts as expired before the worker says so.
export function refuseRefund(
  card: CardFacts | undefined,
  { isRefunded, policy, today }: { isRefunded: boolean; policy: RefundPolicy; today: string },
): RefundRefusal | undefined {
  if (!card) return 'absent'
  if (card.status === 'used' || card.status === 'voided') return card.status
  if (card.status === 'issued' && today <= card.expiresOn) return 'still_valid'
  if (isRefunded) return 'refunded'
  return today > refundableUntil(card, policy) ? 'refund_too_late' : undefined
}

// The deduction is rounded down, so a fraction of a won is the member's.
export function workOutRefund(
  face: bigint,
  payout: Payout,
  { smallUpTo, smallPercent, largePercent, pointsPercent }: RefundPolicy,
): RefundLines {
  const moneyPercent = face <= smallUpTo ? smallPercent : largePercent
  const percent = payout === 'points' ? pointsPercent : moneyPercent
  const deduction = (face * BigInt(100 - percent)) / 100n
  return { face, percent, deduction, total: face - deduction }
}

// One extension, while the card can still be registered. From its last day, not from today: asking early costs nothing.
export function decideExtension(
  card: CardFacts | undefined,
  {
    isExtended,
    policy,
    today,
  }: { isExtended: boolean; policy: Pick<RefundPolicy, 'extensionMonths'>; today: string },
): { kind: 'extends'; toDay: string } | { kind: 'refused'; reason: ExtendRefusal } {
  if (!card) return { kind: 'refused', reason: 'absent' }
  if (card.status !== 'issued') return { kind: 'refused', reason: card.status }
  if (today > card.expiresOn) return { kind: 'refused', reason: 'expired' }
  if (isExtended) return { kind: 'refused', reason: 'extended' }
  if (policy.extensionMonths === 0) return { kind: 'refused', reason: 'not_extendable' }
  return { kind: 'extends', toDay: later(card.expiresOn, { months: policy.extensionMonths }) }
}

const VERSION = /^[a-z0-9][a-z0-9.-]{1,39}$/
const isPercent = (value: number) => Number.isInteger(value) && value >= 1 && value <= 100
const isWithin = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

function isSound(policy: RefundPolicy): boolean {
  const { noticeDays } = policy
  return (
    VERSION.test(policy.version) &&
    [policy.smallPercent, policy.largePercent, policy.pointsPercent].every(isPercent) &&
    isWithin(policy.cancelDays, 0, 365) &&
    isWithin(policy.refundYears, 0, 50) &&
    isWithin(policy.extensionMonths, 0, 60) &&
    policy.smallUpTo >= 0n &&
    noticeDays.length >= 3 &&
    new Set(noticeDays).size === noticeDays.length &&
    noticeDays.every((days) => isWithin(days, 1, 365))
  )
}

// A version holds until the day before the next one begins. So every day has one policy, if the new one begins where it says
// and ends where the next begins. `until`: its last day, as its author sees it; undefined: it holds on.
export function refusePolicy(
  policy: RefundPolicy,
  { until, today, others }: { until: string | undefined; today: string; others: readonly RefundPolicy[] },
): PolicyRefusal | undefined {
  if (!isSound(policy)) return 'policy_invalid'
  if (
    others.some(
      ({ version, effectiveFrom }) => version === policy.version || effectiveFrom === policy.effectiveFrom,
    )
  )
    return 'policy_exists'
  // Cards of today and earlier are sold with another.
  if (policy.effectiveFrom <= today) return 'policy_begins_too_soon'
  if (until !== undefined && until < policy.effectiveFrom) return 'policy_invalid'
  const next = others
    .map(({ effectiveFrom }) => effectiveFrom)
    .filter((day) => day > policy.effectiveFrom)
    .sort()[0]
  if (until === undefined) return next === undefined ? undefined : 'policy_overlap'
  const following = later(until, { days: 1 })
  if (next === undefined || following < next) return 'policy_gap'
  return following > next ? 'policy_overlap' : undefined
}
