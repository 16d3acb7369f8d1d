import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Session } from '../../../../contract/member.gen.ts'
import { Loading } from '../../../kit/load-states.tsx'
import { refusalOf } from '../api/refusal.ts'
import { LoadError } from '../api/refusal-message.tsx'
import { IN_WEB_VIEW } from '../environment.ts'
import { useSession } from './session.ts'
import { WebViewEnded } from './web-view-ended.tsx'

// For a page that needs a session: without one the visitor goes to log in, and comes back here. `heading` is for a page
// that has no heading of its own until the session is known.
export function SignedIn({
  heading,
  children,
}: {
  heading?: string
  children: (session: Session) => ReactNode
}) {
  const session = useSession()
  // A known session counts, even if asking for it again has failed.
  if (session.data?.signedIn) return children(session.data)
  const hiddenHeading = heading && <h1 className="sr-only">{heading}</h1>
  if (session.isPending) {
    return (
      <>
        {hiddenHeading}
        <Loading />
      </>
    )
  }
  if (session.isError) {
    return (
      <>
        {hiddenHeading}
        <LoadError refusal={refusalOf(session.error)} onRetry={() => session.refetch()} />
      </>
    )
  }
  return IN_WEB_VIEW ? <WebViewEnded /> : <ToLogin />
}

// Remembers the address of the first render. While /login loads, this page is still shown, at the new address already.
function ToLogin() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const from = useRef(pathname)
  useEffect(() => {
    void navigate({ to: '/login', search: { to: from.current }, replace: true })
  }, [navigate])
  return <Loading />
}
