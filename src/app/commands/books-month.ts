import { type Command, table } from '#app/command.ts'
import { itemWords, monthWords } from '#app/commands/books-month-words.ts'
import { orRefuse } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { UsageError } from '#app/usage-error.ts'
import { wonToJson } from '#base/money.ts'
import { closeMonth } from '#flows/books/month/close-month.ts'
import { type MonthDeps, readMonthEnd } from '#flows/books/month/read-month.ts'
import { listClosedMonths } from '#modules/closed-months/store.ts'
import type { ClosedMonth, MonthData, MonthItem } from '#modules/closed-months/types.ts'

const LISTED = 120 // ten years

function readMonth(value: string): string {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) throw new UsageError('a month is written 2026-11')
  return value
}

function depsOf({ database, keys }: Runtime): MonthDeps {
  return { database, signer: keys.vault() }
}

function monthJson({ month, throughId, data, closedAt, closedBy, hash }: ClosedMonth) {
  const { days, statements, warnings } = JSON.parse(data) as MonthData
  return {
    month,
    throughId: wonToJson(throughId),
    days: days.length,
    statements: statements.map(({ number }) => number),
    warnings,
    closedAt: closedAt.toString(),
    closedBy,
    hash: hash.toString('hex'),
  }
}

const itemJson = ({ won, ...item }: MonthItem) => ({ ...item, won: won === null ? null : wonToJson(won) })

export const booksMonth: Command = {
  usage: 'books month [MONTH]\nWithout MONTH: the next one to be closed. Exits 1 if something blocks it.',
  summary: 'list what is still open before a month can be closed, in order',
  positionals: ['month?'],
  options: {},
  async run({ runtime, args }) {
    const asked = args.month === undefined ? undefined : readMonth(args.month)
    const end = await readMonthEnd(depsOf(runtime), asked)
    const { month, place, next, items, closed } = end
    const rows = items.map((item) => [item.state, item.kind, itemWords(item)])
    const json = {
      month,
      place,
      next,
      closed: closed ? monthJson(closed) : null,
      items: items.map(itemJson),
    }
    const head = closed
      ? `${month} was closed ${closed.closedAt} by ${closed.closedBy}`
      : `${month}: ${place === 'next' ? 'to be closed next' : `not now (${place}), next is ${next}`}`
    const isBlocked = !closed && items.some(({ state }) => state === 'blocks')
    return { json, text: `${head}\n${table(['state', 'item', ''], rows)}`, failed: isBlocked }
  },
}

export const booksCloseMonth: Command = {
  usage:
    'books close-month MONTH\nFor good, in order, and only if nothing blocks it: see `books month`. What only warns is kept with it.',
  summary: 'close a month',
  positionals: ['month'],
  options: {},
  async run({ runtime, args, actor }) {
    const command = { month: readMonth(args.month!), actor }
    const { kind, closed } = orRefuse(await closeMonth(depsOf(runtime), command), monthWords)
    const json = monthJson(closed)
    const said = kind === 'closed' ? 'is closed' : `was closed ${closed.closedAt}: nothing was done`
    return { json, text: `${closed.month} ${said}, up to transfer ${closed.throughId}, hash ${json.hash}` }
  },
}

export const booksMonths: Command = {
  usage: 'books months',
  summary: 'list the closed months, newest first',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const months = (await listClosedMonths(runtime.database, LISTED)).map(monthJson)
    const rows = months.map((one) => [
      one.month,
      `${one.days}`,
      `${one.statements.length}`,
      `${one.throughId}`,
      one.closedAt,
      one.closedBy,
      one.hash.slice(0, 16),
    ])
    const header = ['month', 'days', 'statements', 'up to transfer', 'closed at', 'by', 'hash']
    return { json: months, text: rows.length > 0 ? table(header, rows) : 'no month is closed yet' }
  },
}
