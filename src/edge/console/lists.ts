import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { ROWS_PER_MARK } from '#base/text/xlsx.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { LISTS, listFor } from '#flows/lists/all-lists.ts'
import { columnsFor, type ExportList, FORMATS } from '#flows/lists/export-list.ts'
import { type Filter, isPersonal, LIST_NAMES, type ListName, type Names } from '#flows/lists/list-types.ts'
import type { BadFilter } from '#flows/lists/read-filters.ts'
import type { Lists } from '#flows/lists/read-lists.ts'
import { isAllowed, type Permission } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const READS: Record<ListName, Permission> = {
  cards: 'cards.read',
  members: 'members.read',
  users: 'users.read',
  deliveries: 'deliveries.read',
  orders: 'orders.read',
  withdrawals: 'withdrawals.read',
  audit: 'audit.read',
  notices: 'members.read',
}

// A partner's staff see their own rows of the lists that have a partner.
export function maySee(staff: Staff, list: ListName): boolean {
  const isOwn = staff.partnerId === null || LISTS[list].ofPartner !== undefined
  return isOwn && isAllowed(staff.role, READS[list])
}

const tenantOf = (list: ListName) => (LISTS[list].ofPartner ? 'own' : 'operator')

export const ListNameJson = choice('ListName', LIST_NAMES)
const NamesJson = object('Names', { ko: Type.String(), en: Type.String() })
const moment = Type.String({ format: 'date-time' })
const nullable = (text: string) => Type.Union([Type.String({ description: text }), Type.Null()])

const ChoiceJson = object('ListChoice', { value: Type.String(), names: NamesJson })

const ListJson = object('ListDefinition', {
  list: ListNameJson,
  names: NamesJson,
  filters: Type.Array(
    object('ListFilter', {
      name: Type.String(),
      kind: choice('FilterKind', ['choice', 'won', 'days', 'partner', 'phone', 'name', 'id', 'text']),
      names: NamesJson,
      choices: Type.Array(ChoiceJson),
    }),
  ),
  sorts: Type.Array(Type.String(), { description: 'The first is the default, newest first.' }),
  columns: Type.Array(
    object('ListColumn', {
      name: Type.String(),
      kind: choice('ColumnKind', ['id', 'text', 'choice', 'won', 'count', 'grams', 'moment', 'day']),
      names: NamesJson,
      sort: nullable('The sort that this column heads.'),
      sortNeeds: nullable('A filter that the sort needs, such as `status=issued`.'),
      choices: Type.Array(ChoiceJson),
    }),
    { description: 'In the order of the cells of a row.' },
  ),
  sum: Type.Union([NamesJson, Type.Null()]),
  mayExport: Type.Boolean(),
})

const ListsAnswer = object('Lists', { lists: Type.Array(ListJson), partners: Type.Array(Type.String()) })

const PageAnswer = object('ListPage', {
  rows: Type.Array(
    object('ListRow', {
      id: Type.String(),
      path: Type.String({ description: 'Of its page, under /console.' }),
      cells: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    }),
  ),
  next: nullable('The cursor of the next page.'),
  previous: nullable('The cursor of the page before.'),
  lookedTo: nullable(
    'The page is short because its time was over: so far was looked. `next` goes on from there.',
  ),
  sort: Type.String({ description: 'As it was applied; `-` is newest first.' }),
  at: moment,
})

const FigureAnswer = object('ListFigure', {
  count: Type.Integer({ minimum: 0 }),
  whole: Type.Boolean({ description: 'False: there are more, or may be. Ask for the exact figure.' }),
  sum: Type.Union([Type.Integer({ description: 'Won.' }), Type.Null()]),
  at: moment,
})

const EXPORT_FILE = {
  description:
    'The file. Its last line says that it is complete, and how many rows it has. While it comes, its marks tell how far it is: ' +
    'line ends in CSV, the bytes 00 00 FF FF in XLSX, each for as many rows as the header `ingot-rows-per-mark` says.',
  content: {
    'text/csv': { schema: Type.String() },
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: Type.String() },
  },
}

