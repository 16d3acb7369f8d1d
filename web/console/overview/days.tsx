import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { DayFigures, OverviewDays } from '../../../contract/console.gen.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { shortDate, withCommas, won } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { type Column, DataTable } from '../shared/data-table.tsx'
import { lazyPart } from '../shared/lazy.tsx'
import { Section } from '../shared/page.tsx'
import { RowsLink, type RowsPlace } from '../shared/rows-link.tsx'

// The chart's library comes with the first chart, not with the page.
const LineChart = lazyPart(() => import('../shared/line-chart.tsx'))

const TEXTS = {
  ko: {
    title: '날짜별',
    days: (days: string) => `${days}일`,
    period: '기간',
    unit: '단위: 원 (장)',
    day: '날짜',
    issued: '발행',
    used: '사용',
    voided: '취소',
    expired: '만료',
    members: '새 회원',
    orders: '주문',
    withdrawals: '출금 요청',
    failed: '발송 실패',
    chart: '날짜별 발행과 사용 금액. 아래 표에 같은 숫자가 있습니다.',
    table: '표로 보기',
    empty: '아직 기록이 없습니다.',
    partners: '제휴사별',
    partner: '제휴사',
    noPartners: '이 기간에 발행하거나 사용한 상품권이 없습니다.',
  },
  en: {
    title: 'By day',
    days: (days: string) => `${days} days`,
    period: 'Period',
    unit: 'In won (cards)',
    day: 'Day',
    issued: 'Issued',
    used: 'Used',
    voided: 'Voided',
    expired: 'Expired',
    members: 'New members',
    orders: 'Orders',
    withdrawals: 'Withdrawals',
    failed: 'Messages failed',
    chart: 'Won issued and used by day. The table below has the same figures.',
    table: 'As a table',
    empty: 'There is nothing yet.',
    partners: 'By partner',
    partner: 'Partner',
    noPartners: 'No card was issued or used in this period.',
  },
}

const PERIODS = ['7', '30', '365'] as const
type Period = (typeof PERIODS)[number]

export function Days({ refreshMs }: { refreshMs: number }) {
  const texts = useTexts(TEXTS)
  const [period, setPeriod] = useState<Period>('30')
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', 'days', period],
    queryFn: () => callApi('GET /overview/days', { query: { days: period } }),
    refetchInterval: refreshMs,
  })
  return (
    <>
      <Section title={texts.title} aside={texts.unit}>
        <fieldset className="flex gap-1 pb-3">
          <legend className="sr-only">{texts.period}</legend>
          {PERIODS.map((days) => (
            <button
              key={days}
              type="button"
              aria-pressed={days === period}
              onClick={() => setPeriod(days)}
              className="min-h-10 rounded-xl px-3 text-[0.9375rem] text-sub hover:bg-quiet aria-pressed:bg-quiet aria-pressed:font-semibold aria-pressed:text-ink"
            >
              {texts.days(days)}
            </button>
          ))}
        </fieldset>
        {/* A failed refresh keeps the last figures on the page. */}
        {error && !data ? (
          <LoadError error={error} onRetry={refetch} />
        ) : !data ? (
          <Loading />
        ) : (
          <Chart days={data.days} />
        )}
      </Section>
      {/* Without an answer there are no days to name in the heading. */}
      {data && <Partners answer={data} />}
    </>
  )
}

// Midnight in Seoul, which has no summer time.
const secondsOf = (day: string) => Date.parse(`${day}T00:00:00+09:00`) / 1_000

