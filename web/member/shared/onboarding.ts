import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Onboarding, Session } from '../../../contract/member.gen.ts'
import { callApi } from './api/call-api.ts'
import { queryClient, useSignedInAs } from './session/session.ts'

// What the service keeps for a visitor without an account: a card, details, a verification. A reload, Back and Forward find
// it again. None of it is in the address or in the browser's storage, where the next person could read it.
const ONBOARDING = {
  queryKey: ['onboarding'],
  queryFn: () => callApi('GET /onboarding'),
  // Another tab may change it: a step that opens later asks again.
  staleTime: 5_000,
} as const

export const useOnboarding = () => useQuery(ONBOARDING)

// Each step answers with all that is kept, so no page asks a second time.
export function keepOnboarding(onboarding: Onboarding): void {
  queryClient.setQueryData(ONBOARDING.queryKey, onboarding)
}

export async function forgetCard(): Promise<void> {
  // The service first: a page that forgets alone would get the card again.
  await callApi('DELETE /onboarding')
  queryClient.removeQueries({ queryKey: ONBOARDING.queryKey })
}

// After signing in, by any way: to the card that is waiting, or to the page that asked for the session.
export function useContinue(to: string | undefined): (session: Session) => Promise<void> {
  const goOn = useGoOn(to)
  const signedInAs = useSignedInAs()
  return (session) => {
    signedInAs(session)
    return goOn()
  }
}

// The same for whoever is signed in already.
export function useGoOn(to: string | undefined): () => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async () => {
    // Without an answer the person goes on all the same: the card is still there later.
    const { card } = await queryClient.fetchQuery(ONBOARDING).catch(() => ({ card: null }))
    // Replaced, so that Back does not lead to the log-in again.
    await navigate({ to: (card ? '/receive' : (to ?? '/assets')) as '/', replace: true })
  }, [navigate, to])
}
