import type { Database } from '#base/db/db.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { findClosedDay, readClosedBalances, readClosedLines } from '#modules/closed-days/store.ts'
import type { AccountGroup, ClosedDay, Line } from '#modules/closed-days/types.ts'
import { mapPartnerCodes } from '#modules/partners/store.ts'

export type NotClosed = Refusal<'not_closed', { day: string }>

// partner: its code; null if the accounts are of no partner.
export type NamedGroup = Omit<AccountGroup, 'partnerId'> & { partner: string | null }

// outstanding at start + issued − used − voided − refunded − expired = outstanding at end. `other` is what none of these moved.
export interface CardEquation {
  partner: string | null
  opening: bigint
  issued: bigint
  used: bigint
  voided: bigint
  refunded: bigint
  expired: bigint
  other: bigint
  closing: bigint
}

interface DayAccount extends NamedGroup {
  opening: bigint
  debit: bigint
  credit: bigint
  closing: bigint
}

export interface DescribedDay {
  kind: 'closed'
  day: ClosedDay
  // Of each partner that has or had cards; all together under null, first.
  cards: CardEquation[]
  accounts: DayAccount[]
  lines: (NamedGroup & Omit<Line, keyof AccountGroup>)[]
}

// A closed day as it was closed: from its own rows, never from transfers.
export async function readClosedDay(database: Database, date: string): Promise<DescribedDay | NotClosed> {
  const day = await findClosedDay(database, date)
  if (!day) return refused('not_closed', { day: date })
  const [lines, balances, codes] = await Promise.all([
    readClosedLines(database, date),
    readClosedBalances(database, date),
    mapPartnerCodes(database),
  ])
  const named = <Group extends AccountGroup>({ partnerId, ...rest }: Group) => ({
    ...rest,
    partner: codes.get(partnerId) ?? null,
  })
  const accounts = balances.map((balance) => {
    const moved = lines.filter((line) => isSame(line, balance))
    const debit = moved.reduce((sum, line) => sum + line.debit, 0n)
    const credit = moved.reduce((sum, line) => sum + line.credit, 0n)
    const { balance: closing, ...group } = balance
    return { ...named(group), opening: closing - credit + debit, debit, credit, closing }
  })
  const cards = balances
    .filter(({ account }) => account === 'outstanding_cards')
    .map((balance) => ({
      partner: codes.get(balance.partnerId) ?? null,
      ...equationOf(
        balance.balance,
        lines.filter((line) => isSame(line, balance)),
      ),
    }))
  return { kind: 'closed', day, cards: [overall(cards), ...cards], accounts, lines: lines.map(named) }
}

const isSame = (one: AccountGroup, other: AccountGroup) =>
  one.account === other.account && one.asset === other.asset && one.partnerId === other.partnerId

function equationOf(closing: bigint, lines: readonly Line[]): Omit<CardEquation, 'partner'> {
  const net = (is: (kind: string) => boolean) =>
    lines.filter(({ kind }) => is(kind)).reduce((sum, { credit, debit }) => sum + credit - debit, 0n)
  const isRefund = (kind: string) => kind.startsWith('refund')
  const isNamed = (kind: string) => ['issue', 'redeem', 'void', 'expire'].includes(kind) || isRefund(kind)
  return {
    opening: closing - net(() => true),
    issued: net((kind) => kind === 'issue'),
    used: -net((kind) => kind === 'redeem'),
    voided: -net((kind) => kind === 'void'),
    refunded: -net(isRefund),
    expired: -net((kind) => kind === 'expire'),
    other: net((kind) => !isNamed(kind)),
    closing,
  }
}

function overall(cards: readonly CardEquation[]): CardEquation {
  const sum = (of: (one: CardEquation) => bigint) => cards.reduce((total, one) => total + of(one), 0n)
  return {
    partner: null,
    opening: sum((one) => one.opening),
    issued: sum((one) => one.issued),
    used: sum((one) => one.used),
    voided: sum((one) => one.voided),
    refunded: sum((one) => one.refunded),
    expired: sum((one) => one.expired),
    other: sum((one) => one.other),
    closing: sum((one) => one.closing),
  }
}

export function idOf(codes: ReadonlyMap<number, string>, code: string): number | undefined {
  return [...codes].find(([, one]) => one.toLowerCase() === code.toLowerCase())?.[0]
}