const SHAPES: Record<Filter['kind'], string> = {
  choice: 'One or more, with commas.',
  won: 'Won: `50000`, `10000..50000`, `10000..`.',
  days: 'Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.',
  dates: 'Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.',
  partner: 'The code of a partner.',
  phone: 'A whole phone number.',
  name: 'A whole name.',
  id: 'An id.',
  text: 'The whole text.',
}

function filterParameters(list: ListName) {
  const entries = Object.entries(LISTS[list].filters).map(([name, { kind, choices }]) => {
    const of = choices ? ` Of ${Object.keys(choices).join(', ')}.` : ''
    return [name, Type.Optional(Type.String({ maxLength: 400, description: SHAPES[kind] + of }))] as const
  })
  return Object.fromEntries(entries) as Record<string, ReturnType<typeof optionalText>>
}

const optionalText = (description: string) => Type.Optional(Type.String({ maxLength: 400, description }))

interface ListDeps {
  lists: Lists
  exportList: ExportList
  listPartnerCodes(partnerId: number | null): Promise<string[]>
}

export function registerLists(scope: Server, deps: ListDeps, access: ConsoleAccess): void {
  registerDefinitions(scope, deps, access)
  for (const list of LIST_NAMES) {
    registerList(scope, deps, access, list)
    registerExport(scope, deps, access, list)
  }
}

function registerDefinitions(scope: Server, deps: ListDeps, access: ConsoleAccess): void {
  const schema = {
    operationId: 'lists',
    summary: 'The lists, their filters, sorts and columns',
    tags: ['Lists'],
    response: { 200: ListsAnswer, ...refusals(...STAFF_ONLY) },
  }
  scope.get('/lists', { ...access.may('search.use', 'own'), schema }, async (request) => {
    const staff = staffOf(request)
    return {
      lists: LIST_NAMES.filter((list) => maySee(staff, list)).map((list) => definitionJson(staff, list)),
      partners: await deps.listPartnerCodes(staff.partnerId),
    }
  })
}

const choicesJson = (choices: Readonly<Record<string, Names>> = {}) =>
  Object.entries(choices).map(([value, names]) => ({ value, names }))

function definitionJson(staff: Staff, list: ListName) {
  const { names, filters, sorts, sum } = listFor(list, staff)
  return {
    list,
    names,
    filters: Object.entries(filters).map(([name, { kind, names, choices }]) => ({
      name,
      kind: kind === 'dates' ? 'days' : kind,
      names,
      choices: choicesJson(choices),
    })),
    sorts: Object.keys(sorts),
    columns: shownColumns(staff, list).map(({ name, kind, names, sort, choices }) => ({
      name,
      kind,
      names,
      sort: sort ?? null,
      sortNeeds: (sort !== undefined && sorts[sort]?.needs?.filter.join('=')) || null,
      choices: choicesJson(choices),
    })),
    sum: sum?.names ?? null,
    mayExport: isAllowed(staff.role, 'lists.export'),
  }
}

const shownColumns = (staff: Staff, list: ListName) => columnsFor(list, staff).filter(({ inFile }) => !inFile)

const titleOf = (list: ListName) => `${list[0]!.toUpperCase()}${list.slice(1)}`

const peopleIn = (list: ListName, asked: Readonly<Record<string, string | undefined>>) =>
  Object.entries(LISTS[list].filters).map(([name, filter]) => (isPersonal(filter) ? asked[name] : undefined))

