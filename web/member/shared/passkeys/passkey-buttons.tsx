import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../../../contract/member.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { Card } from '../../../kit/card.tsx'
import { KeyIcon } from '../../../kit/icons.tsx'
import { useTexts } from '../../../kit/language.tsx'
import { Note } from '../../../kit/note.tsx'
import { offersPasskeys } from '../../../kit/offers-passkeys.ts'
import { refusalOf } from '../api/refusal.ts'
import { RefusalMessage } from '../api/refusal-message.tsx'
import { useStepUp } from '../identity/step-up.tsx'
import { queryClient } from '../session/session.ts'

const TEXTS = {
  ko: {
    login: '패스키로 로그인하기',
    stopped: '패스키를 확인하지 못했어요. 다시 시도하거나 다른 방법으로 로그인해 주세요.',
    offer: '다음부터 패스키로 로그인하기',
    offerBody: '지문이나 얼굴, 화면 잠금으로 바로 로그인해요. 아이디와 비밀번호를 입력하지 않아도 돼요.',
    make: '패스키 만들기',
    notMade: '패스키를 만들지 않았어요. 원하면 다시 시도해 주세요. 설정에서 나중에 만들어도 돼요.',
    known: '이 기기에는 이 계정의 패스키가 이미 있어요. 그 패스키로 로그인하면 돼요.',
    made: '패스키를 만들었어요. 다음부터 이 기기에서 패스키로 로그인할 수 있어요.',
  },
  en: {
    login: 'Log in with a passkey',
    stopped: 'No passkey was used. Try again, or log in another way.',
    offer: 'Log in with a passkey next time',
    offerBody: 'Your fingerprint, face or screen lock logs you in. You need no id and no password.',
    make: 'Make a passkey',
    notMade: 'No passkey was made. Try again if you like, or make one later in the settings.',
    known: 'This device has a passkey for this account already. Log in with that one.',
    made: 'Your passkey is ready. Next time it logs you in on this device.',
  },
}

export const PASSKEYS = ['passkeys'] as const

// The library is not part of any page's first files.
const loadCeremony = () => import('./passkey-ceremony.ts')

// Loaded ahead: a browser shows its prompt only for a short time after the tap.
function useCeremony(): void {
  // A failure is no news yet: the press loads it again and says what is wrong.
  useEffect(() => void loadCeremony().catch(() => undefined), [])
}

// The result of a prompt. Closing it is no error.
function Outcome({ error, stopped }: { error: unknown; stopped: string }) {
  const texts = useTexts(TEXTS)
  const reason = (error as { reason?: string } | null)?.reason
  return (
    <>
      <div role="status" className="empty:hidden">
        {reason && <Note look="tint">{reason === 'known' ? texts.known : stopped}</Note>}
      </div>
      <RefusalMessage refusal={error && !reason ? refusalOf(error) : undefined} />
    </>
  )
}

interface PasskeyLoginProps {
  onSignedIn(session: Session): void
  look?: 'main' | 'quiet'
}

// Empty where the browser has no passkeys.
export function PasskeyLogin({ onSignedIn, look = 'main' }: PasskeyLoginProps) {
  const texts = useTexts(TEXTS)
  useCeremony()
  const login = useMutation({
    mutationFn: async () => (await loadCeremony()).logInWithPasskey(),
    onSuccess: onSignedIn,
  })
  if (!offersPasskeys('get')) return null
  return (
    <div className="flex flex-col gap-3">
      <Button look={look} busy={login.isPending} onClick={() => login.mutate()}>
        <KeyIcon className="me-2 size-5" />
        {texts.login}
      </Button>
      <Outcome error={login.error} stopped={texts.stopped} />
    </div>
  )
}

function useMakePasskey() {
  const withStepUp = useStepUp()
  useCeremony()
  return useMutation({
    mutationFn: async () => (await loadCeremony()).makePasskey(withStepUp),
    onSuccess: (answer) => queryClient.setQueryData(PASSKEYS, answer),
    // The passkey may exist although the answer got lost.
    onError: () => void queryClient.invalidateQueries({ queryKey: PASSKEYS }),
  })
}

// The button, and its result below it.
export function MakePasskey({ look = 'main' }: { look?: 'main' | 'quiet' }) {
  const texts = useTexts(TEXTS)
  const make = useMakePasskey()
  return (
    <>
      {!make.isSuccess && (
        <Button look={look} busy={make.isPending} onClick={() => make.mutate()}>
          <KeyIcon className="me-2 size-5" />
          {texts.make}
        </Button>
      )}
      <div role="status" className="empty:hidden">
        {make.isSuccess && <Note look="tint">{texts.made}</Note>}
      </div>
      <Outcome error={make.error} stopped={texts.notMade} />
    </>
  )
}

// After signing up, while the identity verification is fresh. Empty where the browser has no passkeys.
export function PasskeyOffer() {
  const texts = useTexts(TEXTS)
  if (!offersPasskeys('create')) return null
  return (
    <Card className="flex flex-col gap-3 text-start">
      <div>
        <h2 className="text-[1.0625rem] font-semibold">{texts.offer}</h2>
        <p className="text-sm text-sub">{texts.offerBody}</p>
      </div>
      <MakePasskey look="quiet" />
    </Card>
  )
}
