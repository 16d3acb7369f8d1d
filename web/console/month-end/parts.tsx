import { Link } from '@tanstack/react-router'
import type { ClosedMonth, DayDifference, MonthEnd } from '../../../contract/console.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { StatementLinks } from '../shared/object/statement-links.tsx'
import { Section } from '../shared/page.tsx'
import { CopyId, Facts, Moment, Nothing } from '../shared/values.tsx'
import { ITEM_TEXTS } from './texts.ts'

const TEXTS = {
  ko: {
    month: '달',
    differences: '일마감이 되지 않은 이유',
    attempted: '마지막 시도',
    noDifferences: '저장된 차이가 없습니다.',
    row: '행',
    rows: { transfer: '원장 기록', card: '상품권', account: '계정' },
    day: '날짜',
    byTransfers: '원장에는',
    byRow: '행에는',
    closedMonth: '마감 기록',
    closedAt: '마감한 때',
    closedBy: '마감한 사람',
    days: '일마감',
    statements: '정산서',
    warnings: '확인이 필요했던 항목',
    through: '마지막 원장 번호',
    hash: '해시',
    months: '마감한 달',
    noMonths: '마감한 달이 없습니다.',
  },
  en: {
    month: 'Month',
    differences: 'Why days are not closed',
    attempted: 'Last tried',
    noDifferences: 'No difference is stored.',
    row: 'Row',
    rows: { transfer: 'transfer', card: 'card', account: 'account' },
    day: 'Day',
    byTransfers: 'Transfers say',
    byRow: 'The row says',
    closedMonth: 'Closed',
    closedAt: 'Closed at',
    closedBy: 'By',
    days: 'Closed days',
    statements: 'Statements',
    warnings: 'Was to be looked at',
    through: 'Last transfer',
    hash: 'Hash',
    months: 'Closed months',
    noMonths: 'No month is closed yet.',
  },
}

export function ClosedFacts({ closed }: { closed: ClosedMonth }) {
  const texts = useTexts(TEXTS)
  const words = useTexts(ITEM_TEXTS)
  const { statements, warnings } = closed
  return (
    <Section title={texts.closedMonth}>
      <Facts
        facts={[
          { name: texts.closedAt, value: <Moment at={closed.closedAt} /> },
          { name: texts.closedBy, value: closed.closedBy },
          { name: texts.days, value: closed.days },
          { name: texts.through, value: closed.throughId },
          {
            name: texts.statements,
            value: <StatementLinks numbers={statements} />,
          },
          {
            name: texts.warnings,
            value:
              warnings.length === 0 ? (
                <Nothing />
              ) : (
                warnings.map(({ kind, count }) => `${words[kind].name} ${count}`).join(', ')
              ),
          },
          { name: texts.hash, value: <CopyId id={closed.hash} label={texts.hash} /> },
        ]}
      />
    </Section>
  )
}

// Each attempt to close a day stores what differed, so the page reads no transfers to say why.
export function Differences({ end, rows }: { end: MonthEnd; rows: readonly DayDifference[] }) {
  const texts = useTexts(TEXTS)
  return (
    <Section
      title={texts.differences}
      aside={
        <>
          {texts.attempted} <Moment at={end.attemptedAt} />
        </>
      }
    >
      <DataTable
        caption={texts.differences}
        rows={rows}
        keyOf={({ row, id }) => `${row} ${id}`}
        empty={texts.noDifferences}
        columns={[
          { key: 'row', title: texts.row, cell: ({ row }) => texts.rows[row] },
          {
            key: 'id',
            title: 'id',
            // Only cards have a page of their own.
            cell: ({ row, id }) =>
              row === 'card' ? <ObjectLink kind="card" id={id} /> : <code className="font-code">{id}</code>,
          },
          { key: 'day', title: texts.day, cell: ({ day }) => day ?? <Nothing /> },
          { key: 'transfers', title: texts.byTransfers, cell: ({ byTransfers }) => byTransfers },
          { key: 'says', title: texts.byRow, cell: ({ byRow }) => byRow },
        ]}
      />
    </Section>
  )
}

export function MonthsTable({ months }: { months: readonly ClosedMonth[] }) {
  const texts = useTexts(TEXTS)
  return (
    <DataTable
      caption={texts.months}
      rows={months}
      keyOf={({ month }) => month}
      empty={texts.noMonths}
      columns={[
        {
          key: 'month',
          title: texts.month,
          cell: ({ month }) => (
            <Link
              to="/month-end"
              search={{ month }}
              className="text-link underline decoration-line underline-offset-2"
            >
              {month}
            </Link>
          ),
        },
        { key: 'at', title: texts.closedAt, cell: ({ closedAt }) => <Moment at={closedAt} /> },
        { key: 'by', title: texts.closedBy, cell: ({ closedBy }) => closedBy },
        { key: 'days', title: texts.days, figure: true, cell: ({ days }) => days },
        { key: 'statements', title: texts.statements, figure: true, cell: (one) => one.statements.length },
        {
          key: 'hash',
          title: texts.hash,
          // Enough to compare by eye. The page of the month has the whole hash.
          cell: ({ hash }) => <code className="font-code text-[0.875em]">{hash.slice(0, 16)}</code>,
        },
      ]}
    />
  )
}
