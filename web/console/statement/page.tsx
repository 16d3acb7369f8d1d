import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PartnerStatement } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { API_PATH } from '../shared/environment.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, CopyId, Facts, Moment, Nothing, Won } from '../shared/values.tsx'
import { LOOKS, lastDay, STATUS_NAMES, StatementRows } from './parts.tsx'

const TEXTS = {
  ko: {
    title: (number: string) => `정산서 ${number}`,
    summary: '요약',
    rows: '내용',
    partner: '제휴사',
    period: '기간',
    due: '상품권',
    commission: '수수료와 부가세',
    paid: '입금',
    open: '남은 금액',
    closed: '마감',
    sent: '보냄',
    hash: '해시',
    print: '인쇄용 화면',
    send: '보냄으로 기록',
    sendWill: '제휴사에 전달했음을 기록합니다. 서비스가 직접 보내지는 않습니다.',
    way: '전달 방법',
    wayMissing: '어떻게 전달했는지 입력해 주세요.',
    pay: '입금 등록',
    payWill: '이 정산서의 입금을 요청합니다. 다른 사람이 승인하면 기록됩니다.',
    won: '입금액 (원)',
    reference: '은행 입금 번호',
    prepay: '남은 금액보다 많으면 예치금으로 둡니다',
    missing: '입력해 주세요.',
  },
  en: {
    title: (number: string) => `Statement ${number}`,
    summary: 'Summary',
    rows: 'Content',
    partner: 'Partner',
    period: 'Period',
    due: 'Cards',
    commission: 'Commission and VAT',
    paid: 'Paid',
    open: 'Open',
    closed: 'Closed',
    sent: 'Sent',
    hash: 'Hash',
    print: 'Page to print',
    send: 'Record as sent',
    sendWill: 'Records that the partner was given it. The service does not send it itself.',
    way: 'How it was sent',
    wayMissing: 'Enter how it was sent.',
    pay: 'Record a payment',
    payWill: 'Asks to book a payment of this statement. It is booked when another person approves it.',
    won: 'Won',
    reference: 'The bank’s reference',
    prepay: 'What is more than is open becomes deposit',
    missing: 'Enter this.',
  },
}

