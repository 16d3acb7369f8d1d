import { CompiledQuery } from 'kysely'
import type { Db } from '#base/db/db.ts'
import type { Refusal } from '#flows/kit/outcome.ts'
import type { NoMember } from '#flows/members/named-member.ts'
import type { Days, DaysRefusal, Meter } from '#modules/prepaid/types.ts'

// A question of the regulator, answered: figures, rows, the days it covers, the moment it stands for, and the queries that were run.

export interface Names {
  ko: string
  en: string
}

export const REPORT_NAMES = [
  'outstanding',
  'safeguarding',
  'safeguarded-funds',
  'refunds',
  'expiry-notices',
  'ci-use',
  'transactions',
] as const
export type ReportName = (typeof REPORT_NAMES)[number]

// Of one person: it takes a member and a reason, and leaves an audit entry.
export const OF_A_PERSON = 'transactions' satisfies ReportName
export type OpenReport = Exclude<ReportName, typeof OF_A_PERSON>

// number: won or grams, as the unit beside it says.
type CellKind = 'day' | 'moment' | 'won' | 'count' | 'number' | 'choice' | 'id' | 'text'
export type Cell = string | number | null

export interface Column {
  name: string
  kind: CellKind
  names: Names
  choices?: Readonly<Record<string, Names>>
}

export interface Figure {
  name: string
  kind: 'won' | 'count' | 'text'
  names: Names
  value: Cell
}

// The text as it was sent to PostgreSQL, and its parameters in order.
export interface Source {
  sql: string
  values: string[]
}

export interface Report {
  kind: 'report'
  name: ReportName
  days: Days
  // When it was read, by the service's clock.
  at: Temporal.Instant
  // The closed day it stands for, with its hash; null if it is made of rows that stay open.
  closed: { day: string; throughId: bigint; hash: string } | null
  meters: Meter[]
  figures: Figure[]
  columns: readonly Column[]
  rows: Cell[][]
  // False: there are more rows than a file can hold.
  complete: boolean
  notes: readonly Names[]
  sources: Source[]
}

type DaysRefused = Refusal<DaysRefusal, { days: Days; today: string }>
export type ReportRefusal =
  | DaysRefused
  | Refusal<'nothing_closed'>
  | Refusal<'period_not_closed', { day: string; last: string }>
  | NoMember

// What each question adds to the answer.
export type Answer = Pick<Report, 'columns' | 'rows'> &
  Partial<Pick<Report, 'meters' | 'figures' | 'notes' | 'complete'>>

// Runs the queries of a report and keeps what it ran: the query that is shown cannot be another one.
export class Asking {
  readonly sources: Source[] = []
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async ask<Row>(
    sql: string,
    values: readonly (string | number | bigint | readonly string[])[],
  ): Promise<Row[]> {
    this.sources.push({
      sql,
      values: values.map((value) => (Array.isArray(value) ? `{${value}}` : String(value))),
    })
    const { rows } = await this.#db.executeQuery<Row>(CompiledQuery.raw(sql, [...values]))
    return rows
  }
}

// More than a person reads, and few enough to be held at once.
export const MAX_ROWS = 100_000

// First moments of the first day, and of the day after the last.
export const SINCE = `$1::date::timestamp at time zone 'Asia/Seoul'`
export const BEFORE = `($2::date + 1)::timestamp at time zone 'Asia/Seoul'`
