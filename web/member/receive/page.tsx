import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { OnboardingCard, RegisteredCard } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Rows } from '../../kit/rows.tsx'
import ExpiredCard from '../refund/expired-card.tsx'
import ConfirmCard from '../register/confirm-card.tsx'
import { Registered } from '../register/registered.tsx'
import { isFinal, UnusableCard } from '../register/unusable-card.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { forgetCard, useContinue, useOnboarding } from '../shared/onboarding.ts'
import { PasskeyLogin } from '../shared/passkeys/passkey-buttons.tsx'
import { useSession } from '../shared/session/session.ts'
import { TEXTS } from './texts.ts'

// A card on its way into an account: log in, see its worth, confirm. The service keeps the PIN meanwhile.
export default function ReceivePage() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const session = useSession()
  const onboarding = useOnboarding()
  const [done, setDone] = useState<RegisteredCard>()
  // Kept here: if the card is registered but the answer got lost, the service no longer shows it. Pressing again still
  // brings the answer.
  const seen = useRef<OnboardingCard>(undefined)
  if (done) return <Registered card={done} onAnother={() => void navigate({ to: '/' })} />
  seen.current ??= onboarding.data?.card ?? undefined
  const card = seen.current
  // Both are needed to say what comes next, so the page waits for both. Later they are asked again behind what the page shows by
  // then: neither that nor its failure may take a refund's receipt away.
  const isKnown = card !== undefined || onboarding.data !== undefined
  const failed = (session.data ? null : session.error) ?? (isKnown ? null : onboarding.error)
  if (failed) {
    const again = () => Promise.all([session.refetch(), onboarding.refetch()])
    return (
      <MemberLayout title={texts.title} back>
        <LoadError refusal={refusalOf(failed)} onRetry={() => void again()} />
      </MemberLayout>
    )
  }
  if (!session.data || !isKnown) {
    return (
      <MemberLayout title={texts.title} back>
        <Loading />
      </MemberLayout>
    )
  }
  if (!card) return <NoCard signedIn={session.data.signedIn} />
  if (session.data.signedIn) return <Confirm card={card} onDone={setDone} />
  return <ChooseLogin card={card} />
}

// After a message's link it shows what that message said. A typed PIN may be a guess, so it shows nothing more.
function CardSummary({ card }: { card: OnboardingCard }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const won = useWon()
  const { told } = card
  return (
    <Card>
      {told && <p className="big-number mb-3">{won(told.amount)}</p>}
      <Rows
        rows={
          told
            ? [
                { name: texts.from, value: told.partner },
                { name: texts.until, value: texts.untilDay(date(told.expiresOn, language)) },
              ]
            : [{ name: texts.pin, value: <span className="font-code">{card.pin}</span> }]
        }
      />
    </Card>
  )
}

// The fastest way first where the browser has it: passkey, phone, then id and password.
function ChooseLogin({ card }: { card: OnboardingCard }) {
  const texts = useTexts(TEXTS)
  const continueAs = useContinue('/receive')
  return (
    <MemberLayout
      title={texts.title}
      back
      actions={
        <>
          <PasskeyLogin look="quiet" onSignedIn={(session) => void continueAs(session)} />
          <Link to="/signup" className={buttonClass()}>
            {texts.byPhone}
          </Link>
          <Link to="/login" search={{ to: '/receive' }} className={buttonClass('plain')}>
            {texts.byPassword}
          </Link>
        </>
      }
    >
      <Heading sub={texts.whoSub}>{texts.who}</Heading>
      <CardSummary card={card} />
    </MemberLayout>
  )
}

function Confirm({ card, onDone }: { card: OnboardingCard; onDone(card: RegisteredCard): void }) {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const withStepUp = useStepUp()
  const { mutate, ...check } = useMutation({
    // Without a PIN the service takes the card that it keeps for this browser.
    mutationFn: () => withStepUp(() => callApi('POST /cards/check', { body: {} })),
  })
  // The person has pressed a button already: the check starts by itself.
  useEffect(() => mutate(), [mutate])
  const drop = useMutation({ mutationFn: forgetCard, onSuccess: () => navigate({ to: '/' }) })
  const refusal = check.isError ? refusalOf(check.error) : undefined
  // An expired card may still be refunded, so it gets more than a message.
  if (refusal?.code === 'card_expired')
    return (
      <ExpiredCard
        busy={drop.isPending}
        onOther={() => drop.mutate()}
        // The refund is done. If this call fails, the service forgets the card by itself.
        onRefunded={() => void forgetCard().catch(() => {})}
      />
    )
  // The same person registered the card before, so there is nothing to confirm.
  if (check.data?.again || (refusal && isFinal(refusal)))
    return (
      <UnusableCard title={texts.title} refusal={refusal} busy={drop.isPending} onOther={() => drop.mutate()}>
        <CardSummary card={card} />
      </UnusableCard>
    )
  return (
    <MemberLayout
      title={texts.title}
      back
      actions={
        refusal ? (
          <>
            <Button onClick={() => mutate()}>{texts.checkAgain}</Button>
            <Button look="quiet" busy={drop.isPending} onClick={() => drop.mutate()}>
              {texts.other}
            </Button>
          </>
        ) : (
          <Button busy={check.isPending} onClick={() => mutate()}>
            {texts.checkAgain}
          </Button>
        )
      }
    >
      <Heading>{texts.inHand}</Heading>
      <CardSummary card={card} />
      <RefusalMessage refusal={refusal} />
      {check.data && <ConfirmCard card={check.data} onClose={() => check.reset()} onDone={onDone} />}
    </MemberLayout>
  )
}

// The service keeps a card for a limited time. After that it is typed again.
function NoCard({ signedIn }: { signedIn: boolean }) {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout
      title={texts.title}
      back
      actions={
        <>
          <Link to="/" className={buttonClass()}>
            {texts.typePin}
          </Link>
          {signedIn && (
            <Link to="/assets" className={buttonClass('quiet')}>
              {texts.assets}
            </Link>
          )}
        </>
      }
    >
      <Heading sub={texts.noneSub}>{texts.none}</Heading>
    </MemberLayout>
  )
}
