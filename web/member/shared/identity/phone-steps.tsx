import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ConfirmedOnboarding, Onboarding } from '../../../../contract/member.gen.ts'
import { PageActions } from '../../../kit/layout.tsx'
import { Loading } from '../../../kit/load-states.tsx'
import { callApi } from '../api/call-api.ts'
import { refusalOf } from '../api/refusal.ts'
import { LoadError } from '../api/refusal-message.tsx'
import { keepOnboarding, useOnboarding } from '../onboarding.ts'
import { CodeForm } from './code-form.tsx'
import { DetailsForm } from './details-form.tsx'

export type OnIneligible = (reason: 'under_age' | 'not_eligible', contact: string | undefined) => void

// A person who may not join gets a page of their own: another try would not help.
async function reportIneligible<T>(call: () => Promise<T>, onIneligible: OnIneligible): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { code, contact } = refusalOf(error)
    if (code === 'under_age' || code === 'not_eligible') onIneligible(code, contact)
    throw error
  }
}

interface Steps {
  purpose: 'sign_up' | 'recover'
  paths: { details: '/signup' | '/recover'; code: '/signup/code' | '/recover/code' }
}

// The page to return to after signing in. It stays in the address from step to step.
const useTo = () => useSearch({ strict: false }) as { to?: string }

// Verifying by phone before there is a session. Each step has an address, and the service keeps what was entered, so that
// a reload and Back lose nothing.
export function PhoneDetails({ purpose, paths, onIneligible }: Steps & { onIneligible: OnIneligible }) {
  const navigate = useNavigate()
  const search = useTo()
  const onboarding = useOnboarding()
  // An error is not waited for: then the form begins empty.
  if (onboarding.isPending) return <Loading lines={6} />
  return (
    <DetailsForm
      initial={onboarding.data?.details ?? null}
      onSend={async (details) => {
        const body = { purpose, ...details }
        keepOnboarding(
          await reportIneligible(() => callApi('POST /onboarding/identity', { body }), onIneligible),
        )
        await navigate({ to: paths.code, search })
      }}
      placeButton={(button) => <PageActions>{button}</PageActions>}
    />
  )
}

interface CodeStep extends Steps {
  onIneligible: OnIneligible
  onVerified(answer: ConfirmedOnboarding): Promise<void>
  // For a person who came back here after the code was accepted.
  onAlreadyVerified(onboarding: Onboarding): void
}

export function PhoneCode({ purpose, paths, onIneligible, onVerified, onAlreadyVerified }: CodeStep) {
  const navigate = useNavigate()
  const search = useTo()
  const onboarding = useOnboarding()
  const { data } = onboarding
  const isVerified = data?.verified != null && data.purpose === purpose
  // The code expired, or this address was opened without one.
  const isGone = data !== undefined && !isVerified && !data.code
  // After each render, because what the service keeps may change under this page.
  useEffect(() => {
    if (isVerified && data) onAlreadyVerified(data)
    else if (isGone) void navigate({ to: paths.details, search, replace: true })
  })
  if (onboarding.isError)
    return <LoadError refusal={refusalOf(onboarding.error)} onRetry={() => onboarding.refetch()} />
  if (!data?.code || !data.details) return <Loading lines={3} />
  return (
    <CodeForm
      sent={{ mdn: data.details.mdn, ...data.code }}
      onConfirm={async (code) => {
        const confirm = () => callApi('POST /onboarding/identity/confirm', { body: { code } })
        await onVerified(await reportIneligible(confirm, onIneligible))
      }}
      onResend={async () => keepOnboarding(await callApi('POST /onboarding/identity/resend'))}
      onChangeDetails={() => void navigate({ to: paths.details, search })}
      placeButton={(button) => <PageActions>{button}</PageActions>}
    />
  )
}
