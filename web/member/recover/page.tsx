import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { keepOnboarding, useGoOn, useOnboarding } from '../../kit/onboarding.ts'
import { Card, Loading, Problem, Rows } from '../../kit/parts.tsx'
import { isPasswordFine, NewPasswordField, passwordRules, Username } from '../../kit/password-field.tsx'
import { PhoneCode, PhoneDetails } from '../../kit/phone-steps.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { TEXTS } from './texts.ts'

const STEPS = {
  purpose: 'recover',
  paths: { details: '/recover', code: '/recover/code' },
} as const

// Whoever may not join is no member either: the form says so.
const onTurned = () => {}

export default function RecoverPage() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const toPassword = () => navigate({ to: '/recover/password', replace: true })
  const step = pathname.split('/').at(-1)
  if (step === 'password') return <PasswordStep />
  return (
    <Screen title={texts.title} back>
      <Heading sub={texts.sub}>{texts.heading}</Heading>
      {step === 'code' ? (
        <PhoneCode
          {...STEPS}
          onTurned={onTurned}
          onVerified={async ({ onboarding }) => {
            keepOnboarding(onboarding)
            await toPassword()
          }}
          onPassed={() => void toPassword()}
        />
      ) : (
        <PhoneDetails {...STEPS} onTurned={onTurned} />
      )}
    </Screen>
  )
}

function PasswordStep() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { data } = useOnboarding()
  const verified = data?.purpose === 'recover' ? data.verified : null
  const isGone = data !== undefined && !verified
  useEffect(() => {
    if (isGone) void navigate({ to: '/recover', replace: true })
  }, [isGone, navigate])
  if (!verified) {
    return (
      <Screen title={texts.title}>
        <Loading />
      </Screen>
    )
  }
  if (!verified.isMember) return <NoAccount />
  return verified.loginId === null ? <ByPhone /> : <NewPassword loginId={verified.loginId} />
}

// There is no password to set anew: the account is recovered as it is.
function ByPhone() {
  const texts = useTexts(TEXTS)
  const goOn = useGoOn(undefined)
  const enter = useMutation({ mutationFn: () => ask('POST /recover', { body: {} }), onSuccess: goOn })
  return (
    <Screen
      title={texts.title}
      back
      actions={
        <Button busy={enter.isPending} onClick={() => enter.mutate()}>
          {texts.enter}
        </Button>
      }
    >
      <Heading sub={texts.byPhoneSub}>{texts.byPhone}</Heading>
      <Problem refusal={enter.isError ? refusalOf(enter.error) : undefined} />
    </Screen>
  )
}

function NoAccount() {
  const texts = useTexts(TEXTS)
  return (
    <Screen
      title={texts.title}
      back
      actions={
        <Link to="/signup" className={buttonClass()}>
          {texts.signup}
        </Link>
      }
    >
      <Heading sub={texts.noneSub}>{texts.none}</Heading>
    </Screen>
  )
}

function NewPassword({ loginId }: { loginId: string }) {
  const texts = useTexts(TEXTS)
  const goOn = useGoOn(undefined)
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => ask('POST /recover', { body: { password } }),
    onSuccess: goOn,
  })
  const fine = isPasswordFine(passwordRules(password, loginId))
  return (
    <Screen title={texts.title} back>
      <form
        noValidate
        className="flex flex-1 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (fine && !save.isPending) save.mutate()
        }}
      >
        <Heading sub={texts.reset}>{texts.found}</Heading>
        <Card>
          <Rows rows={[{ name: texts.id, value: loginId, strong: true }]} />
        </Card>
        <Username loginId={loginId} />
        <NewPasswordField loginId={loginId} value={password} tried={tried} onChange={setPassword} />
        <Problem refusal={save.isError ? refusalOf(save.error) : undefined} />
        <Bottom>
          <Link
            to="/login"
            className="flex min-h-12 items-center justify-center text-[0.9375rem] font-medium text-sub"
          >
            {texts.login}
          </Link>
          <Button type="submit" busy={save.isPending}>
            {texts.save}
          </Button>
        </Bottom>
      </form>
    </Screen>
  )
}
