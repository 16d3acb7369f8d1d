import { Buffer } from 'node:buffer'
import { BOM, csvLine, csvText } from '#base/text/csv.ts'
import { type XlsxCell, xlsxFile } from '#base/text/xlsx.ts'
import type { Cell, Column, Names, Report } from '#flows/reports/report.ts'
import { METER_NAMES, REPORT_TITLES } from '#flows/reports/report-words.ts'

export const REPORT_FORMATS = ['csv', 'xlsx'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
type Language = keyof Names

const WORDS: Record<
  Language,
  Record<'report' | 'days' | 'at' | 'closed' | 'note' | 'query' | 'values' | 'limit' | 'none', string>
> & {
  ko: { cut: (rows: number) => string; end: (rows: number) => string }
  en: { cut: (rows: number) => string; end: (rows: number) => string }
} = {
  ko: {
    report: '보고서',
    days: '기간',
    at: '조회 시각',
    closed: '마감',
    note: '참고',
    query: '조회한 질의',
    values: '질의의 값',
    limit: '기준',
    none: '아직 없음',
    cut: (rows) => `행이 더 있습니다. 여기까지 ${rows}행: 기간을 줄여 주세요`,
    end: (rows) => `파일 끝: 전체 ${rows}행`,
  },
  en: {
    report: 'Report',
    days: 'Days',
    at: 'Read at',
    closed: 'Closed day',
    note: 'Note',
    query: 'Query',
    values: 'Values of the query',
    limit: 'threshold',
    none: 'none yet',
    cut: (rows) => `There are more rows than these ${rows}: choose a shorter period`,
    end: (rows) => `End of file: all ${rows} rows`,
  },
}

// The rows first, as a table that machines can read. After them what they stand for: days, moment, figures, and the queries.
export async function reportFile(report: Report, format: ReportFormat, language: Language): Promise<Buffer> {
  const header = report.columns.map(({ names }) => names[language])
  const rows = report.rows.map((row) => row.map((cell, i) => fileCell(report.columns[i]!, cell, language)))
  const words = WORDS[language]
  const last = [report.complete ? words.end(rows.length) : words.cut(rows.length)]
  const all: XlsxCell[][] = [...rows, ...about(report, language)]
  if (format === 'csv') {
    const lines = all.map((row) =>
      csvLine(row.map((cell) => (typeof cell === 'number' ? String(cell) : csvText(cell)))),
    )
    return Buffer.from(BOM + csvLine(header) + lines.join('') + csvLine(last))
  }
  async function* each(): AsyncGenerator<readonly XlsxCell[]> {
    yield* all
  }
  const chunks: Buffer[] = []
  for await (const chunk of xlsxFile({ header, rows: each(), last: () => last })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function about(report: Report, language: Language): XlsxCell[][] {
  const words = WORDS[language]
  const { days, closed, at } = report
  return [
    [words.report, REPORT_TITLES[report.name][language]],
    [words.days, `${days.from} ~ ${days.to}`],
    [words.at, seoulText(at)],
    ...(closed ? [[words.closed, `${closed.day}, ${closed.throughId}, ${closed.hash}`]] : []),
    ...report.meters.map(({ name, days: of, won, limit }) => [
      METER_NAMES[name][language],
      won === null ? words.none : Number(won),
      `${of.from} ~ ${of.to}`,
      `${words.limit} ${limit}`,
    ]),
    ...report.figures.map(({ names, value }) => [names[language], value ?? '']),
    ...report.notes.map((note) => [words.note, note[language]]),
    ...report.sources.flatMap(({ sql, values }) => [
      [words.query, oneLine(sql)],
      [words.values, values.join(', ')],
    ]),
  ]
}

// A cell is one line: line ends of a query mean no more than blanks.
export const oneLine = (sql: string) => sql.trim().replace(/\s+/g, ' ')

export function fileCell({ kind, choices }: Column, cell: Cell, language: Language): XlsxCell {
  if (cell === null) return ''
  if (typeof cell === 'number') return cell
  if (kind === 'choice') return choices?.[cell]?.[language] ?? cell
  return kind === 'moment' ? seoulText(Temporal.Instant.from(cell)) : cell
}

// Seoul time without an offset: spreadsheets take an offset for text and cannot sort by it.
function seoulText(at: Temporal.Instant): string {
  const local = at.toZonedDateTimeISO('Asia/Seoul').toPlainDateTime()
  return local.toString({ smallestUnit: 'second' }).replace('T', ' ')
}
