import { QueryClient, useQuery } from '@tanstack/react-query'
import type { ConsoleSession, Permission } from '../../../contract/console.gen.ts'
import { IS_SANDBOX } from '../../kit/environment.ts'
import { callApi, watchSession } from './api/call-api.ts'
import { Refusal } from './api/refusal.ts'

// What the service answers without a session. After a sign-out the pages need no request to know it.
const NOBODY: ConsoleSession = {
  signedIn: false,
  sandbox: IS_SANDBOX,
  staff: null,
  permissions: [],
  singlePerson: false,
  fresh: false,
}

// Worth a second try: these may be over in a moment.
const TRANSIENT = new Set(['offline', 'service_unavailable', 'request_timeout'])

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Offline, a call fails at once with `offline`. The default would wait for a network without telling.
      networkMode: 'always',
      staleTime: 5_000,
      retry: (times, error) => times < 2 && error instanceof Refusal && TRANSIENT.has(error.code),
      retryDelay: (times) => 500 * 2 ** times,
    },
    // No retries: an act whose answer was lost may have been done.
    mutations: { networkMode: 'always' },
  },
})

export const SESSION = { queryKey: ['session'], queryFn: () => callApi('GET /session') } as const

export const useSession = () => useQuery(SESSION)

// Pages hide what a role may not do. The service refuses it in any case.
export function useMay(): (permission: Permission) => boolean {
  const { data } = useSession()
  return (permission) => data?.permissions.includes(permission) ?? false
}

// Of the pages that one sees without a session. A query that is removed while its page is open would never be asked again.
const OF_NOBODY = new Set(['session', 'ways in', 'welcome'])

// The next person at this desk must see nothing of the last one's data.
export function forgetEverything(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !OF_NOBODY.has(String(queryKey[0])) })
  queryClient.setQueryData(SESSION.queryKey, NOBODY)
}

// After signing in, and after a proof, which replaces the session's cookie.
export function signedInAs(session: ConsoleSession): void {
  // A proof keeps the person, so the pages keep their data. Another person gets an empty cache.
  const before = queryClient.getQueryData<ConsoleSession>(SESSION.queryKey)
  if (before?.staff?.email !== session.staff?.email) forgetEverything()
  queryClient.setQueryData(SESSION.queryKey, session)
}

// One promise for all calls that were refused at the same moment.
let checking: Promise<ConsoleSession> | undefined

watchSession({
  // Calls that were refused at the same moment share one check. Another person, signed in meanwhile, does not count.
  async isStillSignedIn() {
    checking ??= SESSION.queryFn().finally(() => {
      checking = undefined
    })
    const now = await checking
    const before = queryClient.getQueryData<ConsoleSession>(SESSION.queryKey)
    return now.signedIn && now.staff?.email === before?.staff?.email
  },
  onEnded: forgetEverything,
})
