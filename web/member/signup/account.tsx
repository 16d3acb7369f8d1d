import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '../../../contract/member.gen.ts'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Problem } from '../../kit/parts.tsx'
import { isPasswordFine, NewPasswordField, passwordRules } from '../../kit/password-field.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { useTermsVersions } from '../../kit/terms-link.tsx'
import { type Agreed, TEXTS } from './texts.ts'

const LOGIN_ID = /^[a-z][a-z0-9_.-]{3,29}$/

interface Props {
  verificationId: string
  name: string
  agreed: Agreed
  onJoined(session: Session): void
  onRefused(reason: 'under_age' | 'not_eligible', contact: string | undefined): void
}

export function Account({ verificationId, name, agreed, onJoined, onRefused }: Props) {
  const texts = useTexts(TEXTS)
  const versions = useTermsVersions()
  const [loginId, setLoginId] = useState('')
  const [left, setLeft] = useState(false)
  const [password, setPassword] = useState('')
  const join = useMutation({
    mutationFn: () =>
      ask('POST /signup', {
        body: {
          verificationId,
          loginId,
          password,
          agreed: { service: true, privacy: true, marketing: agreed.marketing },
          ...(versions.data ? { versions: versions.data } : {}),
        },
      }),
    onSuccess: onJoined,
    onError: (error) => {
      const { code, contact } = refusalOf(error)
      if (code === 'under_age' || code === 'not_eligible') onRefused(code, contact)
    },
  })
  const fineId = LOGIN_ID.test(loginId)
  const fine = fineId && isPasswordFine(passwordRules(password, loginId))
  return (
    <Screen title={texts.title}>
      <form
        noValidate
        className="flex flex-1 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setLeft(true)
          if (fine && !join.isPending) join.mutate()
        }}
      >
        <Heading sub={texts.hello(name)}>{texts.accountHeading}</Heading>
        <Field
          label={texts.id}
          hint={texts.idHint}
          error={left && loginId !== '' && !fineId ? texts.idWrong : undefined}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={30}
          value={loginId}
          onBlur={() => setLeft(true)}
          onChange={(event) => {
            setLoginId(event.target.value.toLowerCase().trim())
            join.reset()
          }}
        />
        <NewPasswordField loginId={loginId} value={password} onChange={setPassword} />
        <Problem refusal={join.isError ? refusalOf(join.error) : undefined} />
        <Bottom>
          <Button type="submit" disabled={!fine} busy={join.isPending}>
            {texts.join}
          </Button>
        </Bottom>
      </form>
    </Screen>
  )
}
