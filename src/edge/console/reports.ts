import type { FastifyReply } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { parseDate } from '#base/time/seoul-time.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { ReportFile } from '#flows/reports/export-report.ts'
import type { DaysAsked, PersonCommand } from '#flows/reports/read-report.ts'
import type { FundCommand, FundOutcome } from '#flows/reports/record-funds.ts'
import type { ReportFormat } from '#flows/reports/render-report.ts'
import {
  type Column,
  OF_A_PERSON,
  type OpenReport,
  REPORT_NAMES,
  type Report,
  type ReportRefusal,
} from '#flows/reports/report.ts'
import { METER_NAMES, REPORT_TITLES } from '#flows/reports/report-words.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { actRefusals, WaitingAnswer } from './object-parts.ts'
import { STAFF_ONLY } from './refusal-lists.ts'
import {
  FILE_QUERY,
  FundBody,
  openReport,
  PersonBody,
  PersonFileBody,
  REPORT_FILE,
  REPORT_QUERY,
  ReportAnswer,
  ReportsAnswer,
} from './report-schemas.ts'

const tags = ['Reports']
const SCHEMAS = {
  list: {
    operationId: 'reports',
    summary: 'The questions of the regulator',
    tags,
    response: { 200: ReportsAnswer, ...refusals(...STAFF_ONLY) },
  },
  show: {
    operationId: 'report',
    summary: 'A question of the regulator, answered, with the queries behind it',
    tags,
    params: openReport,
    querystring: REPORT_QUERY,
    response: { 200: ReportAnswer, ...refusals('conflict', ...STAFF_ONLY) },
  },
  file: {
    operationId: 'reportFile',
    summary: 'The answer as a file, with all rows',
    tags,
    params: openReport,
    querystring: FILE_QUERY,
    response: { 200: REPORT_FILE, ...refusals('conflict', ...STAFF_ONLY) },
  },
  person: {
    operationId: 'reportOfPerson',
    summary: 'What one person did over a period',
    description: 'An audit entry with its reason.',
    tags,
    body: PersonBody,
    response: { 200: ReportAnswer, ...actRefusals },
  },
  personFile: {
    operationId: 'reportFileOfPerson',
    summary: 'What one person did over a period, as a file',
    description: 'An audit entry with its reason.',
    tags,
    body: PersonFileBody,
    response: { 200: REPORT_FILE, ...actRefusals },
  },
  fund: {
    operationId: 'requestSafeguardedFund',
    summary: 'Ask to record what an institution holds behind cards and points',
    description: 'It counts when a second person has approved it.',
    tags,
    body: FundBody,
    response: { 200: WaitingAnswer, ...actRefusals },
  },
} as const

interface Wanted {
  format: ReportFormat
  language: 'ko' | 'en'
}

export interface ReportDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  readReport(name: OpenReport, days: DaysAsked): Promise<Report | ReportRefusal>
  exportReport(
    command: DaysAsked & Wanted & { name: OpenReport; actor: string },
  ): Promise<ReportFile | ReportRefusal>
  readPersonReport(command: PersonCommand): Promise<Report | ReportRefusal>
  exportPersonReport(command: PersonCommand & Wanted): Promise<ReportFile | ReportRefusal>
  requestFund(command: FundCommand): Promise<FundOutcome>
}

export function registerReports(scope: Server, deps: ReportDeps, access: ConsoleAccess): void {
  registerOpen(scope, deps, access)
  registerPerson(scope, deps, access)
  const proven = access.mayWithProof('safeguards.request', 'operator')
  scope.post('/safeguarded-funds', { ...proven, schema: SCHEMAS.fund, ...jsonBody }, async (request) => {
    const { won, asOf, ...body } = request.body
    const command = { ...body, asOf: dayOf('asOf', asOf)!, won: BigInt(won), ...personOf(deps, request) }
    const outcome = await deps.requestFund(command)
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    const isWaiting = outcome.kind === 'waiting'
    return { waiting: isWaiting, requestId: isWaiting ? outcome.request.id : null }
  })
}

