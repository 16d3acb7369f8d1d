import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { offersPasskeys } from '../../kit/offers-passkeys.ts'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { sayRefusal } from '../shared/api/refusal-texts.ts'
import { useContinue } from '../shared/onboarding.ts'
import { PasskeyLogin } from '../shared/passkeys/passkey-buttons.tsx'
import { GuestPage } from '../shared/session/guest-page.tsx'

const TEXTS = {
  ko: {
    title: '로그인',
    heading: '로그인해 주세요',
    sub: '로그인하면 하던 일을 이어서 할 수 있어요.',
    id: '아이디',
    password: '비밀번호',
    idMissing: '아이디를 입력해 주세요.',
    passwordMissing: '비밀번호를 입력해 주세요.',
    login: '로그인하기',
    byPhone: '휴대폰으로 로그인하기',
    byPhoneSub: '처음이면 본인 확인 뒤에 가입해요.',
    byPassword: '아이디로 로그인',
    recover: '아이디·비밀번호 찾기',
  },
  en: {
    title: 'Log in',
    heading: 'Please log in',
    sub: 'After that you go on where you were.',
    id: 'Id',
    password: 'Password',
    idMissing: 'Enter your id.',
    passwordMissing: 'Enter your password.',
    login: 'Log in',
    byPhone: 'Log in by phone',
    byPhoneSub: 'New here? You sign up after verifying.',
    byPassword: 'With id and password',
    recover: 'Forgot id or password',
  },
}

// In the order of effort: passkey, phone, then id and password.
export default function LoginPage() {
  const texts = useTexts(TEXTS)
  const { to } = useSearch({ from: '/login' })
  const continueAs = useContinue(to)
  return (
    <GuestPage title={texts.title} to={to}>
      <Heading sub={texts.sub}>{texts.heading}</Heading>
      <div className="flex flex-col gap-3">
        <PasskeyLogin onSignedIn={(session) => void continueAs(session)} />
        <Link
          to="/signup"
          // Whoever logs in by phone comes back to the same page, too.
          search={to ? { to } : {}}
          className={buttonClass(offersPasskeys('get') ? 'quiet' : 'main')}
        >
          {texts.byPhone}
        </Link>
        <p className="text-center text-sm text-sub">{texts.byPhoneSub}</p>
      </div>
      <PasswordForm onSignedIn={continueAs} />
    </GuestPage>
  )
}

// The last choice: an account made by phone has no password until its member sets one.
function PasswordForm({ onSignedIn }: { onSignedIn: ReturnType<typeof useContinue> }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const [loginId, setLoginId] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const login = useMutation({
    // A phone's keyboard begins with a capital letter and may add a space.
    mutationFn: () => callApi('POST /login', { body: { loginId: loginId.trim().toLowerCase(), password } }),
    onSuccess: onSignedIn,
    // A wrong password is typed again from the start. The id stays, and the field is not marked as missing.
    onError: () => {
      setPassword('')
      setTried(false)
    },
  })
  const refusal = login.isError ? refusalOf(login.error) : undefined
  // Shown at the password, the field that is typed again.
  const wrong = refusal?.code === 'wrong_login' ? sayRefusal(refusal, language) : undefined
  return (
    <Form
      fill
      onSubmit={() => {
        setTried(true)
        if (loginId && password && !login.isPending) login.mutate()
      }}
    >
      <h2 className="mt-2 border-t border-line pt-4 text-[1.0625rem] font-semibold">{texts.byPassword}</h2>
      <Field
        label={texts.id}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
        value={loginId}
        error={tried && !loginId ? texts.idMissing : undefined}
        onChange={(event) => setLoginId(event.target.value)}
      />
      <Field
        label={texts.password}
        type="password"
        autoComplete="current-password"
        maxLength={128}
        value={password}
        error={tried && !password ? texts.passwordMissing : wrong}
        onChange={(event) => setPassword(event.target.value)}
      />
      <RefusalMessage refusal={wrong ? undefined : refusal} />
      <PageActions>
        <Link
          to="/recover"
          className="flex min-h-12 items-center justify-center px-2 text-[0.9375rem] font-medium text-sub"
        >
          {texts.recover}
        </Link>
        <Button type="submit" look="quiet" busy={login.isPending}>
          {texts.login}
        </Button>
      </PageActions>
    </Form>
  )
}
