import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { Moment } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '일마감',
    sub: '끝난 날은 worker가 마감합니다. 마감한 날은 바뀌지 않습니다.',
    day: '날짜',
    movements: '움직임',
    corrections: '정정',
    through: '마지막 원장 번호',
    closedAt: '마감한 때',
    by: '마감한 이',
    hash: '해시',
    empty: '마감한 날이 없습니다.',
    more: '더 이전 날',
  },
  en: {
    title: 'Closed days',
    sub: 'The worker closes a day once it is over. A closed day never changes.',
    day: 'Day',
    movements: 'Movements',
    corrections: 'Corrections',
    through: 'Last transfer',
    closedAt: 'Closed at',
    by: 'By',
    hash: 'Hash',
    empty: 'No day is closed yet.',
    more: 'Earlier days',
  },
}

export default function DaysPage() {
  const texts = useTexts(TEXTS)
  const { until } = useSearch({ from: '/days' })
  const { data, error, refetch } = useQuery({
    queryKey: ['closed-days', until],
    queryFn: () => callApi('GET /books/days', { query: until === undefined ? {} : { until } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={8} />
  return (
    <Page title={texts.title} sub={texts.sub}>
      <DataTable
        caption={texts.title}
        rows={data.days}
        keyOf={({ day }) => day}
        empty={texts.empty}
        columns={[
          {
            key: 'day',
            title: texts.day,
            cell: ({ day }) => (
              <Link to="/days/$day" params={{ day }} className="text-link hover:underline">
                {day}
              </Link>
            ),
          },
          {
            key: 'movements',
            title: texts.movements,
            figure: true,
            cell: ({ movements }) => withCommas(movements),
          },
          {
            key: 'corrections',
            title: texts.corrections,
            figure: true,
            cell: ({ corrections }) => withCommas(corrections),
          },
          { key: 'through', title: texts.through, figure: true, cell: ({ throughId }) => throughId },
          { key: 'at', title: texts.closedAt, cell: ({ closedAt }) => <Moment at={closedAt} /> },
          { key: 'by', title: texts.by, cell: ({ closedBy }) => closedBy },
          {
            key: 'hash',
            title: texts.hash,
            // Enough to compare by eye. The page of the day has the whole hash.
            cell: ({ hash }) => <code className="font-code text-[0.875em]">{hash.slice(0, 16)}</code>,
          },
        ]}
      />
      {data.next && (
        <Link to="/days" search={{ until: data.next }} className="text-link hover:underline">
          {texts.more}
        </Link>
      )}
    </Page>
  )
}