function Chart({ days }: { days: readonly DayFigures[] }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // The chart draws again for every new array, so it gets the same one until the figures change.
  const xs = useMemo(() => days.map(({ day }) => secondsOf(day)), [days])
  const series = useMemo(
    () => [
      { name: texts.issued, values: days.map(({ issued }) => issued.won), colour: 'link' as const },
      { name: texts.used, values: days.map(({ used }) => used.won), colour: 'gold' as const },
    ],
    [days, texts],
  )
  // For the same reason: a new function would draw the chart again.
  const tell = useCallback((seconds: number) => shortDate(seconds * 1_000, language), [language])
  return (
    <>
      <LineChart label={texts.chart} xs={xs} series={series} tell={tell} format={withCommas} />
      <Disclosure summary={texts.table}>
        <DataTable
          caption={`${texts.title}: ${texts.table}`}
          columns={useDayColumns()}
          // The chart needs the oldest day first. A table of the console has the newest first.
          rows={days.toReversed()}
          keyOf={({ day }) => day}
          empty={texts.empty}
        />
      </Disclosure>
    </>
  )
}

function useDayColumns(): Column<DayFigures>[] {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // The list's filter has the name of the figure, so a figure leads to exactly its rows.
  const cards = (key: 'issued' | 'used' | 'voided' | 'expired'): Column<DayFigures> => ({
    key,
    title: texts[key],
    figure: true,
    cell: (row) => (
      <Linked place={{ to: '/cards', search: { [key]: row.day } }} isNone={row[key].cards === 0}>
        {won(row[key].won, language)} ({withCommas(row[key].cards)})
      </Linked>
    ),
  })
  const counted = (
    key: 'members' | 'orders' | 'withdrawals' | 'failed',
    place: (day: string) => RowsPlace,
  ): Column<DayFigures> => ({
    key,
    title: texts[key],
    figure: true,
    cell: (row) => (
      <Linked place={place(row.day)} isNone={row[key] === 0}>
        {withCommas(row[key])}
      </Linked>
    ),
  })
  return [
    { key: 'day', title: texts.day, cell: ({ day }) => <span className="whitespace-nowrap">{day}</span> },
    cards('issued'),
    cards('used'),
    cards('voided'),
    cards('expired'),
    counted('members', (day) => ({ to: '/members', search: { joined: day } })),
    counted('orders', (day) => ({ to: '/orders', search: { at: day } })),
    counted('withdrawals', (day) => ({ to: '/withdrawals', search: { requested: day } })),
    // A message counts on the day of its end, which the list calls `settled`.
    counted('failed', (day) => ({ to: '/deliveries', search: { status: 'failed', settled: day } })),
  ]
}

function Linked({
  place,
  isNone,
  children,
}: {
  place: RowsPlace
  isNone: boolean
  children: React.ReactNode
}) {
  // An empty list is no place to lead to.
  if (isNone) return <span className="text-faint tabular-nums">0</span>
  return (
    <RowsLink place={place} className="tabular-nums">
      {children}
    </RowsLink>
  )
}

function Partners({ answer }: { answer: OverviewDays }) {
  const texts = useTexts(TEXTS)
  const say = useWon()
  // The days come oldest first.
  const from = answer.days[0]?.day
  const to = answer.days.at(-1)?.day
  const cell = (code: string, by: 'issued' | 'used', amount: number, cards: number) => (
    <Linked place={{ to: '/cards', search: { partner: code, [by]: `${from}..${to}` } }} isNone={cards === 0}>
      {say(amount)} ({withCommas(cards)})
    </Linked>
  )
  type Row = OverviewDays['partners'][number]
  const columns: Column<Row>[] = [
    {
      key: 'partner',
      title: texts.partner,
      cell: ({ code, name }) => <RowsLink place={{ to: `/partners/${code}` }}>{name}</RowsLink>,
    },
    {
      key: 'issued',
      title: texts.issued,
      figure: true,
      cell: (row) => cell(row.code, 'issued', row.issuedWon, row.issued),
    },
    {
      key: 'used',
      title: texts.used,
      figure: true,
      cell: (row) => cell(row.code, 'used', row.usedWon, row.used),
    },
  ]
  return (
    <Section title={texts.partners} aside={`${from} – ${to}`}>
      <DataTable
        caption={`${texts.partners}: ${texts.partner}`}
        columns={columns}
        rows={answer.partners}
        keyOf={({ code }) => code}
        empty={texts.noPartners}
      />
    </Section>
  )
}
