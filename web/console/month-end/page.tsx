import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { MonthEnd } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { ExactMoment } from '../shared/values.tsx'
import { Items } from './items.tsx'
import { ClosedFacts, Differences, MonthsTable } from './parts.tsx'

const TEXTS = {
  ko: {
    title: (month: string) => `월마감 ${month}`,
    asOf: '기준 시각',
    list: '마감 전에 확인할 것',
    before: '이전 달',
    after: '다음 달',
    close: '이 달 마감',
    will: (month: string) =>
      `${month}을 마감합니다. 그 달의 일마감과 정산서가 해시로 묶여 저장되고, 되돌릴 수 없습니다.`,
    warned: '확인이 필요한 항목은 마감 기록에 남습니다.',
    places: {
      closed: '마감한 달입니다. 아래 항목은 지금의 상태입니다.',
      next: '막는 항목이 없습니다. 마감할 수 있습니다.',
      blocked: '마감할 수 없는 항목이 있습니다. 위에서부터 처리해 주세요.',
      not_over: '아직 끝나지 않은 달입니다. 지금까지의 상태입니다.',
      before_first: '장부가 시작되기 전의 달입니다.',
      out_of_order: '앞선 달을 먼저 마감해 주세요.',
    },
    goNext: '마감할 달로 가기',
    months: '마감한 달',
  },
  en: {
    title: (month: string) => `Month-end ${month}`,
    asOf: 'As of',
    list: 'To look at before closing',
    before: 'Month before',
    after: 'Month after',
    close: 'Close this month',
    will: (month: string) =>
      `This closes ${month}. Its closed days and statements are stored under one hash. It cannot be undone.`,
    warned: 'What is to be looked at is kept with the closed month.',
    places: {
      closed: 'This month is closed. The list shows how things are now.',
      next: 'Nothing blocks it. It can be closed.',
      blocked: 'Something blocks it. Go through the list from the top.',
      not_over: 'This month is not over. The list shows how things are so far.',
      before_first: 'The books begin after this month.',
      out_of_order: 'An earlier month has to be closed first.',
    },
    goNext: 'Go to the month to close',
    months: 'Closed months',
  },
}

export default function MonthEndPage() {
  const texts = useTexts(TEXTS)
  const { month: asked } = useSearch({ from: '/month-end' })
  const { data, error, refetch } = useQuery({
    queryKey: ['month-end', asked],
    queryFn: () => callApi('GET /month-end', { query: asked === undefined ? {} : { month: asked } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={8} />
  const isBlocked = data.items.some(({ state }) => state === 'blocks')
  // The service says which month comes next. Whether it can be closed follows from its items.
  const place = data.place === 'next' && isBlocked ? 'blocked' : data.place
  return (
    <Page
      title={texts.title(data.month)}
      sub={
        <>
          {texts.asOf} <ExactMoment at={data.at} />
        </>
      }
      actions={<Acts end={data} mayClose={place === 'next'} onDone={refetch} />}
    >
      <Note look={place === 'next' || place === 'closed' ? 'tint' : 'warn'}>
        {texts.places[place]}{' '}
        {/* Months are closed in order, so the page leads to the one whose turn it is. */}
        {(place === 'out_of_order' || place === 'before_first') && (
          <Link to="/month-end" search={{ month: data.next }} className="underline">
            {texts.goNext} ({data.next})
          </Link>
        )}
      </Note>
      {data.closed && <ClosedFacts closed={data.closed} />}
      <Section title={texts.list}>
        <Items end={data} />
      </Section>
      {data.differences.length > 0 && <Differences end={data} rows={data.differences} />}
      <Section title={texts.months}>
        <MonthsTable months={data.months} />
      </Section>
    </Page>
  )
}

// `2026-11` and a number of months later.
function shifted(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const months = year * 12 + number - 1 + by
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

function Acts({ end, mayClose, onDone }: { end: MonthEnd; mayClose: boolean; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState(false)
  const [acted, setActed] = useState(false)
  const warns = end.items.some(({ state }) => state === 'warns')
  const link = 'min-h-6 px-1.5 text-link hover:underline'
  return (
    <>
      <Link to="/month-end" search={{ month: shifted(end.month, -1) }} className={link}>
        {texts.before}
      </Link>
      <Link to="/month-end" search={{ month: shifted(end.month, 1) }} className={link}>
        {texts.after}
      </Link>
      {mayClose && may('books.close') && (
        <Button size="small" onClick={() => setOpen(true)}>
          {texts.close}
        </Button>
      )}
      <ActSheet
        open={open}
        // Not before: without a month in the address, the page would move on to the next month under the sheet.
        onClose={() => {
          setOpen(false)
          if (acted) onDone()
          setActed(false)
        }}
        onDone={() => setActed(true)}
        title={texts.title(end.month)}
        act={texts.close}
        withReason={false}
        explain={
          <>
            <p>{texts.will(end.month)}</p>
            {warns && <p className="pt-2 text-sub">{texts.warned}</p>}
          </>
        }
        // A closed month cannot be opened again, so it takes a second step.
        confirm={<p className="font-semibold">{texts.will(end.month)}</p>}
        run={async () => {
          await callApi('POST /month-end', { body: { month: end.month } })
          return null
        }}
      />
    </>
  )
}
