import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FailureFigure } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Column, DataTable } from '../shared/data-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RowsLink } from '../shared/rows-link.tsx'
import { useMay } from '../shared/session.ts'
import { Badge } from '../shared/values.tsx'
import { Retries } from './retries.tsx'
import { RetrySheet } from './retry-sheet.tsx'

const TEXTS = {
  ko: {
    title: '발송 실패와 재시도',
    sub: '실패한 메시지를 이유와 업체별로 모았습니다.',
    failures: '실패',
    days: (days: string) => `최근 ${days}일`,
    period: '기간',
    reason: '이유',
    channel: '수단',
    provider: '업체',
    messages: '건수',
    act: '다시 보내기',
    mendable: '고칠 수 있음',
    unknown: '결과를 알 수 없음',
    empty: '이 기간에 실패한 메시지가 없습니다.',
    retry: '다시 보내기',
    all: '발송 목록',
    channels: { alimtalk: '알림톡', text: '문자' },
  },
  en: {
    title: 'Failed messages and retries',
    sub: 'Messages that failed, by reason and provider.',
    failures: 'Failures',
    days: (days: string) => `last ${days} days`,
    period: 'Period',
    reason: 'Reason',
    channel: 'Channel',
    provider: 'Provider',
    messages: 'Messages',
    act: 'Retry',
    mendable: 'can be repaired',
    unknown: 'outcome unknown',
    empty: 'No message failed in this period.',
    retry: 'Send again',
    all: 'All messages',
    channels: { alimtalk: 'Alimtalk', text: 'Text' },
  },
}

const PERIODS = ['1', '7', '30'] as const
type Period = (typeof PERIODS)[number]
// The worker goes through a retry in small steps, and the page follows it.
const REFRESH_MS = 3_000

export default function DeliveryHealthPage() {
  const texts = useTexts(TEXTS)
  const [period, setPeriod] = useState<Period>('7')
  const [chosen, setChosen] = useState<FailureFigure>()
  const { data, error, refetch } = useQuery({
    queryKey: ['delivery-health', period],
    queryFn: () => callApi('GET /delivery-health', { query: { days: period } }),
    refetchInterval: REFRESH_MS,
  })
  // A failed refresh keeps the last figures on the page.
  if (error && !data) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  const { from, to } = data
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={<RowsLink place={{ to: '/deliveries' }}>{texts.all}</RowsLink>}
    >
      <Retries retries={data.retries} onChange={refetch} />
      <Section title={texts.failures} aside={`${from} – ${to}`}>
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
        <Failures failures={data.failures} {...{ from, to }} onRetry={setChosen} />
      </Section>
      {chosen && (
        <RetrySheet
          failure={chosen}
          {...{ from, to }}
          onClose={() => setChosen(undefined)}
          onDone={() => void refetch()}
        />
      )}
    </Page>
  )
}

interface FailuresProps {
  failures: readonly FailureFigure[]
  from: string
  to: string
  onRetry(failure: FailureFigure): void
}

// The figures count a message on the day of its end, so each leads to the list with that filter.
// Every row has the same button, so a screen reader also hears which group it would send again.
function Failures({ failures, from, to, onRetry }: FailuresProps) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  const columns: Column<FailureFigure>[] = [
    {
      key: 'reason',
      title: texts.reason,
      cell: ({ reason, status, mendable }) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          {words(reason || status)}
          {status === 'unknown' && <Badge look="warn">{texts.unknown}</Badge>}
          {mendable && <Badge look="warn">{texts.mendable}</Badge>}
        </span>
      ),
    },
    { key: 'channel', title: texts.channel, cell: ({ channel }) => texts.channels[channel] },
    { key: 'provider', title: texts.provider, cell: ({ provider }) => provider || '–' },
    {
      key: 'messages',
      title: texts.messages,
      figure: true,
      cell: ({ channel, provider, reason, status, messages }) => (
        <RowsLink
          place={{
            to: '/deliveries',
            search: {
              status,
              channel,
              settled: `${from}..${to}`,
              ...(reason && { reason }),
              ...(provider && { provider }),
            },
          }}
          className="tabular-nums"
        >
          {withCommas(messages)}
        </RowsLink>
      ),
    },
    ...(may('deliveries.retry')
      ? [
          {
            key: 'act',
            title: texts.act,
            // Nothing is sent again of which a provider may have it.
            cell: (one: FailureFigure) =>
              one.status === 'failed' ? (
                <Button look="plain" size="small" onClick={() => onRetry(one)}>
                  {texts.retry}
                  <span className="sr-only">
                    {' '}
                    {words(one.reason)} {texts.channels[one.channel]} {one.provider}
                  </span>
                </Button>
              ) : null,
          },
        ]
      : []),
  ]
  return (
    <DataTable
      caption={`${texts.failures}: ${texts.reason}`}
      columns={columns}
      rows={failures}
      keyOf={({ channel, status, provider, reason }) => [channel, status, provider, reason].join()}
      empty={texts.empty}
    />
  )
}
