import { isCleanText } from '#base/text/text.ts'
import type { Days, DaysRefusal, FundRefusal, FundTerms, Meter } from './types.ts'

// Electronic Financial Transactions Act, article 28, and its decree, article 15, as of September 2024: who has reached either of
// these registers as an issuer of prepaid means.
const BALANCE_LIMIT = 3_000_000_000n
const ISSUED_LIMIT = 50_000_000_000n

const MAX_WON = 1_000_000_000_000_000n // far above any use, exact in JSON
const MAX_DAYS = 1_827 // five years, as long as records are kept

interface FundFacts {
  wanted: FundTerms
  today: string
  // Under the same reference, recorded or waiting.
  known: FundTerms | undefined
}

type Decision = { kind: 'new' } | { kind: 'known' } | { kind: 'refused'; reason: FundRefusal }

const refused = (reason: FundRefusal) => ({ kind: 'refused', reason }) as const

// Asked when a record is requested, and again when it is approved. The same reference is the same record, and is made once.
export function decideFund({ wanted, today, known }: FundFacts): Decision {
  if (wanted.won < 0n || wanted.won > MAX_WON) return refused('fund_out_of_bounds')
  if (wanted.asOf >= today) return refused('fund_day_not_over')
  if (known) return isSame(known, wanted) ? { kind: 'known' } : refused('fund_reference_used')
  return { kind: 'new' }
}

const isSame = (one: FundTerms, other: FundTerms) =>
  one.institution.toLowerCase() === other.institution.toLowerCase() &&
  one.method === other.method &&
  one.asOf === other.asOf &&
  one.won === other.won

// Records of one institution follow from one another, so its name is written in one way. Undefined: no name.
export function toInstitution(typed: string): string | undefined {
  const name = typed.normalize('NFC').trim().replace(/ +/g, ' ')
  return name.length >= 1 && name.length <= 100 && isCleanText(name) ? name : undefined
}

// The first that applies.
export function refuseDays({ from, to }: Days, today: string): DaysRefusal | undefined {
  if (from > to) return 'period_backwards'
  if (to >= today) return 'period_not_over'
  if (daysBetween(from, to) >= MAX_DAYS) return 'period_over_five_years'
  return undefined
}

function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days
}

const date = (year: number, month: number, day: number) => Temporal.PlainDate.from({ year, month, day })

// The windows of the law, for a person who registers on the day after `day`. Supervisory regulation: the balance is the plain average
// of the ends of quarters, from the first of the business year before to the last that is over. Issuance is that of the business
// year before. The business year is taken to be the calendar year.
export function windowsOn(day: string) {
  const asked = Temporal.PlainDate.from(day).add({ days: 1 })
  const lastYear = asked.year - 1
  const quarters = [lastYear, asked.year]
    .flatMap((year) => [date(year, 3, 31), date(year, 6, 30), date(year, 9, 30), date(year, 12, 31)])
    .map(String)
    .filter((end) => end <= day)
  return {
    quarters,
    lastYear: { from: `${lastYear}-01-01`, to: `${lastYear}-12-31` },
    thisYear: { from: `${asked.year}-01-01`, to: day },
  }
}

interface Measured {
  day: string
  balance: bigint
  // At the ends of those quarters whose last day the books have.
  quarters: readonly { day: string; won: bigint }[]
  issuedLastYear: bigint
  issuedThisYear: bigint
}

export function metersOn({ day, balance, quarters, issuedLastYear, issuedThisYear }: Measured): Meter[] {
  const { lastYear, thisYear } = windowsOn(day)
  const sum = quarters.reduce((total, { won }) => total + won, 0n)
  const count = BigInt(quarters.length)
  const ends = { from: quarters[0]?.day ?? day, to: quarters.at(-1)?.day ?? day }
  return [
    {
      name: 'balance_average',
      statutory: true,
      days: ends,
      // Rounded up: never shown better than it is.
      won: count === 0n ? null : (sum + count - 1n) / count,
      limit: BALANCE_LIMIT,
    },
    { name: 'issued_last_year', statutory: true, days: lastYear, won: issuedLastYear, limit: ISSUED_LIMIT },
    {
      name: 'balance_now',
      statutory: false,
      days: { from: day, to: day },
      won: balance,
      limit: BALANCE_LIMIT,
    },
    // On the last day of a year the next one is not begun.
    {
      name: 'issued_this_year',
      statutory: false,
      days: thisYear,
      won: thisYear.from > day ? null : issuedThisYear,
      limit: ISSUED_LIMIT,
    },
  ]
}
