import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { IdentityForm } from '../../kit/identity.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Card, Problem, Rows } from '../../kit/parts.tsx'
import { isPasswordFine, NewPasswordField, passwordRules, Username } from '../../kit/password-field.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { useSignedInAs } from '../../kit/session.tsx'
import { pendingPin } from '../register/pending-pin.ts'

const TEXTS = {
  ko: {
    title: '아이디·비밀번호 찾기',
    heading: '본인 확인을 해 주세요',
    sub: '확인하면 아이디를 알려 드리고 비밀번호를 새로 정할 수 있어요.',
    found: '아이디를 찾았어요',
    id: '아이디',
    reset: '비밀번호를 새로 정하면 다른 기기는 모두 로그아웃돼요.',
    save: '비밀번호 바꾸고 로그인하기',
    login: '비밀번호를 알고 있어요',
    none: '아직 가입하지 않았어요',
    noneSub: '이 사람의 계정이 없어요. 가입하면 바로 쓸 수 있어요.',
    signup: '가입하기',
  },
  en: {
    title: 'Find id or password',
    heading: 'Please verify that it is you',
    sub: 'Then we tell you your id, and you can set a new password.',
    found: 'Here is your id',
    id: 'Id',
    reset: 'A new password signs you out on all other devices.',
    save: 'Set it and log in',
    login: 'I know my password',
    none: 'You are not a member yet',
    noneSub: 'There is no account of this person. Sign up to start.',
    signup: 'Sign up',
  },
}

interface Found {
  verificationId: string
  loginId: string | null
}

export default function RecoverPage() {
  const texts = useTexts(TEXTS)
  const [found, setFound] = useState<Found>()
  if (found && found.loginId === null) return <NoAccount />
  if (found?.loginId) return <NewPassword verificationId={found.verificationId} loginId={found.loginId} />
  return (
    <Screen title={texts.title} back>
      <Heading sub={texts.sub}>{texts.heading}</Heading>
      <IdentityForm
        purpose="recover"
        onVerified={(verificationId, { isMember, loginId }) =>
          setFound({ verificationId, loginId: isMember ? loginId : null })
        }
        place={(button) => <Bottom>{button}</Bottom>}
      />
    </Screen>
  )
}

function NoAccount() {
  const texts = useTexts(TEXTS)
  return (
    <Screen
      title={texts.title}
      back
      actions={
        <Link to="/signup" className={buttonClass()}>
          {texts.signup}
        </Link>
      }
    >
      <Heading sub={texts.noneSub}>{texts.none}</Heading>
    </Screen>
  )
}

function NewPassword({ verificationId, loginId }: { verificationId: string; loginId: string }) {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const signedInAs = useSignedInAs()
  const [password, setPassword] = useState('')
  const save = useMutation({
    mutationFn: () => ask('POST /recover', { body: { verificationId, password } }),
    onSuccess: (session) => {
      signedInAs(session)
      void navigate({ to: pendingPin.get() ? '/' : '/assets', replace: true })
    },
  })
  const fine = isPasswordFine(passwordRules(password, loginId))
  return (
    <Screen title={texts.title} back>
      <form
        noValidate
        className="flex flex-1 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (fine && !save.isPending) save.mutate()
        }}
      >
        <Heading sub={texts.reset}>{texts.found}</Heading>
        <Card>
          <Rows rows={[{ name: texts.id, value: loginId, strong: true }]} />
        </Card>
        <Username loginId={loginId} />
        <NewPasswordField loginId={loginId} value={password} onChange={setPassword} />
        <Problem refusal={save.isError ? refusalOf(save.error) : undefined} />
        <Bottom>
          <Link
            to="/login"
            className="flex min-h-12 items-center justify-center text-[0.9375rem] font-medium text-sub"
          >
            {texts.login}
          </Link>
          <Button type="submit" disabled={!fine} busy={save.isPending}>
            {texts.save}
          </Button>
        </Bottom>
      </form>
    </Screen>
  )
}
