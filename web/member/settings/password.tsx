import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Form } from '../../kit/form.tsx'
import { date, seoulDay } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { isPasswordFine, NewPasswordField, passwordRules, Username } from '../../kit/password-field.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { isLoginId, LoginIdField } from './login-id-field.tsx'
import { TEXTS } from './texts.ts'

export function PasswordCard() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const profile = useQuery({ queryKey: ['profile'], queryFn: () => callApi('GET /profile') })
  const [open, setOpen] = useState(false)
  // The form goes, so the success is said in a live region that stays.
  const [changed, setChanged] = useState(false)
  const isNone = profile.data?.passwordChangedAt === null
  const title = isNone ? texts.setPassword : texts.password
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-[1.0625rem] font-semibold">{title}</h2>
        {isNone && <p className="text-sm text-sub">{texts.noPassword}</p>}
        {profile.data?.passwordChangedAt && (
          <p className="text-sm text-sub">
            {texts.changedAt(date(seoulDay(profile.data.passwordChangedAt), language))}
          </p>
        )}
      </div>
      <LiveRegion role="status">{changed && <Note look="tint">{texts.changed}</Note>}</LiveRegion>
      {open && profile.data ? (
        <PasswordForm
          own={profile.data.loginId}
          isNone={isNone}
          onChanged={() => {
            setOpen(false)
            setChanged(true)
            // A new password ends the other sessions: the list beside this card changes as well.
            void queryClient.invalidateQueries()
          }}
        />
      ) : (
        <Button look="quiet" onClick={() => setOpen(true)}>
          {title}
        </Button>
      )}
    </Card>
  )
}

// The first one comes with a login id, and without one to type before.
function PasswordForm(props: { own: string | null; isNone: boolean; onChanged(): void }) {
  const { own, isNone, onChanged } = props
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [chosen, setChosen] = useState('')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      withStepUp(() =>
        callApi('POST /password', {
          body: { next, ...(isNone ? {} : { current }), ...(own === null ? { loginId: chosen } : {}) },
        }),
      ),
    onSuccess: onChanged,
  })
  // These two are shown at their fields, not below the form.
  const code = save.error instanceof Refusal ? save.error.code : undefined
  const wrong = code === 'wrong_login'
  const isTaken = code === 'login_id_taken'
  const loginId = own ?? chosen
  // The service decides. This only keeps a form that it would refuse from being sent.
  const fine =
    (isNone || current !== '') && isLoginId(loginId) && isPasswordFine(passwordRules(next, loginId))
  return (
    <Form
      onSubmit={() => {
        setTried(true)
        if (fine && !save.isPending) save.mutate()
      }}
    >
      {own === null ? (
        <LoginIdField value={chosen} tried={tried} isTaken={isTaken} onChange={setChosen} />
      ) : (
        <Username loginId={own} />
      )}
      {!isNone && (
        <CurrentPasswordField
          value={current}
          tried={tried}
          isWrong={wrong}
          onChange={(typed) => {
            setCurrent(typed)
            save.reset()
          }}
        />
      )}
      <NewPasswordField {...{ loginId, tried }} value={next} onChange={setNext} />
      <RefusalMessage refusal={save.isError && !wrong && !isTaken ? refusalOf(save.error) : undefined} />
      <Button type="submit" busy={save.isPending}>
        {isNone ? texts.setPassword : texts.save}
      </Button>
    </Form>
  )
}
