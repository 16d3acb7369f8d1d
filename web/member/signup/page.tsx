import { useMutation } from '@tanstack/react-query'
import { Link, useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { type OnIneligible, PhoneCode, PhoneDetails } from '../shared/identity/phone-steps.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { keepOnboarding, useContinue, useOnboarding } from '../shared/onboarding.ts'
import { GuestPage } from '../shared/session/guest-page.tsx'
import { useSession, useSignedInAs } from '../shared/session/session.ts'
import { NotEligible, PartnerLinks, Welcome } from './last-steps.tsx'
import { TermsForm } from './terms-form.tsx'
import { useTermsVersions } from './terms-link.tsx'
import { type Agreed, TEXTS } from './texts.ts'

const STEPS = {
  purpose: 'sign_up',
  paths: { details: '/signup', code: '/signup/code' },
} as const

interface Ineligible {
  reason: 'under_age' | 'not_eligible'
  contact: string | undefined
}

// Logging in by phone and signing up are one path: the service knows after the code whether there is an account.
export default function SignupPage() {
  // Of this page's own route: the location is the next page's already while that one loads.
  const { fullPath } = useMatch({ strict: false })
  // In memory only: nothing about a child's age stays in the address or the browser.
  const [ineligible, setIneligible] = useState<Ineligible>()
  const onIneligible = (reason: Ineligible['reason'], contact: string | undefined) =>
    setIneligible({ reason, contact })
  if (ineligible) return <NotEligible {...ineligible} />
  switch (fullPath.split('/').at(-1)) {
    case 'code':
      return <CodeStep onIneligible={onIneligible} />
    case 'terms':
      return <TermsStep />
    case 'partners':
      return <PartnersStep />
    case 'done':
      return <Welcome />
    default:
      return <DetailsStep onIneligible={onIneligible} />
  }
}

// A visitor who verified before and came back may go on without another code.
function DetailsStep({ onIneligible }: { onIneligible: OnIneligible }) {
  const texts = useTexts(TEXTS)
  const onboarding = useOnboarding()
  const { to } = useSearch({ strict: false }) as { to?: string }
  const verified = onboarding.data?.purpose === 'sign_up' ? onboarding.data.verified : null
  return (
    <GuestPage title={texts.title} to={to}>
      <Heading sub={texts.identitySub}>{texts.identityHeading}</Heading>
      {verified && !verified.isMember && (
        <Card className="flex flex-col gap-3">
          <p>{texts.hello(verified.name)}</p>
          <Link to="/signup/terms" className={buttonClass()}>
            {texts.goOn}
          </Link>
        </Card>
      )}
      <PhoneDetails {...STEPS} onIneligible={onIneligible} />
    </GuestPage>
  )
}

function CodeStep({ onIneligible }: { onIneligible: OnIneligible }) {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { to } = useSearch({ strict: false }) as { to?: string }
  const continueAs = useContinue(to)
  return (
    <MemberLayout title={texts.title} back>
      <Heading>{texts.codeHeading}</Heading>
      <PhoneCode
        {...STEPS}
        onIneligible={onIneligible}
        onVerified={async ({ onboarding, session }) => {
          // A member's phone was verified: that is a login.
          if (session) return continueAs(session)
          keepOnboarding(onboarding)
          await navigate({ to: '/signup/terms', replace: true })
        }}
        onAlreadyVerified={({ verified }) =>
          void navigate({ to: verified?.isMember ? '/login' : '/signup/terms', replace: true })
        }
      />
    </MemberLayout>
  )
}

// The account is made here. Before this the service only knows a verified visitor.
function TermsStep() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const session = useSession()
  const signedInAs = useSignedInAs()
  const onboarding = useOnboarding()
  const versions = useTermsVersions()
  // A verification for recovering an account does not count here.
  const verified = onboarding.data?.purpose === 'sign_up' ? onboarding.data.verified : null
  const join = useMutation({
    mutationFn: (agreed: Agreed) =>
      callApi('POST /signup', {
        body: {
          agreed: { service: true, privacy: true, marketing: agreed.marketing },
          // The consent names the texts that were shown, even if new ones take effect meanwhile.
          ...(versions.data ? { versions: versions.data } : {}),
        },
      }),
    onSuccess: async (joined) => {
      // Read first: signedInAs() drops what was loaded for the guest.
      const hasCard = onboarding.data?.card != null
      signedInAs(joined)
      // The partners' step leads on to the card by itself.
      const next = joined.undecidedLinks > 0 ? '/signup/partners' : hasCard ? '/receive' : '/signup/done'
      await navigate({ to: next, replace: true })
    },
  })
  const signedIn = session.data?.signedIn === true
  // The service has no verification for this visitor: it expired, or another tab has finished signing up.
  // A sign-up uses its verification up, so then its absence is expected.
  const isGone = onboarding.data !== undefined && !verified && !join.isPending && !join.isSuccess
  useEffect(() => {
    if (isGone && session.data) void navigate({ to: signedIn ? '/signup/done' : '/signup', replace: true })
  }, [isGone, signedIn, session.data, navigate])
  if (onboarding.isError)
    return <LoadError refusal={refusalOf(onboarding.error)} onRetry={() => onboarding.refetch()} />
  if (!verified) {
    return (
      <MemberLayout title={texts.title}>
        <Loading />
      </MemberLayout>
    )
  }
  return (
    <TermsForm
      sub={texts.hello(verified.name)}
      busy={join.isPending}
      refusal={join.isError ? refusalOf(join.error) : undefined}
      onAgreed={(agreed) => !join.isPending && join.mutate(agreed)}
    />
  )
}

function PartnersStep() {
  const navigate = useNavigate()
  const onboarding = useOnboarding()
  return (
    <PartnerLinks
      onDone={() => void navigate({ to: onboarding.data?.card ? '/receive' : '/signup/done', replace: true })}
    />
  )
}
