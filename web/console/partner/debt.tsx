import type { PartnerPage } from '../../../contract/console.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { Section, Sections } from '../shared/page.tsx'
import { Facts, Moment, Won } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

// What the partner owes, and where it came from.
export function Debt({ partner }: { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  const { owed, creditLimit } = partner
  return (
    <>
      <Section
        title={texts.money}
        aside={
          <>
            {texts.asOf} <Moment at={partner.now} />
          </>
        }
      >
        <Facts
          facts={[
            { name: owed < 0 ? texts.prepaid : texts.owes, value: <Won amount={Math.abs(owed)} /> },
            { name: texts.limit, value: <Won amount={creditLimit} /> },
            { name: texts.left, value: <Won amount={creditLimit - owed} /> },
          ]}
        />
      </Section>
      <UsageAndPayments partner={partner} />
      {partner.waiting.length > 0 && <Waiting partner={partner} />}
    </>
  )
}

function UsageAndPayments({ partner }: { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  return (
    <Sections>
      <Section title={texts.months}>
        <DataTable
          caption={texts.months}
          rows={partner.months}
          keyOf={({ month }) => month}
          empty={texts.noMonths}
          columns={[
            { key: 'month', title: texts.month, cell: ({ month }) => month },
            {
              key: 'issued',
              title: texts.issued,
              figure: true,
              cell: (row) => <Won amount={row.issued} />,
            },
            { key: 'used', title: texts.used, figure: true, cell: (row) => <Won amount={row.used} /> },
          ]}
        />
      </Section>
      <Section title={texts.payments}>
        <DataTable
          caption={texts.payments}
          rows={partner.payments}
          keyOf={({ id }) => id}
          empty={texts.noPayments}
          columns={[
            { key: 'at', title: texts.at, cell: ({ at }) => <Moment at={at} /> },
            { key: 'reference', title: texts.reference, cell: ({ reference }) => reference },
            {
              key: 'amount',
              title: texts.amount,
              figure: true,
              cell: (row) => <Won amount={row.amount} />,
            },
            { key: 'by', title: texts.by, cell: ({ by }) => by ?? '–' },
            {
              key: 'reversed',
              title: texts.reversed,
              cell: ({ reversedAt }) => <Moment at={reversedAt} />,
            },
          ]}
        />
      </Section>
    </Sections>
  )
}

function Waiting({ partner }: { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  return (
    <Section title={texts.waiting}>
      <DataTable
        caption={texts.waiting}
        rows={partner.waiting}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { key: 'at', title: texts.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { key: 'kind', title: texts.kind, cell: ({ kind }) => kind },
          { key: 'maker', title: texts.maker, cell: ({ maker }) => maker },
        ]}
      />
    </Section>
  )
}
