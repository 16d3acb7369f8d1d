import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { isUuid } from '#base/ids.ts'
import type { Filter, FilterValues, Names, Sort } from '#flows/lists/list-types.ts'

// Filters as most lists have them. The column is of the list's table, `t`.

// In the order of a moment, and of the id where moments are the same.
export const byTime = (
  column: string,
  range: string,
  decides: Sort['decides'] = [],
  id: 'uuid' | 'bigint' = 'uuid',
): Sort => ({
  key: [
    [column, 'timestamptz'],
    ['id', id],
  ],
  range: [range],
  decides,
})

type Choices = Readonly<Record<string, Names>>
type Conditions = RawBuilder<unknown>[]

const both = (conditions: Conditions) => ({ sql: sql.join(conditions, sql` and `) })

export function choiceOf(column: string, names: Names, choices: Choices): Filter {
  const ref = sql.ref(`t.${column}`)
  // One value is compared inside an index. Of several, PostgreSQL visits the row, to keep the order.
  const condition = (values: FilterValues['choice']) => ({
    sql: values.length === 1 ? sql`${ref} = ${values[0]}::text` : sql`${ref} = any(${values}::text[])`,
  })
  return { kind: 'choice', names, choices, condition }
}

export function wonOf(column: string, names: Names): Filter {
  const ref = sql.ref(`t.${column}`)
  return {
    kind: 'won',
    names,
    condition: ({ from, to }) =>
      both([
        ...(from === undefined ? [] : [sql`${ref} >= ${from}::bigint`]),
        ...(to === undefined ? [] : [sql`${ref} <= ${to}::bigint`]),
      ]),
  }
}

export function withinDays(column: string, { from, before }: FilterValues['days']) {
  const ref = sql.ref(`t.${column}`)
  return both([
    ...(from === undefined ? [] : [sql`${ref} >= ${from.toString()}::timestamptz`]),
    ...(before === undefined ? [] : [sql`${ref} < ${before.toString()}::timestamptz`]),
  ])
}

// Of a moment.
export function daysOf(column: string, names: Names): Filter {
  return { kind: 'days', names, condition: (value) => withinDays(column, value) }
}

// Of a date.
export function datesOf(column: string, names: Names): Filter {
  const ref = sql.ref(`t.${column}`)
  return {
    kind: 'dates',
    names,
    condition: ({ from, to }) =>
      both([
        ...(from === undefined ? [] : [sql`${ref} >= ${from}::date`]),
        ...(to === undefined ? [] : [sql`${ref} <= ${to}::date`]),
      ]),
  }
}

export function textOf(column: string, names: Names): Filter {
  return { kind: 'text', names, condition: (value) => isOne(column, value, 'text') }
}

// The member's own, and what links hold that the member has not decided on.
export function ofMember(column: string): Filter {
  return {
    kind: 'id',
    names: { ko: '회원', en: 'Member' },
    condition: (id) => ({
      by: 'few',
      sql: isUuid(id)
        ? sql`${sql.ref(`t.${column}`)} = any(array(
            select ${id}::uuid union all select u.id from partner_user u where u.member_id = ${id}::uuid))`
        : sql`false`,
    }),
  }
}

const FEW = 2_000 // rows that are found and sorted in some milliseconds

// Whether so few rows are found that they can be sorted, instead of looked for along the sort.
export async function areFew(db: Db, found: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select ${found} limit ${FEW + 1}) f`.execute(db)
  return rows[0]!.count <= FEW
}

export const PARTNER: Names = { ko: '제휴사', en: 'Partner' }

export const partnerOf = (column: string): Filter => ({
  kind: 'partner',
  names: PARTNER,
  condition: (id) => ofPartner(column, id),
})

export const ofPartner = (column: string, id: number) => isOne(column, id, 'int')

// As an array, for the order inside one value (walk.ts): to the planner, a column that equals a value has no order of its own.
const isOne = (column: string, value: string | number, type: 'int' | 'text') => ({
  sql: sql`${sql.ref(`t.${column}`)} = any(array[${value}]::${sql.raw(type)}[])`,
})

const YES_NO: Choices = { yes: { ko: '예', en: 'Yes' }, no: { ko: '아니요', en: 'No' } }

const yes = (values: readonly string[]) => values.includes('yes')

// `yes` or `no` of a condition; both are all rows.
export function yesNo(names: Names, isYes: RawBuilder<unknown>, by?: 'few'): Filter {
  return {
    kind: 'choice',
    names,
    choices: YES_NO,
    condition(values) {
      if (values.length > 1) return { sql: sql`true` }
      return yes(values) ? { sql: isYes, ...(by && { by }) } : { sql: sql`not (${isYes})` }
    },
  }
}
