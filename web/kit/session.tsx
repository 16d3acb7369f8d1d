import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Session } from '../../contract/member.gen.ts'
import { ask, listenForSignedOut, Refusal, refusalOf } from './api.ts'
import { Ended } from './ended.tsx'
import { Loading, Trouble } from './parts.tsx'
import { IN_WEB_VIEW, IS_SANDBOX } from './place.ts'

const NOBODY: Session = {
  signedIn: false,
  sandbox: IS_SANDBOX,
  kind: null,
  name: null,
  loginId: null,
  partner: null,
  mustVerify: false,
  undecidedLinks: 0,
  linkRefused: false,
}

const MAY_PASS = new Set(['offline', 'service_unavailable', 'request_timeout'])

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network the answer is that there is none, rather than no answer.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (times, error) => times < 2 && error instanceof Refusal && MAY_PASS.has(error.code),
      retryDelay: (times) => 500 * 2 ** times,
    },
    mutations: { networkMode: 'always' },
  },
})

export const SESSION = { queryKey: ['session'], queryFn: () => ask('GET /session') } as const

export const useSession = () => useQuery(SESSION)

// Somebody else may sit here next: nothing of what was shown stays.
export function forgetEverything(): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  queries.setQueryData(SESSION.queryKey, NOBODY)
}

// Of a web view whose link the person has just refused, or has refused elsewhere.
export function forgetRefusedLink(): void {
  forgetEverything()
  queries.setQueryData(SESSION.queryKey, { ...NOBODY, linkRefused: true })
}

let linkRefused = false
listenForSignedOut({
  isStill: isStillThere,
  onEnded: () => (linkRefused ? forgetRefusedLink() : forgetEverything()),
})

let looking: Promise<Session> | undefined

// Everyone who was refused at the same moment looks once together. Somebody else by now is not the same.
async function isStillThere(): Promise<boolean> {
  looking ??= SESSION.queryFn().finally(() => {
    looking = undefined
  })
  const now = await looking
  linkRefused = now.linkRefused
  const before = queries.getQueryData<Session>(SESSION.queryKey)
  const isSame = (['kind', 'loginId', 'name', 'partner'] as const).every(
    (part) => before?.[part] === now[part],
  )
  if (now.signedIn && isSame) queries.setQueryData(SESSION.queryKey, now)
  return now.signedIn && isSame
}

// After signing in or up: what was loaded for nobody is not for this one.
export function useSignedInAs(): (session: Session) => void {
  const client = useQueryClient()
  return (session) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    client.setQueryData(SESSION.queryKey, session)
  }
}

// For pages that are somebody's: who is not signed in goes to log in, and comes back here. `heading` is for a page
// that has none of its own until it knows whose it is.
export function SignedIn({
  heading,
  children,
}: {
  heading?: string
  children: (session: Session) => ReactNode
}) {
  const session = useSession()
  if (session.data?.signedIn) return children(session.data)
  const unheard = heading && <h1 className="sr-only">{heading}</h1>
  if (session.isPending) {
    return (
      <>
        {unheard}
        <Loading />
      </>
    )
  }
  if (session.isError) {
    return (
      <>
        {unheard}
        <Trouble refusal={refusalOf(session.error)} onRetry={() => session.refetch()} />
      </>
    )
  }
  return IN_WEB_VIEW ? <Ended /> : <ToLogin />
}

// Once, from where we were when it began: while the next page loads this one is still there, at the new address.
function ToLogin() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const from = useRef(pathname)
  useEffect(() => {
    void navigate({ to: '/login', search: { to: from.current }, replace: true })
  }, [navigate])
  return <Loading />
}
