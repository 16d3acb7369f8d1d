import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ApprovalRequest, OpenWithdrawal } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Page } from '../shared/page.tsx'
import { Badge, Moment, Won } from '../shared/values.tsx'
import { RequestActs, RequestDetails, RequestHeading } from './request.tsx'

const TEXTS = {
  ko: {
    title: '승인',
    sub: '돈을 만들거나 내보내거나 조건을 바꾸는 일은 두 사람이 합니다. 한 사람이 요청하고 다른 사람이 승인합니다.',
    views: '보기',
    waiting: '대기 중',
    decided: '결정됨',
    requests: '승인 요청',
    withdrawals: '출금',
    nothing: '승인을 기다리는 요청이 없습니다.',
    noWithdrawals: '처리할 출금이 없습니다.',
    nobody: '결정된 요청이 아직 없습니다.',
    more: '더 보기',
    open: '열기',
    amount: '금액',
    member: '회원',
    asked: '신청',
    next: '할 일',
    approve: '지급 승인',
    pay: '지급 기록',
    another: '다른 사람이 지급 기록',
    until: '대기',
    frozen: '회원 정지',
  },
  en: {
    title: 'Approvals',
    sub: 'What makes value, lets it out or changes terms takes two people: one asks, another approves.',
    views: 'View',
    waiting: 'Waiting',
    decided: 'Decided',
    requests: 'Requests',
    withdrawals: 'Withdrawals',
    nothing: 'No request waits for approval.',
    noWithdrawals: 'No withdrawal waits for you.',
    nobody: 'Nothing was decided yet.',
    more: 'Show more',
    open: 'Open',
    amount: 'Amount',
    member: 'Member',
    asked: 'Requested',
    next: 'To do',
    approve: 'approve the payout',
    pay: 'record the payment',
    another: 'another person records the payment',
    until: 'waits until',
    frozen: 'member frozen',
  },
}

export default function ApprovalsPage() {
  const texts = useTexts(TEXTS)
  // The view is in the address, so the Back button returns to it from a request.
  const { view } = useSearch({ from: '/approvals' })
  const isDecided = view === 'decided'
  const tab =
    'min-h-10 rounded-xl px-3.5 py-2 text-[0.9375rem] font-medium text-body no-underline hover:bg-quiet aria-[current=page]:bg-quiet aria-[current=page]:text-ink'
  return (
    <Page title={texts.title} sub={texts.sub}>
      <nav aria-label={texts.views} className="no-print flex gap-1">
        <Link
          to="/approvals"
          search={{}}
          className={tab}
          aria-current={isDecided ? undefined : 'page'}
          // An empty search matches every search, so this tab would look open in both views.
          activeOptions={{ exact: true }}
        >
          {texts.waiting}
        </Link>
        <Link
          to="/approvals"
          search={{ view: 'decided' }}
          className={tab}
          aria-current={isDecided ? 'page' : undefined}
        >
          {texts.decided}
        </Link>
      </nav>
      {isDecided ? <Decided /> : <Waiting />}
    </Page>
  )
}

// Others decide meanwhile. The service pushes nothing to open pages, so they ask again (decisions/0070).
const EVERY_MS = 15_000

function Waiting() {
  const texts = useTexts(TEXTS)
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: () => callApi('GET /approvals'),
    refetchInterval: EVERY_MS,
  })
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={5} />
  return (
    <>
      <h2 className="pt-1 font-bold">{texts.requests}</h2>
      <Requests requests={data.requests} empty={texts.nothing} />
      <h2 className="pt-2 font-bold">{texts.withdrawals}</h2>
      <Withdrawals withdrawals={data.withdrawals} />
    </>
  )
}

// Decided requests pile up for good, so they come a page at a time.
function Decided() {
  const texts = useTexts(TEXTS)
  const pages = useInfiniteQuery({
    queryKey: ['approvals', 'decided'],
    queryFn: ({ pageParam }) =>
      callApi('GET /approvals/decided', { query: pageParam === undefined ? {} : { before: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  if (pages.error) return <LoadError error={pages.error} onRetry={pages.refetch} />
  if (!pages.data) return <Loading lines={5} />
  return (
    <>
      <h2 className="pt-1 font-bold">{texts.requests}</h2>
      <Requests requests={pages.data.pages.flatMap(({ requests }) => requests)} empty={texts.nobody} />
      {pages.hasNextPage && (
        <Button
          look="quiet"
          size="small"
          busy={pages.isFetchingNextPage}
          onClick={() => pages.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
    </>
  )
}

function Requests({ requests, empty }: { requests: readonly ApprovalRequest[]; empty: string }) {
  const texts = useTexts(TEXTS)
  if (requests.length === 0) return <p className="rounded-2xl bg-surface p-6 text-center text-sub">{empty}</p>
  return (
    <ul className="flex flex-col gap-3">
      {requests.map((request) => (
        <li key={request.id} className="flex flex-col gap-3 rounded-2xl bg-surface p-4 sm:p-5">
          <div className="flex flex-wrap items-baseline justify-between gap-2">
            <h3 className="font-bold">
              <RequestHeading request={request} />
            </h3>
            <Link
              to="/approvals/$requestId"
              params={{ requestId: request.id }}
              className="text-sm text-link underline-offset-2 hover:underline"
              // Many requests are on one page, so each link says which one it opens.
              aria-label={`${texts.open} ${request.id}`}
            >
              {texts.open}
            </Link>
          </div>
          <RequestDetails request={request} />
          <RequestActs request={request} />
        </li>
      ))}
    </ul>
  )
}

function Withdrawals({ withdrawals }: { withdrawals: readonly OpenWithdrawal[] }) {
  const texts = useTexts(TEXTS)
  return (
    <DataTable
      caption={texts.withdrawals}
      rows={withdrawals}
      keyOf={({ id }) => id}
      empty={texts.noWithdrawals}
      columns={[
        {
          key: 'open',
          title: texts.next,
          cell: (one) => (
            <Link
              to="/withdrawals/$withdrawalId"
              params={{ withdrawalId: one.id }}
              className="text-link underline-offset-2 hover:underline"
            >
              {/* Whoever approved the payout must not record its payment: money leaves by two people. */}
              {one.status === 'requested' ? texts.approve : one.mine ? texts.another : texts.pay}
            </Link>
          ),
        },
        { key: 'amount', title: texts.amount, figure: true, cell: (one) => <Won amount={one.amount} /> },
        { key: 'member', title: texts.member, cell: (one) => <ObjectLink kind="member" id={one.memberId} /> },
        { key: 'asked', title: texts.asked, cell: (one) => <Moment at={one.requestedAt} /> },
        // A frozen member's payout does not leave, whenever it would be due.
        {
          key: 'state',
          title: texts.until,
          cell: (one) =>
            one.frozen ? (
              <Badge look="bad">{texts.frozen}</Badge>
            ) : one.waits ? (
              <Moment at={one.payableAfter} />
            ) : (
              '–'
            ),
        },
      ]}
    />
  )
}
