import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { BASE_PATH } from '../../kit/environment.ts'
import { Checkbox } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Username } from '../../kit/password-field.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { CurrentPasswordField } from './current-password-field.tsx'
import { ErasureLines } from './erasure-lines.tsx'
import { TEXTS } from './texts.ts'

export function CloseAccount() {
  const texts = useTexts(TEXTS)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="min-h-12 self-center rounded-xl px-3 text-[0.9375rem] text-sub underline hover:text-ink"
      >
        {texts.close}
      </button>
      {open && <CloseSheet onClose={() => setOpen(false)} />}
    </>
  )
}

// Closing needs the password again: an unlocked phone must not be enough.
function CloseSheet({ onClose }: { onClose(): void }) {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const form = useId()
  const profile = useQuery({ queryKey: ['profile'], queryFn: () => callApi('GET /profile') })
  // A member without a password logs in by phone. The step-up has just verified that, and it is enough.
  const isNone = profile.data?.passwordChangedAt === null
  const [password, setPassword] = useState('')
  // Never ticked in advance: the member gives up what is left, and that has to be said.
  const [waive, setWaive] = useState(false)
  const [erase, setErase] = useState(false)
  const [tried, setTried] = useState(false)
  const close = useMutation({
    mutationFn: () =>
      withStepUp(() => callApi('POST /close', { body: { ...(isNone ? {} : { password }), waive, erase } })),
    // A new document: the old one may still hold data of the closed account.
    onSuccess: () => window.location.replace(`${BASE_PATH}/`),
  })
  // Two refusals have words of their own: a wrong password, and assets that remain.
  const code = close.error instanceof Refusal ? close.error.code : undefined
  return (
    <Sheet
      open
      onClose={onClose}
      title={texts.closeTitle}
      actions={
        <Button type="submit" form={form} look="buy" busy={close.isPending}>
          {texts.closeNow}
        </Button>
      }
    >
      <Form
        id={form}
        onSubmit={() => {
          setTried(true)
          if ((isNone || password !== '') && !close.isPending) close.mutate()
        }}
      >
        <p className="text-body">{texts.closeBody}</p>
        <Username loginId={profile.data?.loginId ?? ''} />
        {!isNone && (
          <CurrentPasswordField
            value={password}
            tried={tried}
            isWrong={code === 'wrong_login'}
            onChange={(typed) => {
              setPassword(typed)
              close.reset()
            }}
          />
        )}
        <Checkbox label={texts.waive} checked={waive} onChange={(event) => setWaive(event.target.checked)} />
        <Checkbox label={texts.erase} checked={erase} onChange={(event) => setErase(event.target.checked)} />
        {erase && <ErasureLines />}
        <RefusalMessage
          refusal={close.isError && code !== 'wrong_login' ? refusalOf(close.error) : undefined}
        >
          {code === 'assets_remain' ? texts.assetsRemain : undefined}
        </RefusalMessage>
      </Form>
    </Sheet>
  )
}
