import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { maybeText, moment } from './object-parts.ts'

// The books, as the console shows them. Amounts are text, exact in any reader: won, or grams with four places.
const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-16'] })
const momentText = Type.String({ maxLength: 40, examples: ['2026-11-16T14:30:00+09:00'] })
const word = Type.String({ maxLength: 64, examples: ['outstanding_cards'] })
const code = Type.String({ maxLength: 64, description: 'Of a partner.' })
const amount = Type.String({ description: 'In `unit`.', examples: ['50000', '-1.2345'] })
const unit = choice('Unit', ['KRW', 'g'])
const asset = choice('Asset', ['KRW_POINT', 'KRW', 'XAU', 'XAG'])
const id = Type.String({ pattern: '^\\d{1,18}$' })

export const unitOf = (of: string) => (of === 'XAU' || of === 'XAG' ? ('g' as const) : ('KRW' as const))

export function amountText(of: string, value: bigint): string {
  if (unitOf(of) === 'KRW') return value.toString()
  // `gramsText` knows no negative weights, so the sign is put in front.
  return `${value < 0n ? '-' : ''}${gramsText(value < 0n ? -value : value)}`
}

export const TrialQuery = Type.Object({ at: Type.Optional(momentText) })
export const TrialAnswer = object('TrialBalance', {
  at: moment,
  position: Type.String({ description: 'The newest transfer when it was made.' }),
  from: Type.Union([day, Type.Null()], { description: 'The closed day that it was made from.' }),
  assets: Type.Array(
    object('TrialAsset', {
      asset: Type.String(),
      unit,
      debit: amount,
      credit: amount,
      isEven: Type.Boolean(),
      accounts: Type.Array(
        object('TrialAccount', { account: Type.String(), partner: maybeText, debit: amount, credit: amount }),
      ),
    }),
  ),
})

export const AccountQuery = Type.Object({
  account: word,
  asset,
  partner: Type.Optional(code),
  from: Type.Optional(day),
  at: Type.Optional(momentText),
})
export const AccountAnswer = object('AccountStatement', {
  at: moment,
  from: day,
  closedUntil: Type.Union([day, Type.Null()], { description: 'Lines after it are of transfers not closed.' }),
  unit,
  opening: amount,
  closing: amount,
  lines: Type.Array(
    object('AccountLine', {
      day,
      belongsTo: day,
      isClosed: Type.Boolean(),
      kind: Type.String(),
      debit: amount,
      credit: amount,
      transfers: Type.Integer(),
    }),
  ),
})

const DAY = {
  day,
  throughId: Type.String(),
  movements: Type.Integer(),
  corrections: Type.Integer({ description: 'Of these, how many belong to earlier days.' }),
  closedAt: moment,
  closedBy: Type.String(),
  hash: Type.String(),
}
export const DaysQuery = Type.Object({ until: Type.Optional(day) })
export const DaysAnswer = object('ClosedDays', {
  days: Type.Array(object('ClosedDay', DAY)),
  next: Type.Union([day, Type.Null()], { description: 'Where the next page begins.' }),
})

export const dayParams = Type.Object({ day })
export const DayAnswer = object('DescribedDay', {
  ...DAY,
  cards: Type.Array(
    object('CardEquation', {
      partner: maybeText,
      opening: amount,
      issued: amount,
      used: amount,
      voided: amount,
      refunded: amount,
      expired: amount,
      other: amount,
      closing: amount,
    }),
    { description: 'Won. The first is of all partners together.' },
  ),
  accounts: Type.Array(
    object('DayAccount', {
      account: Type.String(),
      asset: Type.String(),
      partner: maybeText,
      opening: amount,
      debit: amount,
      credit: amount,
      closing: amount,
    }),
  ),
  lines: Type.Array(
    object('DayLine', {
      account: Type.String(),
      asset: Type.String(),
      partner: maybeText,
      kind: Type.String(),
      belongsTo: day,
      debit: amount,
      credit: amount,
    }),
  ),
})

export const RowsQuery = Type.Object({
  day: Type.Optional(day),
  at: Type.Optional(momentText),
  account: Type.Optional(word),
  asset: Type.Optional(asset),
  kind: Type.Optional(word),
  partner: Type.Optional(code),
  belongsTo: Type.Optional(day),
  after: Type.Optional(id),
})
export const RowsAnswer = object('BookRows', {
  rows: Type.Array(
    object('BookRow', {
      id: Type.String(),
      at: moment,
      belongsTo: day,
      kind: Type.String(),
      asset: Type.String(),
      unit,
      amount,
      debit: Type.String({ description: 'The kind of the account that it is taken from.' }),
      credit: Type.String(),
      act: Type.String(),
      cardId: maybeText,
    }),
  ),
  next: Type.Union([id, Type.Null()]),
})
