import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../../kit/button.tsx'
import { KeyIcon } from '../../kit/icons.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { refusalOf } from './api/refusal.ts'
import { RefusalMessage } from './api/refusal-message.tsx'

const TEXTS = {
  ko: {
    stopped: '패스키를 사용하지 않았습니다. 다시 시도하거나 다른 방법을 골라 주세요.',
    known: '이 기기에는 이 계정의 패스키가 이미 있습니다.',
  },
  en: {
    stopped: 'No passkey was used. Try again, or choose another way.',
    known: 'This device has a passkey for this account already.',
  },
}

// The library for passkeys stays out of the first files of a page.
const loadCeremony = () => import('../../kit/passkey-ceremony.ts')
type Ceremony = Awaited<ReturnType<typeof loadCeremony>>

interface Props<Answer> {
  children: ReactNode
  // Asks the service, prompts, and tells the service what the device signed.
  run(ceremony: Ceremony): Promise<Answer>
  onDone(answer: Answer): void
  look?: 'main' | 'quiet'
}

// A button behind which the browser asks for a passkey or makes one. Closing that prompt is no error.
export function PasskeyButton<Answer>({ children, run, onDone, look = 'main' }: Props<Answer>) {
  const texts = useTexts(TEXTS)
  // Loaded ahead: a browser shows its prompt only for a short time after the click.
  useEffect(() => void loadCeremony().catch(() => undefined), [])
  const act = useMutation({ mutationFn: async () => run(await loadCeremony()), onSuccess: onDone })
  // Errors of the browser's prompt have a reason. All others are refusals of the service.
  const reason = (act.error as { reason?: 'stopped' | 'known' } | null)?.reason
  return (
    <div className="flex flex-col gap-3">
      <Button look={look} busy={act.isPending} onClick={() => act.mutate()}>
        <KeyIcon className="me-2 size-5" />
        {children}
      </Button>
      <div role="status" className="empty:hidden">
        {reason && <Note look="tint">{texts[reason]}</Note>}
      </div>
      <RefusalMessage refusal={act.error && !reason ? refusalOf(act.error) : undefined} />
    </div>
  )
}
