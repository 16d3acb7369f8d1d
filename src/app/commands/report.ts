import { writeFile } from 'node:fs/promises'
import { type Command, type CommandContext, readReason, table, text } from '#app/command.ts'
import { readDay } from '#app/commands/books.ts'
import { reportWords } from '#app/commands/report-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { exportPersonReport, exportReport, type ReportFile } from '#flows/reports/export-report.ts'
import { readPersonReport, readReport } from '#flows/reports/read-report.ts'
import { fileCell, oneLine, REPORT_FORMATS, type ReportFormat } from '#flows/reports/render-report.ts'
import { OF_A_PERSON, type OpenReport, REPORT_NAMES, type Report } from '#flows/reports/report.ts'
import { METER_NAMES, REPORT_TITLES } from '#flows/reports/report-words.ts'

const SHOWN_ROWS = 100 // the file has all

const OPTIONS = { from: { type: 'string' }, to: { type: 'string' }, out: { type: 'string' } } as const

export const reportList: Command = {
  usage: 'report list',
  summary: 'list the reports for the regulator',
  positionals: [],
  options: {},
  async run() {
    const reports = REPORT_NAMES.map((name) => ({ name, title: REPORT_TITLES[name].en }))
    return {
      json: reports,
      text: table(
        ['name', 'what'],
        reports.map(({ name, title }) => [name, title]),
      ),
    }
  },
}

export const reportShow: Command = {
  usage:
    'report show NAME [--from DAY] [--to DAY] [--out FILE.csv|FILE.xlsx]\n' +
    'Both days are included. Without days: the month up to the last day that is over or closed. The file has all rows.',
  summary: 'answer a question of the regulator, with the queries behind it',
  positionals: ['name'],
  options: OPTIONS,
  async run(context) {
    const { runtime, args, actor } = context
    const name = REPORT_NAMES.find((one) => one === args.name)
    if (!name) throw new UsageError(`there is no report ${args.name}: there are ${REPORT_NAMES.join(', ')}`)
    if (name === OF_A_PERSON)
      throw new UsageError('of one person: `ingot report transactions MEMBER --reason TEXT`')
    const { days, out } = readOptions(context)
    const deps = { database: runtime.database, queue: createWorkQueue({ maxInFlight: 1 }) }
    const open: OpenReport = name
    if (out)
      return written(
        orRefuse(await exportReport(deps, { name: open, ...days, ...out.wanted, actor }), reportWords),
        out,
      )
    return shown(orRefuse(await readReport(deps, open, days), reportWords))
  },
}

export const reportTransactions: Command = {
  usage:
    'report transactions MEMBER [--from DAY] [--to DAY] [--out FILE.csv|FILE.xlsx] --reason TEXT\n' +
    'MEMBER is a login id, or the id of the member or the account. It goes into the audit log.',
  summary: 'list what one person did over a period, for the regulator',
  positionals: ['member'],
  options: { ...OPTIONS, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, actor } = context
    const { days, out } = readOptions(context)
    const deps = { database: runtime.database, queue: createWorkQueue({ maxInFlight: 1 }) }
    const command = { member: args.member!, reason: readReason(context), actor, ...days }
    if (out)
      return written(
        orRefuse(await exportPersonReport(deps, { ...command, ...out.wanted }), reportWords),
        out,
      )
    return shown(orRefuse(await readPersonReport(deps, command), reportWords))
  },
}

interface Out {
  path: string
  wanted: { format: ReportFormat; language: 'ko' }
}

function readOptions({ options }: CommandContext) {
  const [from, to, path] = [text(options, 'from'), text(options, 'to'), text(options, 'out')]
  const days = {
    from: from === undefined ? undefined : readDay(from),
    to: to === undefined ? undefined : readDay(to),
  }
  if (path === undefined) return { days, out: undefined }
  const format = REPORT_FORMATS.find((one) => path.endsWith(`.${one}`))
  if (!format) throw new UsageError('--out takes a file that ends in .csv or .xlsx')
  return { days, out: { path, wanted: { format, language: 'ko' } } satisfies Out }
}

// A file that is there already is never written over, and nobody else on the machine reads this one.
async function written({ content }: ReportFile, { path }: Out) {
  await writeFile(path, content, { flag: 'wx', mode: 0o600 })
  return { json: { file: path }, text: `written to ${path}` }
}

function shown(report: Report) {
  const { name, days, at, closed, meters, figures, columns, rows, complete, notes, sources } = report
  const json = {
    name,
    ...days,
    at: at.toString(),
    closed: closed && { ...closed, throughId: wonToJson(closed.throughId) },
    meters: meters.map(({ won, limit, days: of, ...meter }) => ({
      ...meter,
      ...of,
      won: won === null ? null : wonToJson(won),
      limit: wonToJson(limit),
    })),
    figures: Object.fromEntries(figures.map(({ name: figure, value }) => [figure, value])),
    rows: rows.map((row) => Object.fromEntries(columns.map((column, i) => [column.name, row[i] ?? null]))),
    complete,
    notes: notes.map(({ en }) => en),
    sources,
  }
  const few = rows
    .slice(-SHOWN_ROWS)
    .map((row) =>
      row.map((cell, i) => cellText(String(fileCell(columns[i]!, cell, 'en')), columns[i]!.kind, cell)),
    )
  const header = columns.map(({ names }) => names.en)
  const lines = [
    `${REPORT_TITLES[name].en}, ${days.from} to ${days.to}, read ${at}${closed ? `, closed up to transfer ${closed.throughId}` : ''}`,
    ...meters.map(meterText),
    ...figures.map(({ names, kind, value }) => `${names.en}: ${cellText(String(value), kind, value)}`),
    '',
    few.length > 0 ? table(header, few) : 'no rows',
    ...(rows.length > few.length
      ? [`the last ${few.length} of ${rows.length} rows: --out FILE.csv has all`]
      : []),
    ...(complete ? [] : ['there are more rows than a file holds: choose a shorter period']),
    '',
    ...notes.map(({ en }) => en),
    ...sources.map(({ sql, values }) => `query: ${oneLine(sql)}\nvalues: ${values.join(', ')}`),
  ]
  return { json, text: lines.join('\n') }
}

function cellText(given: string, kind: string, cell: string | number | null): string {
  return kind === 'won' && typeof cell === 'number' ? formatWon(BigInt(cell)) : given
}

function meterText({ name, statutory, days, won, limit }: Report['meters'][number]): string {
  const part =
    won === null ? 'none yet' : `${formatWon(won)} of ${formatWon(limit)} (${(won * 100n) / limit}%)`
  return `${METER_NAMES[name].en}${statutory ? '' : ', for information'}, ${days.from} to ${days.to}: ${part}`
}
