import { Link } from '@tanstack/react-router'
import type { BankRow } from '../../../contract/console.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { StatementLinks } from '../shared/object/statement-links.tsx'
import { Badge, type BadgeLook, Nothing, Won } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    caption: '입금과 제안',
    empty: '입금이 없습니다.',
    choose: '선택',
    chooseRow: (line: number) => `${line}행 선택`,
    line: '행',
    date: '날짜',
    payer: '입금자',
    won: '금액',
    match: '제안',
    sure: { certain: '확실', likely: '입금자만 맞음', amount: '금액만 맞음', none: '모름' },
    known: { booked: '기록됨', waiting: '승인 대기' },
    partner: '제휴사',
    statements: '정산서',
    byHand: '제휴사에서 직접 등록',
  },
  en: {
    caption: 'Deposits and suggestions',
    empty: 'There is no deposit.',
    choose: 'Select',
    chooseRow: (line: number) => `Select line ${line}`,
    line: 'Line',
    date: 'Date',
    payer: 'Payer',
    won: 'Amount',
    match: 'Suggestion',
    sure: { certain: 'certain', likely: 'payer only', amount: 'amount only', none: 'unknown' },
    known: { booked: 'booked', waiting: 'waits' },
    partner: 'Partner',
    statements: 'Statements',
    byHand: 'record it at the partner',
  },
}

const LOOKS: Record<BankRow['sure'], BadgeLook> = {
  certain: 'good',
  likely: 'warn',
  amount: 'warn',
  none: 'plain',
}

// One for which a payment can be asked: its partner is known, and it is not there yet.
export const isOpen = ({ partner, known }: BankRow) => partner !== null && known === null

interface Props {
  rows: readonly BankRow[]
  selected: ReadonlySet<number>
  onSelect(lines: ReadonlySet<number>): void
}

export function RowTable({ rows, selected, onSelect }: Props) {
  const texts = useTexts(TEXTS)
  const choose = (line: number, isChosen: boolean) =>
    onSelect(new Set(isChosen ? [...selected, line] : [...selected].filter((one) => one !== line)))
  return (
    <DataTable
      caption={texts.caption}
      rows={rows}
      keyOf={({ line }) => String(line)}
      empty={texts.empty}
      columns={[
        {
          key: 'choose',
          title: texts.choose,
          // No box where nothing can be asked for.
          cell: (row) =>
            isOpen(row) && (
              <input
                type="checkbox"
                aria-label={texts.chooseRow(row.line)}
                className="size-6 accent-action"
                checked={selected.has(row.line)}
                onChange={(event) => choose(row.line, event.target.checked)}
              />
            ),
        },
        { key: 'line', title: texts.line, figure: true, cell: ({ line }) => line },
        {
          key: 'date',
          title: texts.date,
          cell: ({ date }) => <span className="whitespace-nowrap">{date}</span>,
        },
        { key: 'payer', title: texts.payer, cell: ({ payer }) => payer || <Nothing /> },
        { key: 'won', title: texts.won, figure: true, cell: ({ won }) => <Won amount={won} /> },
        {
          key: 'match',
          title: texts.match,
          cell: ({ sure, known }) =>
            known ? (
              <Badge look="good">{texts.known[known]}</Badge>
            ) : (
              <Badge look={LOOKS[sure]}>{texts.sure[sure]}</Badge>
            ),
        },
        {
          key: 'partner',
          title: texts.partner,
          cell: (row) => <Partner row={row} />,
        },
        {
          key: 'statements',
          title: texts.statements,
          cell: ({ statements }) => <StatementLinks numbers={statements} />,
        },
      ]}
    />
  )
}

function Partner({ row: { partner, known } }: { row: BankRow }) {
  const texts = useTexts(TEXTS)
  if (partner) return <ObjectLink kind="partner" id={partner} />
  // What is booked already needs nobody to do it by hand.
  if (known) return <Nothing />
  return (
    <Link to="/partners" className="text-link underline decoration-line underline-offset-2">
      {texts.byHand}
    </Link>
  )
}
