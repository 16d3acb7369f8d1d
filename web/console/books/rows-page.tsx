import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { BookRow } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { Badge, ExactMoment } from '../shared/values.tsx'
import { Amount, type Asset, asked, useAssetName } from './parts.tsx'

const TEXTS = {
  ko: {
    title: '원장 기록',
    ofDay: (day: string) => `${day} 일마감에 든 기록`,
    until: '마지막 일마감부터 이 시각까지',
    id: '번호',
    at: '시각 (서울)',
    kind: '종류',
    amount: '금액',
    from: '나간 계정',
    to: '들어온 계정',
    of: '상품권 또는 묶음',
    more: '더 보기',
    empty: '해당하는 기록이 없습니다.',
  },
  en: {
    title: 'Transfers',
    ofDay: (day: string) => `covered by the close of ${day}`,
    until: 'from the last closed day to',
    id: 'Transfer',
    at: 'Time (Seoul)',
    kind: 'Kind',
    amount: 'Amount',
    from: 'From account',
    to: 'To account',
    of: 'Card or act',
    more: 'Show more',
    empty: 'There are none.',
  },
}

export default function RowsPage() {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const nameOf = useAssetName()
  const search = useSearch({ from: '/book-rows' })
  const { day, at, account, asset, kind, partner, belongsTo } = search
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['book-rows', search],
    queryFn: ({ pageParam }) =>
      callApi('GET /books/rows', {
        query: asked({
          day,
          at,
          account,
          asset: asset as Asset | undefined,
          kind,
          partner,
          belongsTo,
          after: pageParam,
        }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    retry: false,
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={8} />
  const filters = [account && words(account), kind && words(kind), asset && nameOf(asset), partner]
  return (
    <Page
      title={texts.title}
      sub={
        <>
          {day ? (
            texts.ofDay(day)
          ) : (
            <>
              {texts.until} {at && <ExactMoment at={at} />}
            </>
          )}
          {filters.filter(Boolean).map((one) => ` · ${one}`)}
        </>
      }
    >
      <RowTable rows={data.pages.flatMap(({ rows }) => rows)} />
      {hasNextPage && (
        <Button look="quiet" size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </Page>
  )
}

function RowTable({ rows }: { rows: readonly BookRow[] }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <DataTable
      caption={texts.title}
      rows={rows}
      keyOf={({ id }) => id}
      empty={texts.empty}
      columns={[
        { key: 'id', title: texts.id, cell: ({ id }) => <code className="font-code">{id}</code> },
        {
          key: 'at',
          title: texts.at,
          cell: ({ at }) => <ExactMoment at={at} />,
        },
        { key: 'kind', title: texts.kind, cell: ({ kind }) => words(kind) },
        {
          key: 'amount',
          title: texts.amount,
          figure: true,
          cell: ({ asset, amount }) => <Amount {...{ asset, amount }} />,
        },
        { key: 'from', title: texts.from, cell: ({ debit }) => words(debit) },
        { key: 'to', title: texts.to, cell: ({ credit }) => words(credit) },
        { key: 'of', title: texts.of, cell: (row) => <ActLink {...row} /> },
      ]}
    />
  )
}

// The `act` of a transfer is the id of what moved it. The kind of transfer says where that id belongs.
const OF_ORDERS = ['buy', 'sell']
const OF_WITHDRAWALS = ['withdraw', 'withdraw_back', 'withdraw_paid']
const OF_REQUESTS = [
  'adjust_up',
  'adjust_down',
  'bullion_buy',
  'bullion_sell',
  'partner_payment',
  'commission_payment',
]

// To the page of what moved it, where there is one.
function ActLink({ kind, act, cardId }: BookRow) {
  if (cardId !== null) return <ObjectLink kind="card" id={cardId} />
  if (OF_ORDERS.includes(kind)) return <ObjectLink kind="order" id={act} />
  if (OF_WITHDRAWALS.includes(kind)) return <ObjectLink kind="withdrawal" id={act} />
  if (OF_REQUESTS.includes(kind)) return <ObjectLink kind="request" id={act} />
  // Other acts have no page. The beginning of the id still shows which rows belong together.
  return <Badge>{act.slice(0, 8)}</Badge>
}
