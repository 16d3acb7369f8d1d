import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Page, Sections } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { ExactMoment } from '../shared/values.tsx'
import { Days } from './days.tsx'
import { Figures } from './figures.tsx'
import { Health, TodaysFailures } from './health.tsx'
import { Needs } from './needs.tsx'

const TEXTS = {
  ko: {
    title: '현황',
    asOf: '기준 시각',
    silent: '서비스가 응답하지 않습니다. 아래 숫자는 마지막으로 받은 것입니다. 계속 다시 시도하고 있습니다.',
    counting: (percent: number) =>
      `지난 기록을 집계하고 있습니다: ${percent}%. 끝날 때까지 숫자가 늘어납니다.`,
  },
  en: {
    title: 'Overview',
    asOf: 'As of',
    silent: 'The service does not answer. These are the last figures it gave. The page keeps trying.',
    counting: (percent: number) =>
      `The past is being counted: ${percent}%. The figures grow until it is done.`,
  },
}

const REFRESH_MS = 3_000 // the service answers all open consoles from one reading
const DAYS_MS = 15_000
// The worker counts every two seconds, so a short lag is normal and not worth a note.
const BEHIND_SECONDS = 60

// Paused while its tab is hidden: the library asks only in a visible one.
export default function OverviewPage() {
  const texts = useTexts(TEXTS)
  const { data, error, refetch, failureCount } = useQuery({
    queryKey: ['overview', 'now'],
    queryFn: () => callApi('GET /overview'),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  if (error && !data) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  // Known at the first failure: old figures must not look current while the page tries again.
  const isSilent = error !== null || failureCount > 0
  const { counting } = data
  const isCounting = counting.lagSeconds > BEHIND_SECONDS && counting.total > 0
  return (
    <Page
      title={texts.title}
      sub={
        <>
          {texts.asOf} <ExactMoment at={data.at} />
        </>
      }
    >
      {/* The region is there before its text, so that a screen reader announces it. */}
      <LiveRegion role="alert">{isSilent && <Note look="bad">{texts.silent}</Note>}</LiveRegion>
      {isCounting && <Note>{texts.counting(Math.floor((100 * counting.counted) / counting.total))}</Note>}
      <div className={`flex flex-col gap-4 ${isSilent ? 'opacity-60 grayscale' : ''}`}>
        <Needs needs={data.needs} wellSince={data.wellSince} />
        <Sections>
          <Figures overview={data} />
        </Sections>
        <Days refreshMs={DAYS_MS} />
        <Sections>
          <Health overview={data} />
          <TodaysFailures overview={data} />
        </Sections>
      </div>
    </Page>
  )
}
