import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, Refusal, refusalOf } from '../../kit/api.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { date, seoulDay } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Card, LiveRegion, Note, Problem } from '../../kit/parts.tsx'
import { isPasswordFine, NewPasswordField, passwordRules, Username } from '../../kit/password-field.tsx'
import { queries } from '../../kit/session.tsx'
import { useAct } from '../../kit/step-up.tsx'
import { TEXTS } from './texts.ts'

export function PasswordCard() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const profile = useQuery({ queryKey: ['profile'], queryFn: () => ask('GET /profile') })
  const [open, setOpen] = useState(false)
  const [changed, setChanged] = useState(false)
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-[1.0625rem] font-semibold">{texts.password}</h2>
        {profile.data?.passwordChangedAt && (
          <p className="text-sm text-sub">
            {texts.changedAt(date(seoulDay(profile.data.passwordChangedAt), language))}
          </p>
        )}
      </div>
      <LiveRegion role="status">{changed && <Note look="tint">{texts.changed}</Note>}</LiveRegion>
      {open ? (
        <PasswordForm
          loginId={profile.data?.loginId ?? ''}
          onChanged={() => {
            setOpen(false)
            setChanged(true)
            void queries.invalidateQueries()
          }}
        />
      ) : (
        <Button look="quiet" onClick={() => setOpen(true)}>
          {texts.password}
        </Button>
      )}
    </Card>
  )
}

function PasswordForm({ loginId, onChanged }: { loginId: string; onChanged(): void }) {
  const texts = useTexts(TEXTS)
  const act = useAct()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => act(() => ask('POST /password', { body: { current, next } })),
    onSuccess: onChanged,
  })
  const wrong = save.error instanceof Refusal && save.error.code === 'wrong_login'
  const fine = current !== '' && isPasswordFine(passwordRules(next, loginId))
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (fine && !save.isPending) save.mutate()
      }}
    >
      <Username loginId={loginId} />
      <Field
        label={texts.current}
        type="password"
        autoComplete="current-password"
        maxLength={128}
        value={current}
        error={wrong ? texts.wrongCurrent : tried && current === '' ? texts.currentMissing : undefined}
        onChange={(event) => {
          setCurrent(event.target.value)
          save.reset()
        }}
      />
      <NewPasswordField {...{ loginId, tried }} value={next} onChange={setNext} />
      <Problem refusal={save.isError && !wrong ? refusalOf(save.error) : undefined} />
      <Button type="submit" busy={save.isPending}>
        {texts.save}
      </Button>
    </form>
  )
}
