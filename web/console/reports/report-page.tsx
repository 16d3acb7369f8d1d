import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReportName } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { API_PATH } from '../shared/environment.ts'
import { Page } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { ReportAnswer, StandsFor } from './answer.tsx'
import { FundSheet } from './fund-sheet.tsx'
import { PeriodForm } from './period-form.tsx'
import { ABOUT, TEXTS } from './texts.ts'

// The report about one person takes fresh proof and a reason, so it has a page of its own.
type OpenReport = Exclude<ReportName, 'transactions'>

// Without those that are not in the address.
function given({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

export default function ReportPage() {
  const texts = useTexts(TEXTS)
  const about = useTexts(ABOUT)
  const { language } = useLanguage()
  const report = useParams({ from: '/reports/$report' }).report as OpenReport
  const days = useSearch({ from: '/reports/$report' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['report', report, days],
    queryFn: () => callApi('GET /reports/:report', { params: { report }, query: given(days) }),
  })
  const title = data?.names[language] ?? about[report] ?? texts.title
  return (
    <Page
      title={title}
      sub={data && <StandsFor report={data} />}
      actions={data && <Acts report={report} from={data.from} to={data.to} onDone={refetch} />}
    >
      <PeriodForm
        // The service fills in days that the address leaves out. A new key puts them into the fields.
        key={`${report} ${data?.from} ${data?.to}`}
        from={days.from ?? data?.from ?? ''}
        to={days.to ?? data?.to ?? ''}
        onChange={(search) => void navigate({ to: '/reports/$report', params: { report }, search })}
      />
      {error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : data ? (
        <ReportAnswer report={data} />
      ) : (
        <Loading lines={6} />
      )}
    </Page>
  )
}

function Acts({
  report,
  from,
  to,
  onDone,
}: {
  report: OpenReport
  from: string
  to: string
  onDone(): void
}) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const may = useMay()
  const [open, setOpen] = useState(false)
  // The days of the answer on the page, so that file and page agree.
  const file = (format: string) =>
    `${API_PATH}/reports/${report}/file?${new URLSearchParams({ from, to, format, language })}`
  // A balance is recorded where the reports show that it is missing.
  const isOfFunds = report === 'safeguarding' || report === 'safeguarded-funds'
  return (
    <>
      {/* A plain link: the browser sends the cookie and saves the file by itself. */}
      {(['csv', 'xlsx'] as const).map((format) => (
        <a key={format} href={file(format)} download className="min-h-6 px-1.5 text-link hover:underline">
          {format.toUpperCase()}
        </a>
      ))}
      {report === 'safeguarding' && (
        <Link
          to="/reports/$report"
          params={{ report: 'safeguarded-funds' }}
          search={{ from, to }}
          className="min-h-6 px-1.5 text-link hover:underline"
        >
          {texts.records}
        </Link>
      )}
      {isOfFunds && may('safeguards.request') && (
        <Button size="small" onClick={() => setOpen(true)}>
          {texts.record}
        </Button>
      )}
      {open && <FundSheet asOf={to} onClose={() => setOpen(false)} onDone={onDone} />}
    </>
  )
}
