import { type Command, integer, table, text } from '#app/command.ts'
import { amountText, closeWords, rowsWords } from '#app/commands/books-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { parseDate } from '#base/time/seoul-time.ts'
import { closeAndNote } from '#flows/books/close/close-and-note.ts'
import type { Difference } from '#flows/books/close/find-differences.ts'
import { listDayRows } from '#flows/books/list-rows.ts'
import { type CardEquation, type DescribedDay, readClosedDay } from '#flows/books/read-day.ts'
import { listClosedDays } from '#modules/closed-days/store.ts'
import type { ClosedDay } from '#modules/closed-days/types.ts'

const SHOWN_DAYS = 31
const SHOWN_ROWS = 100
const SHOWN_MS = 2_000 // a day of a few thousand movements is closed before anyone wonders

export function readDay(value: string): string {
  const day = parseDate(value)
  if (!day) throw new UsageError('a day is written 2026-11-16')
  return day.toString()
}

export const booksClose: Command = {
  usage:
    'books close [--day DAY]\nWithout --day: all days that are over. Exits 1 if a day stays open, and lists the rows why.',
  summary: 'close the days that are over, in order; the worker does it every night',
  positionals: [],
  options: { day: { type: 'string' } },
  async run({ runtime, options, actor }) {
    const day = text(options, 'day')
    let shownAt = performance.now()
    const onProgress = (id: bigint) => {
      if (performance.now() - shownAt < SHOWN_MS) return
      shownAt = performance.now()
      process.stderr.write(`read up to transfer ${id}\n`)
    }
    const command = { actor, onProgress, ...(day === undefined ? {} : { day: readDay(day) }) }
    const { closed, open } = orRefuse(await closeAndNote(runtime.database, command), closeWords)
    return {
      json: { closed, open: open ?? null },
      text: closedText(closed, open),
      failed: open !== undefined,
    }
  },
}

function closedText(
  closed: readonly string[],
  open: { day: string; differences: Difference[] } | undefined,
): string {
  const done =
    closed.length === 0
      ? 'nothing was closed'
      : `closed ${closed.length === 1 ? closed[0] : `${closed.length} days, ${closed[0]} to ${closed.at(-1)}`}`
  if (!open) return closed.length === 0 ? 'every day that is over is closed already' : done
  const rows = open.differences.map(({ row, id, day, byTransfers, byRow }) => [
    row,
    id,
    day ?? '–',
    byTransfers,
    byRow,
  ])
  return `${done}\n${open.day} stays open: two sources differ\n${table(['row', 'id', 'day', 'transfers say', 'it says'], rows)}`
}

function dayJson({ throughId, readsFrom: _, movements, corrections, closedAt, hash, ...day }: ClosedDay) {
  return {
    ...day,
    closedAt: closedAt.toString(),
    throughId: wonToJson(throughId),
    movements: Number(movements),
    corrections: Number(corrections),
    hash: hash.toString('hex'),
  }
}

export const booksDays: Command = {
  usage: 'books days [--limit N]',
  summary: 'list the closed days, newest first',
  positionals: [],
  options: { limit: { type: 'string' } },
  async run({ runtime, options }) {
    const limit = Math.min(integer(options, 'limit') ?? SHOWN_DAYS, 10_000)
    const days = (await listClosedDays(runtime.database, { limit })).map(dayJson)
    const rows = days.map((one) => [
      one.day,
      `${one.movements}`,
      `${one.corrections}`,
      `${one.throughId}`,
      one.closedAt,
      one.closedBy,
      one.hash.slice(0, 16),
    ])
    const header = ['day', 'movements', 'corrections', 'up to transfer', 'closed at', 'by', 'hash']
    return { json: days, text: rows.length > 0 ? table(header, rows) : 'no day is closed yet' }
  },
}

const PARTS = ['opening', 'issued', 'used', 'voided', 'refunded', 'expired', 'other', 'closing'] as const

function equationJson({ partner, ...parts }: CardEquation) {
  return { partner, ...Object.fromEntries(PARTS.map((part) => [part, wonToJson(parts[part])])) }
}