function registerOpen(scope: Server, deps: ReportDeps, access: ConsoleAccess): void {
  const seen = () => access.may('reports.read', 'operator')
  scope.get('/reports', { ...seen(), schema: SCHEMAS.list }, async () => ({
    reports: REPORT_NAMES.map((name) => ({
      name,
      names: REPORT_TITLES[name],
      ofAPerson: name === OF_A_PERSON,
    })),
  }))

  scope.get('/reports/:report', { ...seen(), schema: SCHEMAS.show }, async (request) => {
    const report = await deps.readReport(request.params.report, daysOf(request.query))
    if (report.kind === 'refused') throw refusedBy(report)
    return reportJson(report)
  })

  scope.get('/reports/:report/file', { ...seen(), schema: SCHEMAS.file }, async (request, reply) => {
    const { format, language } = request.query
    const { actor } = staffOf(request)
    const name = request.params.report
    const file = await deps.exportReport({ name, ...daysOf(request.query), format, language, actor })
    if (file.kind === 'refused') throw refusedBy(file)
    return sendFile(reply, file, format)
  })
}

function registerPerson(scope: Server, deps: ReportDeps, access: ConsoleAccess): void {
  // What one person did tells a life, so reading it is an act with a reason (decisions/0084).
  const proven = () => access.mayWithProof('reports.person', 'operator')
  // POST, because each reading writes an audit entry.
  scope.post(
    '/reports/transactions',
    { ...proven(), schema: SCHEMAS.person, ...jsonBody },
    async (request, reply) => {
      const { member, reason, ...days } = request.body
      const { actor } = staffOf(request)
      const report = await deps.readPersonReport({ member, reason, actor, ...daysOf(days) })
      if (report.kind === 'refused') throw refusedBy(report)
      reply.header('cache-control', 'no-store')
      return reportJson(report)
    },
  )

  scope.post(
    '/reports/transactions/file',
    { ...proven(), schema: SCHEMAS.personFile, ...jsonBody },
    async (request, reply) => {
      const { member, reason, format, language, ...days } = request.body
      const { actor } = staffOf(request)
      const command = { member, reason, actor, format, language, ...daysOf(days) }
      const file = await deps.exportPersonReport(command)
      if (file.kind === 'refused') throw refusedBy(file)
      return sendFile(reply, file, format)
    },
  )
}

const TYPES: Record<ReportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function sendFile(reply: FastifyReply, { fileName, content }: ReportFile, format: ReportFormat) {
  return reply
    .type(TYPES[format])
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(content as never)
}

// A date that is none, such as 2026-02-30, is refused here.
function dayOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = parseDate(text)
  if (!day) throw new ApiError('invalid_request', [{ pointer: `#/${name}`, detail: 'must be a real date' }])
  return day.toString()
}

const daysOf = ({ from, to }: DaysAsked): DaysAsked => ({ from: dayOf('from', from), to: dayOf('to', to) })

const SHOWN = 500 // rows of a page; the file has all

function reportJson(report: Report) {
  const { name, days, at, closed, meters, figures, columns, rows, complete, notes, sources } = report
  return {
    name,
    names: REPORT_TITLES[name],
    ...days,
    at: instantText(at),
    closed: closed && { day: closed.day, throughId: closed.throughId.toString(), hash: closed.hash },
    meters: meters.map((meter) => ({
      name: meter.name,
      names: METER_NAMES[meter.name],
      statutory: meter.statutory,
      ...meter.days,
      won: meter.won === null ? null : wonToJson(meter.won),
      limit: wonToJson(meter.limit),
      reached: meter.won !== null && meter.won >= meter.limit,
    })),
    figures,
    columns: columns.map(columnJson),
    // The newest days stand last.
    rows: rows.slice(-SHOWN).map((cells) => ({ cells })),
    rowCount: rows.length,
    complete,
    notes: [...notes],
    // The queries as they were run, so that an auditor can repeat them (decisions/0084).
    sources,
  }
}

function columnJson({ name, kind, names, choices = {} }: Column) {
  return {
    name,
    kind,
    names,
    choices: Object.entries(choices).map(([value, said]) => ({ value, names: said })),
  }
}
