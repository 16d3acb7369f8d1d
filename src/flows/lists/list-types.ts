import type { RawBuilder } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'

export interface Names {
  ko: string
  en: string
}

export const LIST_NAMES = [
  'cards',
  'members',
  'users',
  'deliveries',
  'orders',
  'withdrawals',
  'audit',
  'notices',
] as const
export type ListName = (typeof LIST_NAMES)[number]

// What was typed for a filter, read by its kind (read-filters.ts).
export interface FilterValues {
  choice: readonly string[]
  won: { from: bigint | undefined; to: bigint | undefined }
  // Of Seoul days, both included: from the first moment to before the last.
  days: { from: Temporal.Instant | undefined; before: Temporal.Instant | undefined }
  dates: { from: string | undefined; to: string | undefined }
  partner: number
  phone: string
  name: string
  id: string
  text: string
}
type FilterKind = keyof FilterValues

export interface Condition {
  // Of the table, which is `t`.
  sql: RawBuilder<unknown>
  // How it is decided. `range`: it says where in the sort's index the rows are. `index`: by each entry of that index on the way.
  // `row`: by each row on the way; a page looks at fewer of them at a time. `few`: by an index of its own that finds few rows,
  // which are then sorted.
  by: 'range' | 'index' | 'row' | 'few'
}

// Without `by`: the sort says whether its index decides it.
export type Wanted = Omit<Condition, 'by'> & Partial<Pick<Condition, 'by'>>

export interface Asking {
  db: Db
  vault: Vault
}

interface FilterOf<Kind extends FilterKind> {
  kind: Kind
  names: Names
  choices?: Readonly<Record<string, Names>>
  condition(value: FilterValues[Kind], asking: Asking): Wanted | Promise<Wanted>
}
export type Filter = { [Kind in FilterKind]: FilterOf<Kind> }[FilterKind]

export type GivenFilters = ReadonlyMap<string, { filter: Filter; value: FilterValues[FilterKind] }>

// Whether a choice was made, and no other.
export const isOnly = (filters: GivenFilters, name: string, choice: string) => {
  const given = filters.get(name)?.value as readonly string[] | undefined
  return given?.length === 1 && given[0] === choice
}

type KeyType = 'timestamptz' | 'date' | 'uuid' | 'bigint'

// Rows are in the order of a key that never changes, and an index has them in that order. So a page goes on where the last
// one ended, whatever was written since.
export interface Sort {
  // Column and type; the last is unique.
  key: readonly (readonly [column: string, type: KeyType])[]
  // The filters that say where in the sort's index the rows are.
  range: readonly string[]
  // The filters whose columns are in the sort's index, after the key.
  decides: readonly string[]
  // The same order inside one value of a column, by another index that begins with it. The first that is given counts.
  within?: readonly { filter: string; column: string }[]
  // Only rows that fulfil the condition are in the sort's index: it is for filters that ask for no others.
  needs?: {
    isGiven(filters: GivenFilters): boolean
    // A filter and its value, which the page sets with the sort.
    filter: readonly [name: string, value: string]
    condition: RawBuilder<unknown>
  }
}

type CellKind = 'id' | 'text' | 'choice' | 'won' | 'count' | 'grams' | 'moment' | 'day'
export type Cell = string | number | null

export interface Column {
  name: string
  kind: CellKind
  names: Names
  // Its sort, if it has one.
  sort?: string
  choices?: Readonly<Record<string, Names>>
  // In exports only.
  inFile?: true
  // Not for a partner's staff.
  forOperator?: true
}

export interface ListRow {
  id: string
  // Where its page is, under /console.
  path: string
  cells: Record<string, Cell>
}

// What the rows of all lists need.
export interface Showing extends Asking {
  partners: ReadonlyMap<number, { code: string; name: string }>
}

export interface List {
  name: ListName
  names: Names
  table: string
  // Rows of one partner. Without it, the list is for the operator's own staff.
  ofPartner?(partnerId: number, asking: Asking): Wanted | Promise<Wanted>
  filters: Readonly<Record<string, Filter>>
  // The first is the default.
  sorts: Readonly<Record<string, Sort>>
  // If a filter has its own order.
  sortFor?(filters: GivenFilters): string | undefined
  columns: readonly Column[]
  // Won of a row, to be added up.
  sum?: { column: string; names: Names }
  // What `show` reads of each row.
  fields: RawBuilder<unknown>
  // Masked, always.
  // biome-ignore lint/suspicious/noExplicitAny: each list knows the row of its own fields
  show(showing: Showing, rows: readonly any[]): Promise<ListRow[]> | ListRow[]
}

// A filter that names people: searched by a keyed hash, under the lock of the keys, and recorded.
export const isPersonal = ({ kind }: Filter) => kind === 'phone' || kind === 'name'
