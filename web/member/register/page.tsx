import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { RegisteredCard } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { lazyPart } from '../shared/lazy.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { keepOnboarding, useOnboarding } from '../shared/onboarding.ts'
import { useSession } from '../shared/session/session.ts'
import { dropCardLink, useCardLink } from './card-link.ts'
import { isPinPlausible, PIN_LENGTH } from './pin.ts'
import { PinInput } from './pin-input.tsx'
import { Registered } from './registered.tsx'
import { TEXTS } from './texts.ts'
import { isFinal, UnusableCard } from './unusable-card.tsx'

// Not in the first script, which stays small. It loads while the last characters are typed, so the sheet opens at once.
const loadConfirm = () => import('./confirm-card.tsx')
const ConfirmCard = lazy(loadConfirm)
const ExpiredCard = lazyPart(() => import('../refund/expired-card.tsx'), <Loading />)

// Every message leads to this page. It shows at once; the session loads while the visitor types.
export default function RegisterPage() {
  const code = useCardLink()
  if (IN_WEB_VIEW) return <WebViewPinPage />
  // The key makes a second link start anew, with a request of its own.
  return code === undefined ? <PinPage /> : <CardLinkPage key={code} code={code} />
}

// Opened by a message's link, which stands for the PIN: nothing is typed.
function CardLinkPage({ code }: { code: string }) {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const { mutate, error } = useMutation({
    mutationFn: () => callApi('POST /onboarding/link', { body: { code } }),
    onSuccess: async (onboarding) => {
      keepOnboarding(onboarding)
      // Dropped last: without the code this page would show the PIN form while the next one loads.
      await navigate({ to: '/receive', replace: true })
      dropCardLink()
    },
  })
  useEffect(() => mutate(), [mutate])
  const refusal = error ? refusalOf(error) : undefined
  // A link that is wrong or too old: the PIN in the same message still works.
  const isDead = refusal?.code === 'card_not_registered' || refusal?.code === 'invalid_request'
  if (refusal && !isDead && isFinal(refusal))
    return <UnusableCard title={texts.title} refusal={refusal} onOther={dropCardLink} />
  return (
    <MemberLayout
      title={texts.title}
      actions={isDead && <Button onClick={dropCardLink}>{texts.typePin}</Button>}
    >
      {isDead ? (
        <Heading sub={texts.deadLinkSub}>{texts.deadLink}</Heading>
      ) : refusal ? (
        <LoadError refusal={refusal} onRetry={() => mutate()} />
      ) : (
        <Loading lines={3} />
      )}
    </MemberLayout>
  )
}

// The service keeps the PIN and the next page goes on with it. Only a member learns what a card is worth.
function PinPage() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const session = useSession()
  const [pin, setPin] = useState('')
  const keep = useMutation({
    mutationFn: () => callApi('PUT /onboarding', { body: { pin } }),
    onSuccess: async (onboarding) => {
      keepOnboarding(onboarding)
      await navigate({ to: '/receive' })
    },
  })
  const signedIn = session.data?.signedIn === true
  return (
    <MemberLayout title={texts.title} tabs={signedIn}>
      <PinForm
        pin={pin}
        busy={keep.isPending}
        onChange={(next) => {
          setPin(next)
          // The refusal was about the PIN before.
          keep.reset()
        }}
        onPin={() => keep.mutate()}
      >
        <RefusalMessage refusal={keep.isError ? refusalOf(keep.error) : undefined} />
        <KeptCard />
        <PinHelp />
        {!signedIn && <LoginHint />}
      </PinForm>
    </MemberLayout>
  )
}

// For a visitor who came Back after typing a PIN.
function KeptCard() {
  const texts = useTexts(TEXTS)
  const { data } = useOnboarding()
  if (!data?.card) return null
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <p>{texts.inHand}</p>
        <p className="font-code">{data.card.pin}</p>
      </div>
      <Link to="/receive" className={buttonClass('quiet')}>
        {texts.goOn}
      </Link>
    </Card>
  )
}

// A web view always has a session, so the card's worth is shown right here.
function WebViewPinPage() {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const [pin, setPin] = useState('')
  const [done, setDone] = useState<RegisteredCard>()
  const check = useMutation({
    mutationFn: () => withStepUp(() => callApi('POST /cards/check', { body: { pin } })),
  })
  function change(next: string) {
    setPin(next)
    check.reset()
    if (next.length > PIN_LENGTH / 2) void loadConfirm()
  }
  if (done) return <Registered card={done} onAnother={() => setDone(undefined)} />
  // An expired card may still be refunded, so it gets more than a message.
  if (check.isError && refusalOf(check.error).code === 'card_expired')
    return <ExpiredCard pin={pin} onOther={() => change('')} />
  return (
    <MemberLayout title={texts.title} tabs>
      <PinForm pin={pin} busy={check.isPending} onChange={change} onPin={() => check.mutate()}>
        <RefusalMessage refusal={check.isError ? refusalOf(check.error) : undefined} />
        <LiveRegion role="status">{check.data?.again && <Note>{texts.againHere}</Note>}</LiveRegion>
        <PinHelp />
      </PinForm>
      <Suspense>
        {check.data && !check.data.again && (
          <ConfirmCard
            card={check.data}
            pin={pin}
            onClose={check.reset}
            onDone={(card) => {
              change('')
              setDone(card)
            }}
          />
        )}
      </Suspense>
    </MemberLayout>
  )
}

function PinForm(props: {
  pin: string
  busy: boolean
  onChange(pin: string): void
  onPin(): void
  children: ReactNode
}) {
  const { pin } = props
  const texts = useTexts(TEXTS)
  const [tried, setTried] = useState(false)
  // The PIN's own check character finds a typo without asking the service, which counts guesses.
  const mistyped = pin.length === PIN_LENGTH && !isPinPlausible(pin)
  const incomplete = tried && pin.length < PIN_LENGTH
  return (
    <Form
      fill
      onSubmit={() => {
        setTried(true)
        if (isPinPlausible(pin) && !props.busy) props.onPin()
      }}
    >
      <Heading sub={texts.sub}>{texts.heading}</Heading>
      <PinInput
        label={texts.pin}
        hint={texts.hint}
        error={mistyped ? texts.mistyped : incomplete ? texts.incomplete : undefined}
        value={pin}
        onChange={(next) => {
          setTried(false)
          props.onChange(next)
        }}
      />
      {props.children}
      <PageActions>
        <Button type="submit" busy={props.busy}>
          {texts.next}
        </Button>
      </PageActions>
    </Form>
  )
}

// Says that registering a card needs an account.
function LoginHint() {
  const texts = useTexts(TEXTS)
  return (
    <div className="flex flex-col text-center">
      <p className="text-sm text-sub">{texts.nextStep}</p>
      <Link
        to="/login"
        className="flex min-h-12 min-w-12 items-center justify-center self-center px-3 font-medium text-link"
      >
        {texts.login}
      </Link>
    </div>
  )
}

function PinHelp() {
  const texts = useTexts(TEXTS)
  return (
    <Card className="mt-2">
      <h2 className="font-semibold">{texts.helpTitle}</h2>
      <p className="mt-1 text-[0.9375rem] text-sub">{texts.help}</p>
    </Card>
  )
}
