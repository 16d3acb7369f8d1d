import { parseDate, seoulMidnight } from '#base/time/seoul-time.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import type { Filter, FilterValues, GivenFilters, List, Sort } from '#flows/lists/list-types.ts'

// A list as it was asked for: filters and sort as text, as they are in the address of its page.
export type Asked = Readonly<Record<string, string>>

export interface Place {
  // In the order of the list, or against it.
  forward: boolean
  key: readonly string[]
}

export interface ReadList {
  kind: 'read'
  list: List
  filters: GivenFilters
  sort: Sort
  sortName: string
  descending: boolean
  place: Place | undefined
}

// The first thing that is wrong: which part of the question, and what it should be.
export type BadFilter = Refusal<'bad_filter', { field: string; should: string; isUnknown: boolean }>

const bad = (field: string, should: string, isUnknown = false): BadFilter =>
  refused('bad_filter', { field, should, isUnknown })

// Reads what was asked; nothing is left out in silence, because a list with a filter less would look right.
export function readList(
  list: List,
  asked: Asked,
  findPartner: (code: string) => number | undefined,
): ReadList | BadFilter {
  const { sort: sortText, cursor, ...rest } = asked
  const filters = new Map<string, { filter: Filter; value: FilterValues[Filter['kind']] }>()
  for (const [name, text] of Object.entries(rest)) {
    const filter = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined
    if (!filter) return bad(name, `must be one of ${Object.keys(list.filters).join(', ')}`, true)
    const value = readValue(filter, text.trim(), findPartner)
    if (typeof value === 'object' && 'should' in value) return bad(name, value.should)
    filters.set(name, { filter, value })
  }
  const sorted = readSort(list, filters, sortText)
  if ('kind' in sorted) return sorted
  const place = cursor === undefined ? undefined : readPlace(sorted.sort, cursor)
  return place && 'kind' in place ? place : { kind: 'read', list, filters, ...sorted, place }
}

type Sorted = Pick<ReadList, 'sort' | 'sortName' | 'descending'>

function readSort(list: List, filters: GivenFilters, text: string | undefined): Sorted | BadFilter {
  const own = list.sortFor?.(filters)
  const sortName = (text ?? own)?.replace(/^-/, '') ?? Object.keys(list.sorts)[0]!
  const sort = Object.hasOwn(list.sorts, sortName) ? list.sorts[sortName] : undefined
  if (!sort) {
    const sorts = Object.keys(list.sorts).flatMap((name) => [name, `-${name}`])
    return bad('sort', `must be one of ${sorts.join(', ')}`)
  }
  if (sort.needs && !sort.needs.isGiven(filters))
    return bad('sort', `${sortName} needs the filter ${sort.needs.filter.join('=')}`)
  return {
    sort,
    sortName,
    descending: text === undefined ? !own || own.startsWith('-') : text.startsWith('-'),
  }
}

type Value = FilterValues[Filter['kind']] | { should: string }

const READERS: {
  [Kind in Filter['kind']]: (
    text: string,
    filter: Filter,
    findPartner: (code: string) => number | undefined,
  ) => FilterValues[Kind] | { should: string }
} = {
  choice(text, { choices = {} }) {
    const names = text.split(',').map((name) => name.trim())
    const isKnown = names.every((name) => Object.hasOwn(choices, name))
    return isKnown ? [...new Set(names)] : { should: `must be of ${Object.keys(choices).join(', ')}` }
  },
  won: readWon,
  days(text) {
    const range = readDates(text)
    if ('should' in range) return range
    const { from, to } = range
    return {
      from: from && seoulMidnight(from),
      before: to && seoulMidnight(to.add({ days: 1 })),
    }
  },
  dates(text) {
    const range = readDates(text)
    return 'should' in range ? range : { from: range.from?.toString(), to: range.to?.toString() }
  },
  partner: (text, _, findPartner) => findPartner(text) ?? { should: 'must be the code of a partner' },
  phone: (text) => (/^\+?[\d ()-]{8,24}$/.test(text) ? text : { should: 'must be a phone number' }),
  name: (text) => (text.length >= 2 && text.length <= 100 ? text : { should: 'must be a whole name' }),
  id: (text) => (/^[\w-]{1,64}$/.test(text) ? text.toLowerCase() : { should: 'must be an id' }),
  text: (text) =>
    text.length >= 1 && text.length <= 200 && !text.includes('\0')
      ? text
      : { should: 'must have 1 to 200 characters' },
}

function readValue(filter: Filter, text: string, findPartner: (code: string) => number | undefined): Value {
  return READERS[filter.kind](text, filter, findPartner)
}

const WON = /^(\d{1,15})?(\.\.)?(\d{1,15})?$/

function readWon(text: string): FilterValues['won'] | { should: string } {
  const [, first, dots, second] = WON.exec(text.replaceAll(',', '')) ?? []
  const should = { should: 'must be won such as 50000, 10000..50000 or 10000..' }
  if ((first ?? second) === undefined || (second !== undefined && dots === undefined)) return should
  const from = first === undefined ? undefined : BigInt(first)
  const to = dots === undefined ? from : second === undefined ? undefined : BigInt(second)
  return from !== undefined && to !== undefined && from > to ? should : { from, to }
}

interface Dates {
  from: Temporal.PlainDate | undefined
  to: Temporal.PlainDate | undefined
}

// 2026-11-01 is one day, 2026-11-01..2026-11-30 a month, 2026-11-01.. everything since.
function readDates(text: string): Dates | { should: string } {
  const should = { should: 'must be days such as 2026-11-01, 2026-11-01..2026-11-30 or 2026-11-01..' }
  const [first = '', second, more] = text.split('..')
  if (more !== undefined) return should
  const from = first === '' ? undefined : parseDate(first)
  const to = second === undefined ? from : second === '' ? undefined : parseDate(second)
  const isBad = (part: string | undefined, date: unknown) => Boolean(part) && date === undefined
  if (isBad(first, from) || isBad(second, to) || (!from && !to)) return should
  return from && to && Temporal.PlainDate.compare(from, to) > 0 ? should : { from, to }
}

const KEY_SHAPES = {
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  bigint: /^\d{1,18}$/,
} as const

// A cursor names the row that a page ended with. It opens nothing: who may see which rows is decided anew for each page.
function readPlace(sort: Sort, cursor: string): Place | BadFilter {
  const [where, ...key] = cursor.split('~')
  const isGood =
    (where === 'after' || where === 'before') &&
    key.length === sort.key.length &&
    sort.key.every(([, type], i) => KEY_SHAPES[type].test(key[i]!) && isMoment(type, key[i]!))
  if (!isGood) return bad('cursor', 'must be one that a page of this sort answered with')
  return { forward: where === 'after', key }
}

function isMoment(type: string, text: string): boolean {
  if (type === 'date') return parseDate(text) !== undefined
  return type !== 'timestamptz' || !Number.isNaN(Date.parse(text))
}

export function cursorOf(where: 'after' | 'before', key: readonly unknown[]): string {
  return [where, ...key.map(String)].join('~')
}
