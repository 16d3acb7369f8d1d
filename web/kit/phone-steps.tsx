import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ConfirmedOnboarding, Onboarding } from '../../contract/member.gen.ts'
import { ask, refusalOf } from './api.ts'
import { CodeForm, DetailsForm } from './identity.tsx'
import { keepOnboarding, useOnboarding } from './onboarding.ts'
import { Loading, Trouble } from './parts.tsx'
import { Bottom } from './screen.tsx'

type Turned = (reason: 'under_age' | 'not_eligible', contact: string | undefined) => void

// Whoever may not go on at all is told so: trying again would not help.
async function turnedAway<T>(work: () => Promise<T>, onTurned: Turned): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, contact } = refusalOf(error)
    if (code === 'under_age' || code === 'not_eligible') onTurned(code, contact)
    throw error
  }
}

interface Steps {
  purpose: 'sign_up' | 'recover'
  paths: { details: '/signup' | '/recover'; code: '/signup/code' | '/recover/code' }
}

// Where one goes on afterwards stays in the address from step to step.
const useTo = () => useSearch({ strict: false }) as { to?: string }

// Verifying by phone before anybody is signed in: an address for each step, and all that was typed with the service.
export function PhoneDetails({ purpose, paths, onTurned }: Steps & { onTurned: Turned }) {
  const navigate = useNavigate()
  const search = useTo()
  const onboarding = useOnboarding()
  if (onboarding.isPending) return <Loading lines={6} />
  return (
    <DetailsForm
      initial={onboarding.data?.details ?? null}
      onSend={async (details) => {
        const body = { purpose, ...details }
        keepOnboarding(await turnedAway(() => ask('POST /onboarding/identity', { body }), onTurned))
        await navigate({ to: paths.code, search })
      }}
      place={(button) => <Bottom>{button}</Bottom>}
    />
  )
}

interface CodeStep extends Steps {
  onTurned: Turned
  onVerified(answer: ConfirmedOnboarding): Promise<void>
  // Of somebody whose code was right already, and who came back here.
  onPassed(onboarding: Onboarding): void
}

export function PhoneCode({ purpose, paths, onTurned, onVerified, onPassed }: CodeStep) {
  const navigate = useNavigate()
  const search = useTo()
  const onboarding = useOnboarding()
  const { data } = onboarding
  const isPassed = data?.verified != null && data.purpose === purpose
  const isGone = data !== undefined && !isPassed && !data.code
  useEffect(() => {
    if (isPassed && data) onPassed(data)
    else if (isGone) void navigate({ to: paths.details, search, replace: true })
  })
  if (onboarding.isError)
    return <Trouble refusal={refusalOf(onboarding.error)} onRetry={() => onboarding.refetch()} />
  if (!data?.code || !data.details) return <Loading lines={3} />
  return (
    <CodeForm
      sent={{ mdn: data.details.mdn, ...data.code }}
      onConfirm={async (code) => {
        const confirm = () => ask('POST /onboarding/identity/confirm', { body: { code } })
        await onVerified(await turnedAway(confirm, onTurned))
      }}
      onResend={async () => keepOnboarding(await ask('POST /onboarding/identity/resend'))}
      onChange={() => void navigate({ to: paths.details, search })}
      place={(button) => <Bottom>{button}</Bottom>}
    />
  )
}
