import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { ABOUT, TEXTS } from './texts.ts'

export default function ReportsPage() {
  const texts = useTexts(TEXTS)
  const about = useTexts(ABOUT)
  const { language } = useLanguage()
  const may = useMay()
  const { data, error, refetch } = useQuery({ queryKey: ['reports'], queryFn: () => callApi('GET /reports') })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  const shown = data.reports.filter(({ ofAPerson }) => !ofAPerson || may('reports.person'))
  return (
    <Page title={texts.title} sub={texts.sub}>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map(({ name, names }) => (
          <li key={name} className="rounded-2xl bg-surface p-4 sm:p-5">
            <Link
              // `transactions` has a route of its own, which the router prefers.
              to="/reports/$report"
              params={{ report: name }}
              className="font-bold text-link hover:underline"
            >
              {names[language]}
            </Link>
            <p className="text-[0.9375rem] text-sub">{about[name]}</p>
          </li>
        ))}
      </ul>
    </Page>
  )
}
