import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import { REPORT_FORMATS } from '#flows/reports/render-report.ts'
import { OF_A_PERSON, type OpenReport, REPORT_NAMES } from '#flows/reports/report.ts'
import { SAFEGUARD_METHODS } from '#modules/prepaid/types.ts'
import { moment, reason, won } from './object-parts.ts'

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-01'] })
const text = Type.String()
const Words = object('ReportWords', { ko: text, en: text })
const ReportNameJson = choice('ReportName', REPORT_NAMES)
const cell = Type.Union([Type.String(), Type.Number(), Type.Null()])

// The report of a person takes a reason and a proof, so it has routes of its own.
export const openReport = Type.Object({
  report: Type.Enum(
    REPORT_NAMES.filter((name): name is OpenReport => name !== OF_A_PERSON),
    { type: 'string' },
  ),
})

export const ReportsAnswer = object('Reports', {
  reports: Type.Array(
    object('ReportLine', {
      name: ReportNameJson,
      names: Words,
      ofAPerson: Type.Boolean({ description: 'It takes a member, a reason and fresh proof.' }),
    }),
  ),
})

const Meter = object('Meter', {
  name: choice('MeterName', ['balance_average', 'balance_now', 'issued_last_year', 'issued_this_year']),
  names: Words,
  statutory: Type.Boolean({ description: 'Over the window of the law. The others are for information.' }),
  from: day,
  to: day,
  won: Type.Union([won, Type.Null()], { description: 'Null: there is nothing to measure yet.' }),
  limit: won,
  reached: Type.Boolean(),
})

export const ReportAnswer = object('Report', {
  name: ReportNameJson,
  names: Words,
  from: day,
  to: Type.String({ ...day, description: 'Included.' }),
  at: moment,
  closed: Type.Union([object('ReportClosed', { day, throughId: text, hash: text }), Type.Null()], {
    description: 'The closed day that it stands for; null if it is not made of closed days.',
  }),
  meters: Type.Array(Meter),
  figures: Type.Array(
    object('ReportFigure', {
      name: text,
      kind: choice('FigureKind', ['won', 'count', 'text']),
      names: Words,
      value: cell,
    }),
  ),
  columns: Type.Array(
    object('ReportColumn', {
      name: text,
      kind: choice('ReportCellKind', ['day', 'moment', 'won', 'count', 'number', 'choice', 'id', 'text']),
      names: Words,
      choices: Type.Array(object('ReportChoice', { value: text, names: Words })),
    }),
  ),
  rows: Type.Array(object('ReportRow', { cells: Type.Array(cell) }), {
    description: 'The last 500; the file has all.',
  }),
  rowCount: Type.Integer({ minimum: 0 }),
  complete: Type.Boolean({ description: 'False: there are more rows than a file can hold.' }),
  notes: Type.Array(Words),
  sources: Type.Array(
    object('ReportSource', {
      sql: Type.String({ description: 'As it was sent to PostgreSQL.' }),
      values: Type.Array(text),
    }),
  ),
})

const days = {
  from: Type.Optional(day),
  to: Type.Optional(Type.String({ ...day, description: 'Included.' })),
}
const file = {
  format: Type.Enum([...REPORT_FORMATS], { type: 'string' }),
  language: Type.Enum(['ko', 'en'], { type: 'string' }),
}
export const REPORT_QUERY = Type.Object(days)
export const FILE_QUERY = Type.Object({ ...days, ...file })

const person = {
  member: Type.String({ description: 'Member id, account id or login id.', minLength: 1, maxLength: 36 }),
  ...days,
  reason,
}
export const PersonBody = object('PersonReport', person)
export const PersonFileBody = object('PersonReportFile', { ...person, ...file })

export const REPORT_FILE = {
  description: 'The file. Its last line says that it is complete, and how many rows it has.',
  content: {
    'text/csv': { schema: Type.String() },
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: Type.String() },
  },
}

export const FundBody = object('SafeguardedFund', {
  institution: Type.String({ minLength: 1, maxLength: 100 }),
  method: choice('SafeguardMethod', SAFEGUARD_METHODS),
  asOf: Type.String({ ...day, description: 'The day at whose end it was held.' }),
  won: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  reference: Type.String({ minLength: 1, maxLength: 100 }),
  reason,
})
