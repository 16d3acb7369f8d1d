import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Onboarding, Session } from '../../../contract/member.gen.ts'
import { callApi } from './api/call-api.ts'
import { queryClient, useSignedInAs } from './session/session.ts'

// What the service keeps for this visitor on the way to an account: a card, details, a verification. Reloading, Back and
// Forward find it again; nothing of it is in the address or in this browser's storage.
const ONBOARDING = {
  queryKey: ['onboarding'],
  queryFn: () => callApi('GET /onboarding'),
  staleTime: 5_000,
} as const

export const useOnboarding = () => useQuery(ONBOARDING)

export function keepOnboarding(onboarding: Onboarding): void {
  queryClient.setQueryData(ONBOARDING.queryKey, onboarding)
}

export async function forgetCard(): Promise<void> {
  await callApi('DELETE /onboarding')
  queryClient.removeQueries({ queryKey: ONBOARDING.queryKey })
}

// Signed in, by whichever way: on to the card in hand, or to where one was sent away from.
export function useContinue(to: string | undefined): (session: Session) => Promise<void> {
  const navigate = useNavigate()
  const signedInAs = useSignedInAs()
  return async (session) => {
    signedInAs(session)
    const { card } = await queryClient.fetchQuery(ONBOARDING).catch(() => ({ card: null }))
    await navigate({ to: (card ? '/receive' : (to ?? '/assets')) as '/', replace: true })
  }
}
