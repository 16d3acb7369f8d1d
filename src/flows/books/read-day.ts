import type { Database, Reader } from '#base/db/db.ts'
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

export interface DayRow {
  id: bigint
  at: Temporal.Instant
  belongsTo: string
  kind: string
  asset: string
  amount: bigint
  debit: string
  credit: string
  debitAccount: bigint
  creditAccount: bigint
  groupId: string
  cardId: string | null
}

export interface RowFilter {
  account?: string | undefined
  asset?: string | undefined
  kind?: string | undefined
  partner?: string | undefined
  belongsTo?: string | undefined
  after?: bigint | undefined
}

// The transfers that a closed day covers, in the order of their ids. Accounts are probed for each transfer of the day.
const ROWS = {
  name: 'list_rows_of_day',
  text: `select t.id, t.at, seoul_date(t.at) as "belongsTo", t.kind, t.asset, t.amount, d.kind as debit, c.kind as credit,
                t.debit_account as "debitAccount", t.credit_account as "creditAccount", t.group_id as "groupId", t.card_id as "cardId"
           from transfer t
          cross join lateral (select kind, partner_id from account where id = t.debit_account offset 0) d
          cross join lateral (select kind, partner_id from account where id = t.credit_account offset 0) c
           left join lateral (select partner_id from gift_card where id = t.card_id offset 0) g on true
          where t.id > greatest($1::bigint, $2::bigint) and t.id <= $3::bigint
            and seoul_date(t.at) <= $4::date and (t.id > $5::bigint or seoul_date(t.at) > $6::date)
            and ($7::text is null or t.asset = $7) and ($8::text is null or t.kind = $8)
            and ($9::text is null or $9 in (d.kind, c.kind))
            and ($10::int is null or $10 in (d.partner_id, c.partner_id, g.partner_id))
            and ($11::date is null or seoul_date(t.at) = $11)
          order by t.id limit $12::int`,
}

export type RowsRefusal = NotClosed | Refusal<'partner_not_found', { partner: string }>

// From a total to its rows. next: where the next page begins; null if this is the last.
export async function listDayRows(
  database: Reader,
  date: string,
  filter: RowFilter,
  limit: number,
): Promise<{ kind: 'rows'; rows: DayRow[]; next: bigint | null } | RowsRefusal> {
  const day = await findClosedDay(database, date)
  if (!day) return refused('not_closed', { day: date })
  const { account, asset, kind, partner, belongsTo, after } = filter
  const codes = await mapPartnerCodes(database)
  const partnerId = partner === undefined ? null : idOf(codes, partner)
  if (partnerId === undefined) return refused('partner_not_found', { partner: partner! })
  const before = await findClosedDay(database, Temporal.PlainDate.from(date).subtract({ days: 1 }).toString())
  const rows = await database.read<DayRow>(ROWS, [
    (before?.readsFrom ?? 1n) - 1n,
    after ?? 0n,
    day.throughId,
    date,
    before?.throughId ?? 0n,
    before?.day ?? '-infinity',
    asset ?? null,
    kind ?? null,
    account ?? null,
    partnerId,
    belongsTo ?? null,
    limit + 1,
  ])
  const page = rows.slice(0, limit)
  return { kind: 'rows', rows: page, next: rows.length > limit ? page.at(-1)!.id : null }
}

export function idOf(codes: ReadonlyMap<number, string>, code: string): number | undefined {
  return [...codes].find(([, one]) => one.toLowerCase() === code.toLowerCase())?.[0]
}
