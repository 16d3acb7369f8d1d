import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass, Chip } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { addressOf, callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { Issue, Issued, PrintButton } from './issue.tsx'
import { isPeriodFine, type Period, PRESETS, periodOf } from './periods.ts'
import { StatementDocument } from './statement-document.tsx'
import { TEXTS } from './texts.ts'

// For the screen, a spreadsheet and paper. Printing prints this page without its header, footer and buttons.
export default function StatementPage() {
  const texts = useTexts(TEXTS)
  const { number } = useSearch({ from: '/statement' })
  return (
    <MemberLayout title={texts.title} back wide>
      <SignedIn>{() => (number ? <Issued number={number} /> : <PeriodChooser />)}</SignedIn>
    </MemberLayout>
  )
}

function PeriodChooser() {
  const texts = useTexts(TEXTS)
  const [period, setPeriod] = useState<Period>(() => periodOf('month', Date.now()))
  // The service refuses more than a year; the message comes before the call.
  const fine = isPeriodFine(period)
  return (
    <>
      <div className="no-print flex flex-col gap-3">
        <Heading>{texts.title}</Heading>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((preset) => {
            const days = periodOf(preset, Date.now())
            return (
              <Chip
                key={preset}
                pressed={days.from === period.from && days.to === period.to}
                onClick={() => setPeriod(days)}
              >
                {texts[preset]}
              </Chip>
            )
          })}
        </div>
        <div className="flex flex-wrap gap-3 *:min-w-[9rem] *:flex-1">
          <Field
            label={texts.from}
            type="date"
            value={period.from}
            max={period.to}
            onChange={(event) => setPeriod({ ...period, from: event.target.value })}
          />
          <Field
            label={texts.to}
            type="date"
            value={period.to}
            min={period.from}
            onChange={(event) => setPeriod({ ...period, to: event.target.value })}
          />
        </div>
        <p role="alert" className="text-sm text-up empty:sr-only">
          {fine ? '' : texts.badPeriod}
        </p>
      </div>
      {fine && <Preview period={period} />}
    </>
  )
}

// A web view cannot issue a numbered statement: it prints what it shows. The key makes a new request for each period.
function Preview({ period }: { period: Period }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const statement = useQuery({
    queryKey: ['statement', period],
    queryFn: () => callApi('GET /statement', { query: period }),
  })
  if (statement.isPending) return <Loading lines={5} />
  if (statement.isError)
    return <LoadError refusal={refusalOf(statement.error)} onRetry={() => statement.refetch()} />
  return (
    <>
      <div className="no-print flex flex-wrap gap-2">
        <a
          href={addressOf('/statement.csv', {}, { ...period, lang: language })}
          download={`ingot-${period.from}-${period.to}.csv`}
          className={buttonClass('quiet', 'flex-1 basis-[9rem]')}
        >
          {texts.csv}
        </a>
        {IN_WEB_VIEW && <PrintButton />}
      </div>
      {!IN_WEB_VIEW && <Issue key={`${period.from} ${period.to}`} period={period} />}
      <StatementDocument statement={statement.data} />
    </>
  )
}
