import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#base/ids.ts'
import type { Filter, FilterValues, Names } from '#flows/lists/list-types.ts'

// Filters as most lists have them. The column is of the list's table, `t`.

type Choices = Readonly<Record<string, Names>>
type Conditions = RawBuilder<unknown>[]

const both = (conditions: Conditions) => ({ sql: sql.join(conditions, sql` and `) })

export function choiceOf(column: string, names: Names, choices: Choices): Filter {
  const condition = (values: FilterValues['choice']) => ({
    sql: sql`${sql.ref(`t.${column}`)} = any(${values}::text[])`,
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

export function textOf(column: string, names: Names, by?: 'few'): Filter {
  const condition = (value: string) => ({ sql: sql`${sql.ref(`t.${column}`)} = ${value}`, ...(by && { by }) })
  return { kind: 'text', names, condition }
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

export const PARTNER: Names = { ko: '제휴사', en: 'Partner' }

export const partnerOf = (column: string): Filter => ({
  kind: 'partner',
  names: PARTNER,
  condition: (id) => ofPartner(column, id),
})

export const ofPartner = (column: string, id: number) => ({
  sql: sql`${sql.ref(`t.${column}`)} = ${id}::int`,
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
