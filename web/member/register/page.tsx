import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { RegisteredCard } from '../../../contract/member.gen.ts'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Card, LiveRegion, Note, Problem } from '../../kit/parts.tsx'
import { isPinPlausible, PIN_LENGTH } from '../../kit/pin.ts'
import { PinInput } from '../../kit/pin-input.tsx'
import { IN_WEB_VIEW } from '../../kit/place.ts'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { useSession } from '../../kit/session.tsx'
import { useAct } from '../../kit/step-up.tsx'
import { pendingPin } from './pending-pin.ts'
import { Registered } from './registered.tsx'
import { TEXTS } from './texts.ts'

// Asked for while the last characters are typed, so that the first page is light and the sheet is there at once.
const loadConfirm = () => import('./confirm-card.tsx')
const ConfirmCard = lazy(loadConfirm)

// The page that every message leads to. It is there at once; who is signed in is found out while somebody types.
export default function RegisterPage() {
  const texts = useTexts(TEXTS)
  const session = useSession()
  const act = useAct()
  const [pin, setPin] = useState(pendingPin.get)
  const [asksWho, setAsksWho] = useState(false)
  const [done, setDone] = useState<RegisteredCard>()
  const check = useMutation({
    mutationFn: (typed: string) => act(() => ask('POST /cards/check', { body: { pin: typed } })),
  })
  const signedIn = session.data?.signedIn === true
  useGoOn(signedIn, check.mutate)

  const mistyped = pin.length === PIN_LENGTH && !isPinPlausible(pin)
  function change(next: string) {
    setPin(next)
    check.reset()
    if (next.length > PIN_LENGTH / 2) void loadConfirm()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isPinPlausible(pin) || check.isPending) return
    if (signedIn) return check.mutate(pin)
    pendingPin.keep(pin)
    setAsksWho(true)
  }
  if (done) return <Registered card={done} onAnother={() => setDone(undefined)} />
  if (asksWho && !signedIn) return <AskWho onBack={() => setAsksWho(false)} />
  return (
    <Screen title={texts.title} tabs={signedIn}>
      <form noValidate className="flex flex-1 flex-col gap-4" onSubmit={submit}>
        <Heading sub={texts.sub}>{texts.heading}</Heading>
        <PinInput
          label={texts.pin}
          hint={texts.hint}
          error={mistyped ? texts.mistyped : undefined}
          value={pin}
          onChange={change}
        />
        <Problem refusal={check.isError ? refusalOf(check.error) : undefined} />
        <LiveRegion role="status">{check.data?.again && <Note>{texts.againHere}</Note>}</LiveRegion>
        <Help />
        {!signedIn && !IN_WEB_VIEW && <Doors />}
        <Bottom>
          <Button type="submit" disabled={!isPinPlausible(pin)} busy={check.isPending}>
            {texts.next}
          </Button>
        </Bottom>
      </form>
      <Suspense>
        {check.data && !check.data.again && (
          <ConfirmCard
            card={check.data}
            pin={pin}
            onClose={check.reset}
            onDone={(card) => {
              pendingPin.drop()
              change('')
              setDone(card)
            }}
          />
        )}
      </Suspense>
    </Screen>
  )
}

// Back from logging in with a PIN in hand: straight to what the card is worth.
function useGoOn(signedIn: boolean, check: (pin: string) => void): void {
  const gone = useRef(false)
  useEffect(() => {
    const pin = pendingPin.get()
    if (!signedIn || gone.current || pin === '') return
    gone.current = true
    check(pin)
  }, [signedIn, check])
}

function Doors() {
  const texts = useTexts(TEXTS)
  return (
    <div className="flex flex-col text-center">
      <p className="text-sm text-sub">{texts.afterLogin}</p>
      <p className="flex justify-center gap-2">
        <Link to="/login" className="flex min-h-12 items-center px-3 font-medium text-link">
          {texts.login}
        </Link>
        <Link to="/signup" className="flex min-h-12 items-center px-3 font-medium text-link">
          {texts.signup}
        </Link>
      </p>
    </div>
  )
}

function AskWho({ onBack }: { onBack(): void }) {
  const texts = useTexts(TEXTS)
  return (
    <Screen
      title={texts.title}
      back={onBack}
      actions={
        <>
          <Link to="/login" search={{ to: '/' }} className={buttonClass('main')}>
            {texts.loginTo}
          </Link>
          <Link to="/signup" className={buttonClass('quiet')}>
            {texts.signupTo}
          </Link>
        </>
      }
    >
      <Heading sub={texts.whoSub}>{texts.who}</Heading>
    </Screen>
  )
}

function Help() {
  const texts = useTexts(TEXTS)
  return (
    <Card className="mt-2">
      <h2 className="font-semibold">{texts.helpTitle}</h2>
      <p className="mt-1 text-[0.9375rem] text-sub">{texts.help}</p>
    </Card>
  )
}
