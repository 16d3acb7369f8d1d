import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ConsoleWithdrawal } from '../../../contract/console.gen.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DETAIL_WORDS } from '../shared/object/detail-words.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { REQUEST_WORDS } from '../shared/object/request-words.ts'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section, Sections } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { Timeline } from '../shared/timeline.tsx'
import { Badge, type BadgeLook, CopyId, Facts, Moment, Nothing, Won } from '../shared/values.tsx'
import { Acts } from './acts.tsx'
import { EVENT_NAMES, TEXTS } from './texts.ts'

const LOOKS: Record<ConsoleWithdrawal['status'], BadgeLook> = {
  requested: 'warn',
  approved: 'warn',
  paid: 'good',
  cancelled: 'plain',
  refused: 'plain',
}

export default function WithdrawalPage() {
  const { withdrawalId } = useParams({ from: '/withdrawals/$withdrawalId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['withdrawal', withdrawalId],
    queryFn: () => callApi('GET /withdrawals/:withdrawalId', { params: { withdrawalId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Withdrawal withdrawal={data} />
}

function Withdrawal({ withdrawal }: { withdrawal: ConsoleWithdrawal }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const { status } = withdrawal
  return (
    <Page
      title={texts.title}
      sub={
        <>
          <Won amount={withdrawal.amount} /> <Badge look={LOOKS[status]}>{words(status)}</Badge>
        </>
      }
      actions={<Acts withdrawal={withdrawal} />}
    >
      <Warnings withdrawal={withdrawal} />
      <Sections>
        <Section title={texts.summary}>
          <Summary withdrawal={withdrawal} />
        </Section>
        <Section title={texts.people}>
          <People withdrawal={withdrawal} />
        </Section>
      </Sections>
      <Section title={texts.timeline} aside={texts.newest}>
        <Events withdrawal={withdrawal} />
      </Section>
      <RawJson value={withdrawal} />
    </Page>
  )
}

// The first thing to know before somebody pays.
function Warnings({ withdrawal }: { withdrawal: ConsoleWithdrawal }) {
  const texts = useTexts(TEXTS)
  const { restoreExamined, frozen, stopAskedAt, waits, status, acts } = withdrawal
  // What is settled needs no warning any more.
  const isOpen = status === 'requested' || status === 'approved'
  // Several may hold at once, and each is a reason not to pay.
  const notes = [
    restoreExamined && isOpen ? texts.restore : null,
    frozen && isOpen ? texts.frozen : null,
    stopAskedAt && isOpen ? texts.stopAsked : null,
    waits ? texts.waits : null,
    // It could be paid now, but not by this person: whoever approved it does not record the payment.
    status === 'approved' && !waits && !frozen && !restoreExamined && !acts.includes('pay')
      ? texts.another
      : null,
  ].filter((note) => note !== null)
  return notes.map((note) => <Note key={note}>{note}</Note>)
}

function Summary({ withdrawal }: { withdrawal: ConsoleWithdrawal }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <Facts
      facts={[
        { name: texts.id, value: <CopyId id={withdrawal.id} label={texts.id} /> },
        { name: texts.member, value: <ObjectLink kind="member" id={withdrawal.memberId} /> },
        { name: texts.amount, value: <Won amount={withdrawal.amount} /> },
        { name: texts.account, value: `${withdrawal.bankName[language]} ${withdrawal.account}` },
        { name: texts.requestedAt, value: <Moment at={withdrawal.requestedAt} /> },
        { name: texts.payableAfter, value: <Moment at={withdrawal.payableAfter} /> },
      ]}
    />
  )
}

function People({ withdrawal }: { withdrawal: ConsoleWithdrawal }) {
  const texts = useTexts(TEXTS)
  return (
    <>
      <Facts
        facts={[
          { name: texts.approvedBy, value: withdrawal.approvedBy ?? <Nothing /> },
          { name: texts.approvedAt, value: <Moment at={withdrawal.approvedAt} /> },
          { name: texts.settledBy, value: withdrawal.settledBy ?? <Nothing /> },
          { name: texts.settledAt, value: <Moment at={withdrawal.settledAt} /> },
          { name: texts.reason, value: withdrawal.reason ?? <Nothing /> },
        ]}
      />
      {withdrawal.singlePerson && <p className="pt-2 text-sm text-sub">{texts.single}</p>}
    </>
  )
}

function Events({ withdrawal }: { withdrawal: ConsoleWithdrawal }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(EVENT_NAMES)
  const requests = useTexts(REQUEST_WORDS)
  const detailNames = useTexts(DETAIL_WORDS)
  return (
    <Timeline
      empty={texts.empty}
      items={withdrawal.timeline.map(({ at, what, by, details, requestId }, i) => ({
        // Two events may share their moment and their name, so the position makes the key unique.
        id: `${at} ${what} ${i}`,
        at,
        title: (
          <>
            {names[what] ?? requests[what] ?? what}{' '}
            {requestId && <ObjectLink kind="api_request" id={requestId} />}
          </>
        ),
        detail: [by, ...details.map(({ name, value }) => `${detailNames[name] ?? name}: ${value}`)]
          .filter(Boolean)
          .join(' · '),
      }))}
    />
  )
}
