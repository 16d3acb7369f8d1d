import type { Report, ReportColumn } from '../../../contract/console.gen.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { withCommas } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { Cell } from '../shared/list/cell.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Section } from '../shared/page.tsx'
import { Badge, Facts, Moment, Won } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

// An answer of any report: meters, summary, rows, and the queries behind them.
export function ReportAnswer({ report }: { report: Report }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { meters, figures, notes, complete, rows, rowCount } = report
  return (
    <>
      {meters.length > 0 && <Meters meters={meters} />}
      {figures.length > 0 && (
        <Section title={texts.figures}>
          <Facts
            facts={figures.map(({ names, kind, value }) => ({
              name: names[language],
              value: <FigureValue {...{ kind, value }} />,
            }))}
          />
        </Section>
      )}
      {/* There are more rows than a file can hold. */}
      {!complete && <Note>{texts.cut}</Note>}
      <Section
        title={texts.rows}
        aside={
          rowCount > rows.length ? texts.someRows(withCommas(rows.length), withCommas(rowCount)) : undefined
        }
      >
        <Rows report={report} />
        {notes.map((note) => (
          <p key={note.en} className="pt-2 text-sm text-sub">
            {note[language]}
          </p>
        ))}
      </Section>
      <Sources sources={report.sources} />
    </>
  )
}

// The day it stands for, and when it was read.
export function StandsFor({ report }: { report: Report }) {
  const texts = useTexts(TEXTS)
  return (
    <>
      {report.from} – {report.to}
      {report.closed && ` · ${texts.closed(report.closed.day)}`} · {texts.at} <Moment at={report.at} />
    </>
  )
}

function FigureValue({ kind, value }: { kind: string; value: string | number | null }) {
  if (typeof value !== 'number') return <span className="break-all">{value}</span>
  return kind === 'won' ? <Won amount={value} /> : withCommas(value)
}

function Meters({ meters }: Pick<Report, 'meters'>) {
  const texts = useTexts(TEXTS)
  return (
    <Section title={texts.meters}>
      <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {meters.map((meter) => (
          <MeterLine key={meter.name} meter={meter} />
        ))}
      </ul>
    </Section>
  )
}

function MeterLine({ meter }: { meter: Report['meters'][number] }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { names, statutory, from, to, won, limit, reached } = meter
  // Rounded down: 100% must not show before the limit is reached.
  const percent = won === null ? 0 : Math.floor((won / limit) * 1_000) / 10
  return (
    <li className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{names[language]}</span>
        <Badge look={reached ? 'bad' : 'plain'}>
          {reached ? texts.reached : statutory ? texts.statutory : texts.forInformation}
        </Badge>
      </div>
      <div className="text-[0.9375rem]">
        {won === null ? (
          <span className="text-sub">{texts.noneYet}</span>
        ) : (
          <>
            <Won amount={won} /> <span className="text-sub">({percent}%)</span>
          </>
        )}
      </div>
      {/* The figure above says the same in words. */}
      <div aria-hidden="true" className="my-1 h-2 overflow-hidden rounded-full bg-quiet">
        <div
          className={`h-full rounded-full ${reached ? 'bg-up' : 'bg-action'}`}
          style={{ width: `${Math.min(100, percent)}%` }}
        />
      </div>
      <div className="flex flex-wrap justify-between gap-x-3 text-sm text-sub">
        <span>{from === to ? from : `${from} – ${to}`}</span>
        <span>
          <Limit won={limit} />
        </span>
      </div>
    </li>
  )
}

function Limit({ won }: { won: number }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const text = language === 'ko' ? `${withCommas(won / 100_000_000)}억원` : `₩${won / 1_000_000_000}bn`
  return <>{texts.of(text)}</>
}

type Row = Report['rows'][number]['cells']
const FIGURES = new Set(['won', 'count', 'number'])

function Rows({ report: { columns, rows, names } }: { report: Report }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // Newest first, as every list of the console.
  const numbered = rows.map(({ cells }, i) => ({ row: cells, i })).toReversed()
  return (
    <DataTable
      caption={names[language]}
      rows={numbered}
      // The number from before the reversal, so that a row keeps its key.
      keyOf={({ i }) => String(i)}
      empty={texts.empty}
      columns={columns.map((column, at) => ({
        key: column.name,
        title: column.names[language],
        figure: FIGURES.has(column.kind),
        cell: ({ row }: { row: Row; i: number }) => <ReportCell column={column} value={row[at] ?? null} />,
      }))}
    />
  )
}

function ReportCell({ column, value }: { column: ReportColumn; value: Row[number] }) {
  // Ids of acts have no page of their own.
  if (column.kind === 'id' && column.name !== 'act' && typeof value === 'string' && value.includes('-'))
    return <ObjectLink kind="card" id={value} />
  // A quantity may be grams.
  if (column.kind === 'number' && typeof value === 'number')
    return <>{Number.isInteger(value) ? withCommas(value) : value}</>
  const kind = column.kind === 'number' ? 'text' : column.kind
  // Lists and reports share the cells. A report has no sorts.
  return <Cell column={{ ...column, kind, sort: null, sortNeeds: null }} value={value} />
}

// The regulator can repeat an answer with the very queries that made it (decisions/0084).
function Sources({ sources }: Pick<Report, 'sources'>) {
  const texts = useTexts(TEXTS)
  return (
    <section className="rounded-2xl bg-surface px-4 py-1 sm:px-5">
      <Disclosure summary={texts.sources}>
        {sources.map(({ sql, values }) => (
          <div key={sql} className="pb-3">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre tabIndex={0} className="overflow-x-auto font-code text-[0.8125rem]">
              {sql.trim()}
            </pre>
            <p className="font-code text-[0.8125rem] break-all text-sub">
              {texts.values}: {values.join(', ')}
            </p>
          </div>
        ))}
      </Disclosure>
    </section>
  )
}
