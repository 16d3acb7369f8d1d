import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '../../../../contract/member.gen.ts'
import { IS_SANDBOX } from '../../../kit/environment.ts'
import { callApi, watchSession } from '../api/call-api.ts'
import { Refusal } from '../api/refusal.ts'

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

// Worth a second try: these may be over in a moment.
const TRANSIENT = new Set(['offline', 'service_unavailable', 'request_timeout'])

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Offline, a call fails at once with `offline`. The default would wait for a network without telling.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (times, error) => times < 2 && error instanceof Refusal && TRANSIENT.has(error.code),
      retryDelay: (times) => 500 * 2 ** times,
    },
    // Never retried by itself: a change is sent again by a press, under the same id.
    mutations: { networkMode: 'always' },
  },
})

export const SESSION = { queryKey: ['session'], queryFn: () => callApi('GET /session') } as const

export const useSession = () => useQuery(SESSION)

// The next person at this device must see nothing of the last one's data.
export function forgetEverything(): void {
  // The session's entry is replaced below. Removed, it would be asked for at once.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  queryClient.setQueryData(SESSION.queryKey, NOBODY)
}

// A web view ends with its link. The person refused it here, or in another window.
export function forgetRefusedLink(): void {
  forgetEverything()
  queryClient.setQueryData(SESSION.queryKey, { ...NOBODY, linkRefused: true })
}

// Set by the check that comes before `onEnded`, which has to know why.
let linkRefused = false
watchSession({
  isStillSignedIn,
  onEnded: () => (linkRefused ? forgetRefusedLink() : forgetEverything()),
})

let checking: Promise<Session> | undefined

// Calls that were refused at the same moment share one check. Another person, signed in meanwhile, does not count: the
// page still shows the first one's data.
async function isStillSignedIn(): Promise<boolean> {
  checking ??= SESSION.queryFn().finally(() => {
    checking = undefined
  })
  const now = await checking
  linkRefused = now.linkRefused
  const before = queryClient.getQueryData<Session>(SESSION.queryKey)
  const isSame = (['kind', 'loginId', 'name', 'partner'] as const).every(
    (part) => before?.[part] === now[part],
  )
  if (now.signedIn && isSame) queryClient.setQueryData(SESSION.queryKey, now)
  return now.signedIn && isSame
}

// After signing in or up: data loaded before that was a guest's.
export function useSignedInAs(): (session: Session) => void {
  const client = useQueryClient()
  return (session) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    client.setQueryData(SESSION.queryKey, session)
  }
}
