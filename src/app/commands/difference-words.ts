import { formatWon } from '#base/money.ts'
import type { Difference } from '#modules/approvals/difference.ts'

// A field that is not listed is shown by its name.
const FIELDS: Record<string, string> = {
  wonPerGram: 'price of a gram',
  force: 'far from the last price',
  spreadBps: 'spread',
  feeBps: 'fee',
  maxAgeSeconds: 'age of a price',
  creditLimit: 'credit limit',
  owed: 'what the partner owes',
  won: 'payment',
  prepay: 'prepaid',
  amount: 'change',
  cardAmount: 'amount of the card',
  deduction: 'deducted',
  refunded: 'refunded',
  payout: 'paid as',
  refundPolicy: 'refund policy',
  version: 'version',
  effectiveFrom: 'for cards bought from',
  cancelDays: 'days to cancel',
  refundYears: 'years to ask for a refund',
  smallUpTo: 'a small card is up to',
  smallPercent: '% of a small card',
  largePercent: '% of a large card',
  pointsPercent: '% as points',
  extensionMonths: 'months of the extension',
  noticeDays: 'reminders, days before',
  commissionBps: 'commission',
  commissionBase: 'commission of',
  commissionFrom: 'from',
}

export function differenceLines(difference: readonly Difference[]): string[] {
  return difference.map(({ field, before, after, unit }) => {
    const change =
      before === null ? inWords(after, unit) : `${inWords(before, unit)} → ${inWords(after, unit)}`
    return `${(FIELDS[field] ?? field).padEnd(24)} ${change}`
  })
}

function inWords(text: string, unit: Difference['unit']): string {
  switch (unit) {
    case 'won':
      return formatWon(BigInt(text))
    case 'won_change':
      return `${signOf(text)}${formatWon(BigInt(text))}`
    case 'points':
      return pointsText(text)
    case 'points_change':
      return `${signOf(text)}${pointsText(text)}`
    case 'won_per_gram':
      return `${formatWon(BigInt(text))}/g`
    case 'basis_points':
      return `${Number(text) / 100}%`
    case 'seconds':
      return `${text} s`
    default:
      return text.replace(/^of_/, 'cards ')
  }
}

const signOf = (amount: string) => (BigInt(amount) > 0n ? '+' : '')
// As the pages write points: they are no won.
const pointsText = (amount: string) => `${formatWon(BigInt(amount)).replace('₩', '')}P`
