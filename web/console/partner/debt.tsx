import { useState } from 'react'
import type { PartnerPage, PartnerPayment } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { KIND_NAMES } from '../approvals/texts.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Section, Sections } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { Facts, Moment, Won } from '../shared/values.tsx'
import { BookSheet, ReverseSheet } from './payment-sheets.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  partner: PartnerPage
  onChange(): void
}

// What the partner owes, and where it came from.
export function Debt({ partner, onChange }: Props) {
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
            // A partner that paid ahead owes less than zero.
            { name: owed < 0 ? texts.prepaid : texts.owes, value: <Won amount={Math.abs(owed)} /> },
            { name: texts.limit, value: <Won amount={creditLimit} /> },
            { name: texts.left, value: <Won amount={creditLimit - owed} /> },
          ]}
        />
      </Section>
      <Sections>
        <Months partner={partner} />
        <Payments {...{ partner, onChange }} />
      </Sections>
      {partner.waiting.length > 0 && <Waiting partner={partner} />}
    </>
  )
}

function Months({ partner }: { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  return (
    <Section title={texts.months}>
      <DataTable
        caption={texts.months}
        rows={partner.months}
        keyOf={({ month }) => month}
        empty={texts.noMonths}
        columns={[
          { key: 'month', title: texts.month, cell: ({ month }) => month },
          { key: 'issued', title: texts.issued, figure: true, cell: (row) => <Won amount={row.issued} /> },
          { key: 'used', title: texts.used, figure: true, cell: (row) => <Won amount={row.used} /> },
        ]}
      />
    </Section>
  )
}

function Payments({ partner, onChange }: Props) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [isBooking, setBooking] = useState(false)
  const [reversed, setReversed] = useState<PartnerPayment>()
  const mayAsk = may('payments.request')
  return (
    <Section
      title={texts.payments}
      aside={
        mayAsk && (
          <Button size="small" look="quiet" onClick={() => setBooking(true)}>
            {texts.book}
          </Button>
        )
      }
    >
      <DataTable
        caption={texts.payments}
        rows={partner.payments}
        keyOf={({ id }) => id}
        empty={texts.noPayments}
        columns={[
          { key: 'at', title: texts.at, cell: ({ at }) => <Moment at={at} /> },
          // A partner's staff learn no names of the operator's people, and see no requests.
          {
            key: 'reference',
            title: texts.reference,
            cell: ({ id, by, reference }) =>
              by === null ? (
                reference
              ) : (
                <ObjectLink kind="request" id={id}>
                  {reference}
                </ObjectLink>
              ),
          },
          { key: 'amount', title: texts.amount, figure: true, cell: (row) => <Won amount={row.amount} /> },
          { key: 'by', title: texts.by, cell: ({ by }) => by ?? '–' },
          // A payment can be reversed once. After that the column shows when.
          {
            key: 'reversed',
            title: texts.reversed,
            cell: (payment) =>
              mayAsk && payment.reversedAt === null ? (
                <Button size="small" look="quiet" onClick={() => setReversed(payment)}>
                  {texts.reverse}
                </Button>
              ) : (
                <Moment at={payment.reversedAt} />
              ),
          },
        ]}
      />
      <BookSheet partner={partner} open={isBooking} onClose={() => setBooking(false)} onDone={onChange} />
      <ReverseSheet
        code={partner.code}
        payment={reversed}
        onClose={() => setReversed(undefined)}
        onDone={onChange}
      />
    </Section>
  )
}

function Waiting({ partner }: { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  const kinds: Record<string, string> = useTexts(KIND_NAMES)
  return (
    <Section title={texts.waiting}>
      <DataTable
        caption={texts.waiting}
        rows={partner.waiting}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { key: 'at', title: texts.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            key: 'kind',
            title: texts.kind,
            cell: ({ id, kind }) => (
              <ObjectLink kind="request" id={id}>
                {kinds[kind] ?? kind}
              </ObjectLink>
            ),
          },
          { key: 'maker', title: texts.maker, cell: ({ maker }) => maker },
        ]}
      />
    </Section>
  )
}
