import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ask, refusalOf } from '../../kit/api.ts'
import { buttonClass } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { keepOnboarding, useGoOn, useOnboarding } from '../../kit/onboarding.ts'
import { Card, Loading, Trouble } from '../../kit/parts.tsx'
import { PhoneCode, PhoneDetails } from '../../kit/phone-steps.tsx'
import { Heading, Screen } from '../../kit/screen.tsx'
import { useSession, useSignedInAs } from '../../kit/session.tsx'
import { useTermsVersions } from '../../kit/terms-link.tsx'
import { Partners, TurnedAway, Welcome } from './endings.tsx'
import { Terms } from './terms.tsx'
import { type Agreed, TEXTS } from './texts.ts'

const STEPS = {
  purpose: 'sign_up',
  paths: { details: '/signup', code: '/signup/code' },
} as const

interface Away {
  reason: 'under_age' | 'not_eligible'
  contact: string | undefined
}

// Logging in and signing up are one path: the phone says who it is, and the service whether there is an account.
export default function SignupPage() {
  const { pathname } = useLocation()
  const [away, setAway] = useState<Away>()
  const onTurned = (reason: Away['reason'], contact: string | undefined) => setAway({ reason, contact })
  if (away) return <TurnedAway {...away} />
  switch (pathname.split('/').at(-1)) {
    case 'code':
      return <CodeStep onTurned={onTurned} />
    case 'terms':
      return <TermsStep />
    case 'partners':
      return <PartnersStep />
    case 'done':
      return <Welcome />
    default:
      return <DetailsStep onTurned={onTurned} />
  }
}

type Turned = (reason: Away['reason'], contact: string | undefined) => void

function DetailsStep({ onTurned }: { onTurned: Turned }) {
  const texts = useTexts(TEXTS)
  const onboarding = useOnboarding()
  const verified = onboarding.data?.purpose === 'sign_up' ? onboarding.data.verified : null
  return (
    <Screen title={texts.title} back>
      <Heading sub={texts.identitySub}>{texts.identityHeading}</Heading>
      {verified && !verified.isMember && (
        <Card className="flex flex-col gap-3">
          <p>{texts.hello(verified.name)}</p>
          <Link to="/signup/terms" className={buttonClass()}>
            {texts.goOn}
          </Link>
        </Card>
      )}
      <PhoneDetails {...STEPS} onTurned={onTurned} />
    </Screen>
  )
}

function CodeStep({ onTurned }: { onTurned: Turned }) {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { to } = useSearch({ strict: false }) as { to?: string }
  const goOn = useGoOn(to)
  return (
    <Screen title={texts.title} back>
      <Heading>{texts.codeHeading}</Heading>
      <PhoneCode
        {...STEPS}
        onTurned={onTurned}
        onVerified={async ({ onboarding, session }) => {
          if (session) return goOn(session)
          keepOnboarding(onboarding)
          await navigate({ to: '/signup/terms', replace: true })
        }}
        onPassed={({ verified }) =>
          void navigate({ to: verified?.isMember ? '/login' : '/signup/terms', replace: true })
        }
      />
    </Screen>
  )
}

function TermsStep() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const session = useSession()
  const signedInAs = useSignedInAs()
  const onboarding = useOnboarding()
  const versions = useTermsVersions()
  const verified = onboarding.data?.purpose === 'sign_up' ? onboarding.data.verified : null
  const join = useMutation({
    mutationFn: (agreed: Agreed) =>
      ask('POST /signup', {
        body: {
          agreed: { service: true, privacy: true, marketing: agreed.marketing },
          ...(versions.data ? { versions: versions.data } : {}),
        },
      }),
    onSuccess: async (joined) => {
      const hasCard = onboarding.data?.card != null
      signedInAs(joined)
      const next = joined.undecidedLinks > 0 ? '/signup/partners' : hasCard ? '/receive' : '/signup/done'
      await navigate({ to: next, replace: true })
    },
  })
  const signedIn = session.data?.signedIn === true
  const isGone = onboarding.data !== undefined && !verified && !join.isPending && !join.isSuccess
  useEffect(() => {
    if (isGone && session.data) void navigate({ to: signedIn ? '/signup/done' : '/signup', replace: true })
  }, [isGone, signedIn, session.data, navigate])
  if (onboarding.isError)
    return <Trouble refusal={refusalOf(onboarding.error)} onRetry={() => onboarding.refetch()} />
  if (!verified) {
    return (
      <Screen title={texts.title}>
        <Loading />
      </Screen>
    )
  }
  return (
    <Terms
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
    <Partners
      onDone={() => void navigate({ to: onboarding.data?.card ? '/receive' : '/signup/done', replace: true })}
    />
  )
}