function registerList(scope: Server, deps: ListDeps, access: ConsoleAccess, list: ListName): void {
  const guard = () => access.may(READS[list], tenantOf(list))
  const filters = filterParameters(list)
  const page = {
    operationId: `list${titleOf(list)}`,
    summary: `A page of ${list}`,
    tags: ['Lists'],
    querystring: Type.Object({
      ...filters,
      sort: optionalText(`Of ${Object.keys(LISTS[list].sorts).join(', ')}; with \`-\` newest first.`),
      cursor: optionalText('`next` or `previous` of a page with the same filters and sort.'),
    }),
    response: { 200: PageAnswer, ...refusals(...STAFF_ONLY) },
  }
  scope.get(`/lists/${list}`, { ...guard(), schema: page }, async (request) => {
    const staff = staffOf(request)
    await access.countPeople(staff, peopleIn(list, request.query))
    const { rows, sort, ...rest } = await named(request, deps.lists.readPage(list, request.query, staff))
    const columns = shownColumns(staff, list)
    const cells = (row: (typeof rows)[number]) => columns.map(({ name }) => row.cells[name] ?? null)
    return {
      ...rest,
      sort,
      at: rest.at.toString(),
      rows: rows.map((row) => ({ id: row.id, path: row.path, cells: cells(row) })),
    }
  })
  const figure = {
    operationId: `figureOf${titleOf(list)}`,
    summary: `How many ${list} there are`,
    description: 'Exact up to 10,000; with `exact` beyond that, as far as 20 seconds go.',
    tags: ['Lists'],
    querystring: Type.Object({ ...filters, exact: Type.Optional(Type.Enum(['yes'], { type: 'string' })) }),
    response: { 200: FigureAnswer, ...refusals(...STAFF_ONLY) },
  }
  scope.get(`/lists/${list}/figure`, { ...guard(), schema: figure }, async (request) => {
    const { exact, ...asked } = request.query
    await access.countPeople(staffOf(request), peopleIn(list, asked))
    const read = exact ? deps.lists.readExactFigure : deps.lists.readFigure
    const answer = await named(request, read(list, asked, staffOf(request)))
    if (answer === 'too_long') throw badField(request, 'exact', 'takes too long to count: narrow the filter')
    const { count, isWhole, sum, at } = answer
    return { count, whole: isWhole, sum: sum === null ? null : wonToJson(sum), at: at.toString() }
  })
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

function registerExport(scope: Server, deps: ListDeps, access: ConsoleAccess, list: ListName): void {
  const schema = {
    operationId: `export${titleOf(list)}`,
    summary: `All ${list} of a filter as a file`,
    tags: ['Lists'],
    querystring: Type.Object({
      ...filterParameters(list),
      sort: optionalText('As of the list.'),
      format: Type.Enum(FORMATS as unknown as ['csv', 'xlsx'], { type: 'string' }),
      lang: Type.Optional(Type.Enum(['ko', 'en'], { type: 'string', description: 'Of names and states.' })),
    }),
    response: { 200: EXPORT_FILE, ...refusals(...STAFF_ONLY) },
  }
  const guard = access.may('lists.export', tenantOf(list))
  scope.get(`/lists/${list}/export`, { ...guard, schema }, async (request, reply) => {
    const staff = staffOf(request)
    if (!maySee(staff, list)) throw new ApiError('forbidden').because('role_missing')
    const { format, lang, ...asked } = request.query
    await access.countPeople(staff, peopleIn(list, asked))
    const command = { list, asked, viewer: staff, format, language: lang ?? 'ko' } as const
    const file = await named(request, deps.exportList(command))
    if (file === 'busy') throw new ApiError('too_many_requests', [], 10)
    const name = `ingot-${list}-${seoulDate(Temporal.Now.instant())}.${format}`
    return reply
      .type(TYPES[format])
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('ingot-rows-per-mark', format === 'csv' ? 1 : ROWS_PER_MARK)
      .send(Readable.from(file, { objectMode: false }) as never)
  })
}

// A wrong filter is named.
async function named<Result>(
  request: FastifyRequest,
  outcome: Promise<Result>,
): Promise<Exclude<Result, BadFilter>> {
  const result = await outcome
  if (isBadFilter(result)) throw badField(request, result.field, result.should, result.isUnknown)
  return result as Exclude<Result, BadFilter>
}

const isBadFilter = (result: unknown): result is BadFilter =>
  typeof result === 'object' && (result as BadFilter).kind === 'refused'
