import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { useSecondsLeft } from '../../../kit/countdown.tsx'
import { Field } from '../../../kit/field.tsx'
import { Form } from '../../../kit/form.tsx'
import { phone } from '../../../kit/format.ts'
import { useTexts } from '../../../kit/language.tsx'
import { Note } from '../../../kit/note.tsx'
import { refusalOf } from '../api/refusal.ts'
import { RefusalMessage } from '../api/refusal-message.tsx'
import { TEXTS } from './identity-texts.ts'

interface CodeProps {
  sent: { mdn: string; expiresAt: string; resendAfterSeconds: number; sandboxCode: string | null }
  // Each throws a refusal.
  onConfirm(code: string): Promise<void>
  onResend(): Promise<void>
  // Back to the details.
  onChangeDetails(): void
  placeButton?(button: ReactNode): ReactNode
}

// The code that the carrier sent to the phone.
export function CodeForm({
  sent,
  onConfirm,
  onResend,
  onChangeDetails,
  placeButton = (button) => button,
}: CodeProps) {
  const texts = useTexts(TEXTS)
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const confirm = useMutation({ mutationFn: onConfirm })
  const resend = useMutation({ mutationFn: onResend })
  // Starts again with every new code, and with every try to get one.
  const wait = Math.ceil(useSecondsLeft(sent.resendAfterSeconds, `${sent.expiresAt} ${resend.submittedAt}`))
  const failed = confirm.error ?? resend.error
  // The identity provider decides how long its codes are.
  const fine = /^\d{4,10}$/.test(code)
  return (
    <Form
      fill
      onSubmit={() => {
        setTried(true)
        if (fine && !confirm.isPending) confirm.mutate(code)
      }}
    >
      <p role="status" className="text-body">
        {texts.codeSent(phone(sent.mdn))}
      </p>
      {sent.sandboxCode && <Note>{texts.sandboxCode(sent.sandboxCode)}</Note>}
      <Field
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        autoFocus
        className="text-center text-2xl font-semibold tracking-[0.3em]"
        value={code}
        error={tried && !fine ? texts.badCode : undefined}
        onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
      />
      <RefusalMessage refusal={failed ? refusalOf(failed) : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" disabled={wait > 0} busy={resend.isPending} onClick={() => resend.mutate()}>
          {wait > 0 ? texts.resendIn(wait) : texts.resend}
        </Button>
        <Button look="plain" onClick={onChangeDetails}>
          {texts.change}
        </Button>
      </div>
      {placeButton(
        <Button type="submit" busy={confirm.isPending}>
          {texts.confirm}
        </Button>,
      )}
    </Form>
  )
}
