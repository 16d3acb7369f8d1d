import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { isPasswordFine, NewPasswordField, passwordRules, Username } from '../../kit/password-field.tsx'
import { Rows } from '../../kit/rows.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { PhoneCode, PhoneDetails } from '../shared/identity/phone-steps.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { keepOnboarding, useContinue, useOnboarding } from '../shared/onboarding.ts'
import { TEXTS } from './texts.ts'

// Signing up has the same steps. Only the purpose and the addresses differ.
const STEPS = {
  purpose: 'recover',
  paths: { details: '/recover', code: '/recover/code' },
} as const

// A person who may not join has no account to recover: the form's own message is enough.
const onIneligible = () => {}

// The same steps as signing up, but with no new account at the end.
export default function RecoverPage() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  // Replaced, so that Back does not lead to a code that is used up.
  const toPassword = () => navigate({ to: '/recover/password', replace: true })
  const step = pathname.split('/').at(-1)
  if (step === 'password') return <PasswordStep />
  return (
    <MemberLayout title={texts.title} back>
      <Heading sub={texts.sub}>{texts.heading}</Heading>
      {step === 'code' ? (
        <PhoneCode
          {...STEPS}
          onIneligible={onIneligible}
          onVerified={async ({ onboarding }) => {
            keepOnboarding(onboarding)
            await toPassword()
          }}
          onAlreadyVerified={() => void toPassword()}
        />
      ) : (
        <PhoneDetails {...STEPS} onIneligible={onIneligible} />
      )}
    </MemberLayout>
  )
}

function PasswordStep() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { data } = useOnboarding()
  // A verification for signing up does not count: recovering needs one of its own.
  const verified = data?.purpose === 'recover' ? data.verified : null
  // The verification expired, or this address was opened without one.
  const isGone = data !== undefined && !verified
  useEffect(() => {
    if (isGone) void navigate({ to: '/recover', replace: true })
  }, [isGone, navigate])
  if (!verified) {
    return (
      <MemberLayout title={texts.title}>
        <Loading />
      </MemberLayout>
    )
  }
  if (!verified.isMember) return <NoAccount />
  return verified.loginId === null ? <ByPhone /> : <NewPassword loginId={verified.loginId} />
}

// An account without a password has nothing to reset: the verified phone is the way in.
function ByPhone() {
  const texts = useTexts(TEXTS)
  const continueAs = useContinue(undefined)
  const enter = useMutation({
    // Without an id the service takes the verification of this browser's onboarding.
    mutationFn: () => callApi('POST /recover', { body: {} }),
    onSuccess: continueAs,
  })
  return (
    <MemberLayout
      title={texts.title}
      back
      actions={
        <Button busy={enter.isPending} onClick={() => enter.mutate()}>
          {texts.enter}
        </Button>
      }
    >
      <Heading sub={texts.byPhoneSub}>{texts.byPhone}</Heading>
      <RefusalMessage refusal={enter.isError ? refusalOf(enter.error) : undefined} />
    </MemberLayout>
  )
}

// The person is verified, so saying that there is no account tells nobody else anything.
function NoAccount() {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout
      title={texts.title}
      back
      actions={
        <Link to="/signup" className={buttonClass()}>
          {texts.signup}
        </Link>
      }
    >
      <Heading sub={texts.noneSub}>{texts.none}</Heading>
    </MemberLayout>
  )
}

// The password manager learns the id from a hidden field, and offers to save both.
function NewPassword({ loginId }: { loginId: string }) {
  const texts = useTexts(TEXTS)
  const continueAs = useContinue(undefined)
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => callApi('POST /recover', { body: { password } }),
    onSuccess: continueAs,
  })
  const fine = isPasswordFine(passwordRules(password, loginId))
  return (
    <MemberLayout title={texts.title} back>
      <Form
        fill
        onSubmit={() => {
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
        <RefusalMessage refusal={save.isError ? refusalOf(save.error) : undefined} />
        <PageActions>
          <Link
            to="/login"
            className="flex min-h-12 items-center justify-center text-[0.9375rem] font-medium text-sub"
          >
            {texts.login}
          </Link>
          <Button type="submit" busy={save.isPending}>
            {texts.save}
          </Button>
        </PageActions>
      </Form>
    </MemberLayout>
  )
}
