import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Session } from '../../../contract/member.gen.ts'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Problem } from '../../kit/parts.tsx'
import { offersPasskeys, PasskeyLogin } from '../../kit/passkey.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { useSignedInAs } from '../../kit/session.tsx'
import { pendingPin } from '../register/pending-pin.ts'

const TEXTS = {
  ko: {
    title: '로그인',
    heading: '로그인해 주세요',
    sub: '로그인하면 하던 일을 이어서 할 수 있어요.',
    id: '아이디',
    password: '비밀번호',
    login: '로그인하기',
    signup: '회원가입',
    recover: '아이디·비밀번호 찾기',
  },
  en: {
    title: 'Log in',
    heading: 'Please log in',
    sub: 'After that you go on where you were.',
    id: 'Id',
    password: 'Password',
    login: 'Log in',
    signup: 'Sign up',
    recover: 'Forgot id or password',
  },
}

export default function LoginPage() {
  const texts = useTexts(TEXTS)
  const goOn = useGoOn()
  const signedInAs = useSignedInAs()
  const [loginId, setLoginId] = useState('')
  const [password, setPassword] = useState('')
  const onSignedIn = (session: Session) => {
    signedInAs(session)
    goOn()
  }
  const login = useMutation({
    mutationFn: () => ask('POST /login', { body: { loginId: loginId.trim().toLowerCase(), password } }),
    onSuccess: onSignedIn,
    onError: () => setPassword(''),
  })
  return (
    <Screen title={texts.title} back>
      <form
        className="flex flex-1 flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (loginId && password && !login.isPending) login.mutate()
        }}
      >
        <Heading sub={texts.sub}>{texts.heading}</Heading>
        <PasskeyLogin onSignedIn={onSignedIn} />
        <Field
          label={texts.id}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={64}
          value={loginId}
          onChange={(event) => setLoginId(event.target.value)}
        />
        <Field
          label={texts.password}
          type="password"
          autoComplete="current-password"
          maxLength={128}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Problem refusal={login.isError ? refusalOf(login.error) : undefined} />
        <Bottom>
          <Doors />
          <Button
            type="submit"
            look={offersPasskeys('get') ? 'quiet' : 'main'}
            disabled={!loginId || !password}
            busy={login.isPending}
          >
            {texts.login}
          </Button>
        </Bottom>
      </form>
    </Screen>
  )
}

// To where one was sent away from; with a PIN in hand, back to the card.
function useGoOn(): () => void {
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/login' })
  return () => {
    const next = pendingPin.get() ? '/' : (to ?? '/assets')
    void navigate({ to: next as '/', replace: true })
  }
}

function Doors() {
  const texts = useTexts(TEXTS)
  const look = 'flex min-h-12 items-center px-2 text-[0.9375rem] font-medium text-sub'
  return (
    <p className="flex flex-wrap justify-center gap-x-4">
      <Link to="/recover" className={look}>
        {texts.recover}
      </Link>
      <Link to="/signup" className={`${look} text-link`}>
        {texts.signup}
      </Link>
    </p>
  )
}
