import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { DueStatement, PartnerStatement } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, Won } from '../shared/values.tsx'
import { LOOKS, lastDay, STATUS_NAMES, StatementRows } from '../statement/parts.tsx'

const TEXTS = {
  ko: {
    title: '제휴사 정산서',
    sub: '마감한 정산서는 바뀌지 않습니다. 이후의 취소는 다음 정산서에서 정정합니다.',
    due: '마감할 정산',
    noDue: '마감할 정산이 없습니다.',
    closed: '정산서',
    empty: '마감한 정산서가 없습니다.',
    number: '번호',
    partner: '제휴사',
    period: '기간',
    status: '상태',
    amount: '청구액',
    paid: '입금',
    open: '남은 금액',
    look: '미리 보기와 마감',
    close: '정산서 마감',
    will: '이 내용대로 굳어지고, 수수료가 원장에 기록됩니다. 되돌릴 수 없습니다.',
    total: '납부할 금액',
  },
  en: {
    title: 'Statements of partners',
    sub: 'A closed statement never changes. Later voids are corrections in the next one.',
    due: 'Waiting to be closed',
    noDue: 'No period waits to be closed.',
    closed: 'Statements',
    empty: 'No statement is closed yet.',
    number: 'Number',
    partner: 'Partner',
    period: 'Period',
    status: 'Status',
    amount: 'Due',
    paid: 'Paid',
    open: 'Open',
    look: 'Look and close',
    close: 'Close the statement',
    will: 'It is frozen as shown here, and its commission is booked. This cannot be undone.',
    total: 'Due',
  },
}

export default function StatementsPage() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const { data, error, refetch } = useQuery({
    queryKey: ['statements'],
    queryFn: () => callApi('GET /statements'),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return (
    <Page title={texts.title} sub={texts.sub}>
      {/* Periods that wait are work for those who may close them. */}
      {may('statements.close') && (
        <Section title={texts.due}>
          <DueTable due={data.due} onDone={refetch} />
        </Section>
      )}
      <ClosedTable statements={data.statements} />
    </Page>
  )
}

const periodText = ({ from, to }: { from: string; to: string }) => `${from} – ${lastDay(to)}`

function DueTable({ due, onDone }: { due: readonly DueStatement[]; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const [open, setOpen] = useState<DueStatement>()
  const [closed, setClosed] = useState(false)
  return (
    <>
      <DataTable
        caption={texts.due}
        rows={due}
        keyOf={({ partner }) => partner}
        empty={texts.noDue}
        columns={[
          {
            key: 'partner',
            title: texts.partner,
            cell: ({ partner }) => <ObjectLink kind="partner" id={partner} />,
          },
          { key: 'period', title: texts.period, cell: (one) => periodText(one) },
          {
            key: 'act',
            title: texts.look,
            cell: (one) => (
              <Button look="quiet" size="small" onClick={() => setOpen(one)}>
                {texts.look}
              </Button>
            ),
          },
        ]}
      />
      {open && (
        <CloseSheet
          due={open}
          onClose={() => {
            setOpen(undefined)
            if (closed) onDone()
            setClosed(false)
          }}
          onDone={() => setClosed(true)}
        />
      )}
    </>
  )
}

function CloseSheet({ due, onClose, onDone }: { due: DueStatement; onClose(): void; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const { data, error, refetch } = useQuery({
    queryKey: ['statement-draft', due],
    queryFn: () => callApi('GET /statements/draft', { query: { ...due } }),
    retry: false,
  })
  return (
    <ActSheet
      open
      {...{ onClose, onDone }}
      title={`${due.partner} ${periodText(due)}`}
      act={texts.close}
      withReason={false}
      impossible={error !== null}
      explain={
        error ? (
          <LoadError error={error} onRetry={refetch} />
        ) : data ? (
          <>
            <p className="font-semibold">
              {texts.total} <Won amount={data.due} />
            </p>
            <StatementRows rows={data.rows} />
          </>
        ) : (
          <Loading lines={4} />
        )
      }
      confirm={<p className="font-semibold">{texts.will}</p>}
      // Nobody may close what is not on the page yet.
      check={() => data !== undefined}
      run={async () => {
        await callApi('POST /statements', { body: { ...due } })
        return null
      }}
    />
  )
}

function ClosedTable({ statements }: { statements: readonly PartnerStatement[] }) {
  const texts = useTexts(TEXTS)
  const states = useTexts(STATUS_NAMES)
  return (
    <DataTable
      caption={texts.closed}
      rows={statements}
      keyOf={({ number }) => number}
      empty={texts.empty}
      columns={[
        {
          key: 'number',
          title: texts.number,
          cell: ({ number }) => (
            <Link to="/statements/$number" params={{ number }} className="text-link hover:underline">
              {number}
            </Link>
          ),
        },
        {
          key: 'partner',
          title: texts.partner,
          cell: ({ partner }) => <ObjectLink kind="partner" id={partner} />,
        },
        { key: 'period', title: texts.period, cell: (one) => periodText(one) },
        {
          key: 'status',
          title: texts.status,
          cell: ({ status }) => <Badge look={LOOKS[status]}>{states[status]}</Badge>,
        },
        {
          key: 'due',
          title: texts.amount,
          figure: true,
          // A partner pays both: what its cards cost and the commission.
          cell: ({ due, dueCommission }) => <Won amount={due + dueCommission} />,
        },
        { key: 'paid', title: texts.paid, figure: true, cell: ({ paid }) => <Won amount={paid} /> },
        { key: 'open', title: texts.open, figure: true, cell: ({ open }) => <Won amount={open} /> },
      ]}
    />
  )
}