function describedJson({ day, cards, accounts, lines }: DescribedDay) {
  return {
    ...dayJson(day),
    cards: cards.map(equationJson),
    accounts: accounts.map(({ opening, debit, credit, closing, ...group }) => ({
      ...group,
      opening: wonToJson(opening),
      debit: wonToJson(debit),
      credit: wonToJson(credit),
      closing: wonToJson(closing),
    })),
    lines: lines.map(({ debit, credit, debitCount, creditCount, ...line }) => ({
      ...line,
      debit: wonToJson(debit),
      credit: wonToJson(credit),
      debitCount: Number(debitCount),
      creditCount: Number(creditCount),
    })),
  }
}

function describedText({ day, cards, accounts, lines }: DescribedDay): string {
  const equation = cards.map(({ partner, ...parts }, i) => [
    i === 0 ? 'all' : (partner ?? '–'),
    ...PARTS.map((part) => formatWon(parts[part])),
  ])
  const balances = accounts.map((one) => [
    one.account,
    one.asset,
    one.partner ?? '',
    ...[one.opening, one.debit, one.credit, one.closing].map((amount) => amountText(one.asset, amount)),
  ])
  const late = lines.filter(({ belongsTo }) => belongsTo < day.day)
  const corrections = late.map((one) => [
    one.belongsTo,
    one.account,
    one.partner ?? '',
    one.kind,
    amountText(one.asset, one.debit),
    amountText(one.asset, one.credit),
  ])
  return [
    `${day.day}: ${day.movements} movements up to transfer ${day.throughId}, closed ${day.closedAt} by ${day.closedBy}`,
    `hash ${day.hash.toString('hex')}`,
    '',
    table(['cards of', ...PARTS], equation),
    '',
    table(['account', 'asset', 'partner', 'opening', 'debit', 'credit', 'closing'], balances),
    ...(late.length === 0
      ? []
      : ['', table(['corrects', 'account', 'partner', 'kind', 'debit', 'credit'], corrections)]),
  ].join('\n')
}

export const booksShow: Command = {
  usage: 'books show DAY',
  summary: 'show a closed day: cards by partner, every account, corrections of earlier days',
  positionals: ['day'],
  options: {},
  async run({ runtime, args }) {
    const described = orRefuse(await readClosedDay(runtime.database, readDay(args.day!)), rowsWords)
    return { json: describedJson(described), text: describedText(described) }
  },
}

export const booksRows: Command = {
  usage:
    'books rows DAY [--account KIND] [--asset ASSET] [--kind KIND] [--partner CODE] [--belongs-to DAY] [--after ID] [--limit N]\n' +
    'The transfers behind a total of `books show`, in pages.',
  summary: 'list the transfers that a closed day covers',
  positionals: ['day'],
  options: {
    account: { type: 'string' },
    asset: { type: 'string' },
    kind: { type: 'string' },
    partner: { type: 'string' },
    'belongs-to': { type: 'string' },
    after: { type: 'string' },
    limit: { type: 'string' },
  },
  async run({ runtime, args, options }) {
    const belongsTo = text(options, 'belongs-to')
    const after = integer(options, 'after')
    const filter = {
      account: text(options, 'account'),
      asset: text(options, 'asset'),
      kind: text(options, 'kind'),
      partner: text(options, 'partner'),
      belongsTo: belongsTo === undefined ? undefined : readDay(belongsTo),
      after: after === undefined ? undefined : BigInt(after),
    }
    const limit = Math.min(integer(options, 'limit') ?? SHOWN_ROWS, 10_000)
    const found = orRefuse(await listDayRows(runtime.database, readDay(args.day!), filter, limit), rowsWords)
    const rows = found.rows.map((row) => ({
      ...row,
      id: wonToJson(row.id),
      at: row.at.toString(),
      amount: wonToJson(row.amount),
      debitAccount: wonToJson(row.debitAccount),
      creditAccount: wonToJson(row.creditAccount),
    }))
    const lines = rows.map((row, i) => [
      `${row.id}`,
      row.at,
      row.kind,
      amountText(row.asset, found.rows[i]!.amount),
      `${row.debit} → ${row.credit}`,
      row.cardId ?? row.groupId,
    ])
    const next = found.next === null ? null : wonToJson(found.next)
    const more = next === null ? '' : `\nmore: --after ${next}`
    const shown = table(['transfer', 'at', 'kind', 'amount', 'accounts', 'card or act'], lines)
    return { json: { rows, next }, text: rows.length > 0 ? `${shown}${more}` : 'there are none' }
  },
}
