import { Navigate } from '@tanstack/react-router'
import { lazyPart } from './shared/lazy.tsx'
import { NAVIGATION } from './shared/navigation.ts'
import { useMay } from './shared/session.ts'

const OverviewPage = lazyPart(() => import('./overview/page.tsx'))

// Where everybody enters: the first page of the menu that the role may see. A partner's staff have no overview.
export function HomePage() {
  const may = useMay()
  const first = NAVIGATION.flatMap(({ entries }) => entries).find(({ permission }) => may(permission))
  if (first === undefined || first.to === '/') return <OverviewPage />
  return <Navigate to={first.to} replace />
}
