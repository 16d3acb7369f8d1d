import type { PartnerStatement, StatementRow } from '../../../contract/console.gen.ts'
import { type Texts, useTexts } from '../../kit/language.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { type BadgeLook, Won } from '../shared/values.tsx'

type Status = PartnerStatement['status']

export const STATUS_NAMES: Texts<Record<Status, string>> = {
  ko: { closed: '마감', sent: '보냄', paid: '납부 완료' },
  en: { closed: 'closed', sent: 'sent', paid: 'paid' },
}

export const LOOKS: Record<Status, BadgeLook> = { closed: 'warn', sent: 'plain', paid: 'good' }

// The day before the first day after a period.
export function lastDay(to: string): string {
  // In UTC on both sides, so that no time zone moves the day.
  return new Date(Date.parse(`${to}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

const TEXTS = {
  ko: { item: '항목', detail: '내용', won: '금액', cards: '건수', empty: '없음' },
  en: { item: 'Item', detail: 'Detail', won: 'Won', cards: 'Cards', empty: 'none' },
}

// The rows of a statement by section, in its own language: the document is Korean.
export function StatementRows({ rows }: { rows: readonly StatementRow[] }) {
  const texts = useTexts(TEXTS)
  // A set keeps the order of the document.
  const sections = [...new Set(rows.map(({ section }) => section))]
  return (
    <div lang="ko" className="flex flex-col gap-4">
      {sections.map((section) => (
        <div key={section}>
          <h3 className="pb-1 text-sm font-bold">{section}</h3>
          <DataTable
            caption={section}
            rows={rows.filter((row) => row.section === section)}
            keyOf={({ item, detail }) => `${item} ${detail}`}
            empty={texts.empty}
            columns={[
              { key: 'item', title: texts.item, cell: ({ item }) => item },
              {
                key: 'detail',
                title: texts.detail,
                cell: ({ detail }) => <span className="break-all">{detail}</span>,
              },
              {
                key: 'won',
                title: texts.won,
                figure: true,
                cell: ({ won }) => (won === null ? '' : <Won amount={won} />),
              },
              { key: 'cards', title: texts.cards, figure: true, cell: ({ cards }) => cards ?? '' },
            ]}
          />
        </div>
      ))}
    </div>
  )
}