export default function StatementPage() {
  const { number } = useParams({ from: '/statements/$number' })
  const texts = useTexts(TEXTS)
  const states = useTexts(STATUS_NAMES)
  const { data, error, refetch } = useQuery({
    queryKey: ['statement', number],
    queryFn: () => callApi('GET /statements/:number', { params: { number } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  const { statement, rows } = data
  return (
    <Page
      title={texts.title(number)}
      sub={<Badge look={LOOKS[statement.status]}>{states[statement.status]}</Badge>}
      actions={<Acts statement={statement} onDone={refetch} />}
    >
      <Section title={texts.summary}>
        <Summary statement={statement} />
      </Section>
      <Section title={texts.rows}>
        <StatementRows rows={rows} />
      </Section>
    </Page>
  )
}

function Summary({ statement }: { statement: PartnerStatement }) {
  const texts = useTexts(TEXTS)
  const { from, to, sentAt, sentWay } = statement
  return (
    <Facts
      facts={[
        { name: texts.partner, value: <ObjectLink kind="partner" id={statement.partner} /> },
        { name: texts.period, value: `${from} – ${lastDay(to)}` },
        { name: texts.due, value: <Won amount={statement.due} /> },
        { name: texts.commission, value: <Won amount={statement.dueCommission} /> },
        { name: texts.paid, value: <Won amount={statement.paid} /> },
        { name: texts.open, value: <Won amount={statement.open} /> },
        {
          name: texts.closed,
          value: (
            <>
              <Moment at={statement.closedAt} /> {statement.closedBy}
            </>
          ),
        },
        {
          name: texts.sent,
          value: sentAt ? (
            <>
              <Moment at={sentAt} /> {sentWay}
            </>
          ) : (
            <Nothing />
          ),
        },
        { name: texts.hash, value: <CopyId id={statement.hash} label={texts.hash} /> },
      ]}
    />
  )
}

function Acts({ statement, onDone }: { statement: PartnerStatement; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState<'send' | 'pay'>()
  const [acted, setActed] = useState(false)
  const file = (format: string) =>
    `${API_PATH}/statements/${encodeURIComponent(statement.number)}/file?format=${format}`
  const sheet = {
    statement,
    onClose: () => {
      setOpen(undefined)
      if (acted) onDone()
      setActed(false)
    },
    onDone: () => setActed(true),
  }
  return (
    <>
      {/* A plain link: the browser sends the cookie and saves the file by itself. */}
      {(['csv', 'xlsx'] as const).map((format) => (
        <a key={format} href={file(format)} download className="min-h-6 px-1.5 text-link hover:underline">
          {format.toUpperCase()}
        </a>
      ))}
      {/* The page to print is a document of its own, without the console around it. */}
      <a
        href={file('html')}
        target="_blank"
        rel="noreferrer"
        className="min-h-6 px-1.5 text-link hover:underline"
      >
        {texts.print}
      </a>
      {/* The service sends nothing itself. A person records once how the partner got it. */}
      {may('statements.close') && !statement.sentAt && (
        <Button look="quiet" size="small" onClick={() => setOpen('send')}>
          {texts.send}
        </Button>
      )}
      {may('payments.request') && statement.open > 0 && (
        <Button size="small" onClick={() => setOpen('pay')}>
          {texts.pay}
        </Button>
      )}
      <SendSheet open={open === 'send'} {...sheet} />
      <PaySheet open={open === 'pay'} {...sheet} />
    </>
  )
}

interface SheetProps {
  open: boolean
  statement: PartnerStatement
  onClose(): void
  onDone(): void
}

function SendSheet({ statement, ...sheet }: SheetProps) {
  const texts = useTexts(TEXTS)
  const [way, setWay] = useState('')
  const [missing, setMissing] = useState(false)
  return (
    <ActSheet
      {...sheet}
      title={texts.send}
      explain={texts.sendWill}
      act={texts.send}
      withReason={false}
      check={() => {
        setMissing(way.trim() === '')
        return way.trim() !== ''
      }}
      run={async () => {
        await callApi('POST /statements/:number/send', {
          params: { number: statement.number },
          body: { way: way.trim() },
        })
        return null
      }}
    >
      <Field
        label={texts.way}
        value={way}
        maxLength={200}
        error={missing ? texts.wayMissing : undefined}
        onChange={(event) => setWay(event.target.value)}
      />
    </ActSheet>
  )
}

function PaySheet({ statement, ...sheet }: SheetProps) {
  const texts = useTexts(TEXTS)
  const [won, setWon] = useState(String(statement.open))
  const [reference, setReference] = useState('')
  const [prepay, setPrepay] = useState(false)
  const [missing, setMissing] = useState(false)
  // 15 digits are exact as a number of JavaScript.
  const isWon = /^[1-9]\d{0,14}$/.test(won)
  return (
    <ActSheet
      {...sheet}
      title={texts.pay}
      explain={texts.payWill}
      act={texts.pay}
      check={() => {
        const isComplete = isWon && reference.trim() !== ''
        setMissing(!isComplete)
        return isComplete
      }}
      run={(reason) =>
        callApi('POST /statements/:number/payments', {
          params: { number: statement.number },
          body: { won: Number(won), reference: reference.trim(), prepay, reason },
        })
      }
    >
      <Field
        label={texts.won}
        value={won}
        inputMode="numeric"
        maxLength={15}
        error={missing && !isWon ? texts.missing : undefined}
        onChange={(event) => setWon(event.target.value)}
      />
      <Field
        label={texts.reference}
        value={reference}
        maxLength={100}
        error={missing && reference.trim() === '' ? texts.missing : undefined}
        onChange={(event) => setReference(event.target.value)}
      />
      <Checkbox label={texts.prepay} checked={prepay} onChange={(event) => setPrepay(event.target.checked)} />
    </ActSheet>
  )
}
