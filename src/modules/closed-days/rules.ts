import { assert } from '#base/assert.ts'
import type {
  AccountGroup,
  Balance,
  BalanceDifference,
  Closing,
  DayBalance,
  IdRange,
  Line,
  Movement,
} from './types.ts'

const keyOf = ({ account, asset, partnerId }: AccountGroup) => `${account} ${asset} ${partnerId}`

export function nextDay(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString()
}

// Days as texts compare as dates do.
export function listDays(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = nextDay(day)) days.push(day)
  return days
}

// Adds up movements that are read in chunks, as lines of the days that are being closed. What belongs to a later day stays apart.
export class DayBook {
  readonly #first: string
  readonly #last: string
  readonly #lines = new Map<string, Line>()
  readonly #ahead = new Map<string, Balance>()
  // The first transfer of each day, and of all that is ahead.
  readonly #firstIds = new Map<string, bigint>()
  #aheadFrom: bigint | undefined

  constructor(first: string, last: string) {
    assert(first <= last, 'the first day is not after the last')
    this.#first = first
    this.#last = last
  }

  add(movements: readonly Movement[]): void {
    for (const movement of movements) {
      if (movement.day > this.#last) this.#addAhead(movement)
      else this.#addLine(movement)
    }
  }

  #addLine(movement: Movement): void {
    const { firstId, day: belongsTo, ...rest } = movement
    // What came too late for its own day is a correction of the first that is still open.
    const day = belongsTo < this.#first ? this.#first : belongsTo
    const key = `${day} ${belongsTo} ${keyOf(rest)} ${rest.kind}`
    const line = this.#lines.get(key)
    if (line) {
      line.debit += rest.debit
      line.credit += rest.credit
      line.debitCount += rest.debitCount
      line.creditCount += rest.creditCount
    } else this.#lines.set(key, { ...rest, day, belongsTo })
    this.#firstIds.set(day, least(this.#firstIds.get(day), firstId))
  }

  #addAhead({ firstId, debit, credit, account, asset, partnerId }: Movement): void {
    const key = keyOf({ account, asset, partnerId })
    const before = this.#ahead.get(key)?.balance ?? 0n
    this.#ahead.set(key, { account, asset, partnerId, balance: before + credit - debit })
    this.#aheadFrom = least(this.#aheadFrom, firstId)
  }

  // What transfers of later days moved.
  ahead(): Balance[] {
    return [...this.#ahead.values()]
  }

  close(opening: readonly Balance[], throughId: bigint): Closing {
    const byDay = Map.groupBy(this.#lines.values(), ({ day }) => day)
    const running = new Map(opening.map((one) => [keyOf(one), one.balance]))
    const days = listDays(this.#first, this.#last)
    const balances: DayBalance[] = []
    for (const day of days) balances.push(...balanceDay(day, byDay.get(day) ?? [], running))
    // From the last day back: what a day leaves open is what later ones cover.
    let readsFrom = this.#aheadFrom ?? throughId + 1n
    const closed = days.toReversed().map((day) => {
      const lines = byDay.get(day) ?? []
      const one = { day, readsFrom, movements: countOf(lines), corrections: countOf(lines.filter(isLate)) }
      readsFrom = least(this.#firstIds.get(day), readsFrom)
      return one
    })
    return { days: closed.toReversed(), lines: [...this.#lines.values()], balances }
  }
}

const least = (one: bigint | undefined, other: bigint) => (one === undefined || other < one ? other : one)
const isLate = ({ day, belongsTo }: Line) => belongsTo < day

// Each transfer has one debit.
const countOf = (lines: readonly Line[]) => lines.reduce((sum, { debitCount }) => sum + debitCount, 0n)

function balanceDay(day: string, lines: readonly Line[], running: Map<string, bigint>): DayBalance[] {
  return [...Map.groupBy(lines, keyOf)].map(([key, moved]) => {
    const { account, asset, partnerId } = moved[0]!
    const opening = running.get(key) ?? 0n
    const debit = moved.reduce((sum, line) => sum + line.debit, 0n)
    const credit = moved.reduce((sum, line) => sum + line.credit, 0n)
    const closing = opening + credit - debit
    running.set(key, closing)
    return { day, account, asset, partnerId, opening, debit, credit, closing }
  })
}

// Cards' accounts are the house's: only their receivables are a partner's own.
function accountOf(group: AccountGroup): AccountGroup {
  return group.account === 'partner_receivable' ? group : { ...group, partnerId: 0 }
}

export function sumBalances(
  parts: readonly (readonly Balance[])[],
  groupOf: (group: AccountGroup) => AccountGroup = (group) => group,
): Balance[] {
  const sums = new Map<string, Balance>()
  for (const part of parts)
    for (const { balance, ...one } of part) {
      const group = groupOf(one)
      const key = keyOf(group)
      const before = sums.get(key)?.balance ?? 0n
      sums.set(key, {
        account: group.account,
        asset: group.asset,
        partnerId: group.partnerId,
        balance: before + balance,
      })
    }
  return [...sums.values()]
}

// The accounts' own balances against the transfers, group by group.
export function compareBalances(
  byTransfers: readonly Balance[],
  byAccounts: readonly Balance[],
): BalanceDifference[] {
  const transfers = new Map(sumBalances([byTransfers], accountOf).map((one) => [keyOf(one), one]))
  const accounts = new Map(sumBalances([byAccounts], accountOf).map((one) => [keyOf(one), one]))
  return [...new Set([...transfers.keys(), ...accounts.keys()])]
    .map((key) => {
      const { account, asset, partnerId } = (transfers.get(key) ?? accounts.get(key))!
      const sums = {
        byTransfers: transfers.get(key)?.balance ?? 0n,
        byAccounts: accounts.get(key)?.balance ?? 0n,
      }
      return { account, asset, partnerId, ...sums }
    })
    .filter((one) => one.byTransfers !== one.byAccounts)
}

// The same ids, each once.
export function joinRanges(ranges: readonly IdRange[]): IdRange[] {
  const joined: IdRange[] = []
  for (const range of ranges.toSorted((a, b) => (a.after < b.after ? -1 : 1))) {
    const before = joined.at(-1)
    if (before && (before.through === null || before.through >= range.after)) {
      const isLonger = range.through === null || (before.through !== null && range.through > before.through)
      if (isLonger) before.through = range.through
    } else joined.push({ ...range })
  }
  return joined.filter(({ after, through }) => through === null || through > after)
}
