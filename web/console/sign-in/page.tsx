import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaysIn } from '../../../contract/console.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { offersPasskeys } from '../../kit/offers-passkeys.ts'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { API_PATH } from '../shared/environment.ts'
import { Page, Section } from '../shared/page.tsx'
import { PasskeyButton } from '../shared/passkey-button.tsx'
import { signedInAs } from '../shared/session.ts'

const TEXTS = {
  ko: {
    title: '콘솔 로그인',
    sub: '운영자와 제휴사 직원을 위한 화면입니다.',
    demo: '데모 운영자로 들어가기',
    demoTitle: '샌드박스 둘러보기',
    demoHint: '이 컴퓨터에서만 보입니다. 비밀번호 없이 관리자 권한으로 들어갑니다.',
    passkey: '패스키로 로그인',
    sso: '회사 계정으로 로그인',
    ssoRefused: '이 회사 계정으로는 들어올 수 없습니다. 관리자에게 직원 등록을 요청해 주세요.',
    ssoAway: '회사 계정 서비스가 응답하지 않습니다. 잠시 뒤 다시 시도하거나 다른 방법으로 로그인해 주세요.',
    byPassword: '비밀번호와 인증 코드',
    email: '이메일',
    emailMissing: '이메일을 입력해 주세요.',
    password: '비밀번호',
    passwordMissing: '비밀번호를 입력해 주세요.',
    code: '인증 코드',
    codeHint: '인증 앱의 여섯 자리 숫자나 복구 코드',
    codeMissing: '인증 코드를 입력해 주세요.',
    signIn: '로그인',
    lost: '들어갈 수 없다면 관리자에게 새 링크를 요청해 주세요. 서버에서는 ingot operator reset 으로 만듭니다.',
  },
  en: {
    title: 'Sign in to the console',
    sub: "For the operator's and partners' staff.",
    demo: 'Enter as the demo operator',
    demoTitle: 'Look around the sandbox',
    demoHint: 'Shown on this machine only. You enter as an admin, without a password.',
    passkey: 'Sign in with a passkey',
    sso: 'Sign in with your company account',
    ssoRefused: 'This company account opens nothing here. Ask an admin to add you to the staff.',
    ssoAway: 'The company account service does not answer. Try again in a moment, or sign in another way.',
    byPassword: 'Password and code',
    email: 'Email',
    emailMissing: 'Enter your email.',
    password: 'Password',
    passwordMissing: 'Enter your password.',
    code: 'Code',
    codeHint: 'Six digits of your authenticator app, or a recovery code',
    codeMissing: 'Enter the code.',
    signIn: 'Sign in',
    lost: 'If you cannot get in, ask an admin for a new link. On the server, ingot operator reset makes one.',
  },
}

export default function SignInPage() {
  const texts = useTexts(TEXTS)
  // What the provider's answer led to: the address says so.
  const sso = new URLSearchParams(window.location.search).get('sso')
  // Signing out keeps this query (session.ts), because this page opens then.
  const ways = useQuery({ queryKey: ['ways in'], queryFn: () => callApi('GET /sign-in') })
  return (
    <Page title={texts.title} sub={texts.sub}>
      {sso !== null && <Note look="bad">{sso === 'refused' ? texts.ssoRefused : texts.ssoAway}</Note>}
      {ways.isPending && <Loading />}
      {ways.error && <LoadError error={ways.error} onRetry={() => ways.refetch()} />}
      {ways.data && <Ways ways={ways.data} />}
      <p className="text-sm text-sub">{texts.lost}</p>
    </Page>
  )
}

// In the order of effort. Where there are no passkeys, the password comes first.
function Ways({ ways }: { ways: WaysIn }) {
  const texts = useTexts(TEXTS)
  const hasPasskeys = ways.passkeys && offersPasskeys('get')
  return (
    <>
      {/* The service offers it in a sandbox only, to a browser on the same machine. */}
      {ways.demo && <Demo />}
      {(hasPasskeys || ways.singleSignOn) && (
        <div className="flex flex-col gap-3">
          {hasPasskeys && <PasskeySignIn look={ways.demo ? 'quiet' : 'main'} />}
          {/* A plain link, because the browser itself has to go to the provider and come back. */}
          {ways.singleSignOn && (
            <a href={`${API_PATH}/sign-in/sso`} className={buttonClass('quiet')}>
              {texts.sso}
            </a>
          )}
        </div>
      )}
      {/* One button stands out: that of the easiest way. */}
      <PasswordForm look={hasPasskeys || ways.demo ? 'quiet' : 'main'} />
    </>
  )
}

function Demo() {
  const texts = useTexts(TEXTS)
  const enter = useMutation({ mutationFn: () => callApi('POST /sign-in/demo'), onSuccess: signedInAs })
  return (
    <Section title={texts.demoTitle}>
      <div className="flex flex-col gap-3">
        <p className="text-[0.9375rem] text-sub">{texts.demoHint}</p>
        <Button busy={enter.isPending} onClick={() => enter.mutate()}>
          {texts.demo}
        </Button>
        <RefusalMessage refusal={enter.error ? refusalOf(enter.error) : undefined} />
      </div>
    </Section>
  )
}

function PasskeySignIn({ look }: { look: 'main' | 'quiet' }) {
  const texts = useTexts(TEXTS)
  return (
    <PasskeyButton
      look={look}
      onDone={signedInAs}
      run={async ({ askForPasskey }) => {
        // No email is asked for: the device finds the passkey itself, and nobody learns which emails exist.
        const { publicKey } = await callApi('POST /sign-in/passkey/options')
        return callApi('POST /sign-in/passkey', { body: { credential: await askForPasskey(publicKey) } })
      }}
    >
      {texts.passkey}
    </PasskeyButton>
  )
}

function PasswordForm({ look }: { look: 'main' | 'quiet' }) {
  const texts = useTexts(TEXTS)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const signIn = useMutation({
    mutationFn: () =>
      callApi('POST /sign-in', { body: { email: email.trim(), password, code: code.trim() } }),
    onSuccess: signedInAs,
    // A code counts once, so it is typed again in any case.
    onError: () => {
      setCode('')
      // Otherwise the emptied code would be marked as missing at once.
      setTried(false)
    },
  })
  const missing = (value: string, text: string) => (tried && value.trim() === '' ? text : undefined)
  return (
    <Section title={texts.byPassword}>
      <Form
        onSubmit={() => {
          setTried(true)
          // A busy button is not disabled, so a second Enter still arrives here.
          if (email.trim() && password && code.trim() && !signIn.isPending) signIn.mutate()
        }}
      >
        <Field
          label={texts.email}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={email}
          error={missing(email, texts.emailMissing)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={texts.password}
          type="password"
          autoComplete="current-password"
          maxLength={128}
          value={password}
          error={missing(password, texts.passwordMissing)}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Field
          label={texts.code}
          hint={texts.codeHint}
          // A recovery code has letters, so there is no numeric keyboard.
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          value={code}
          error={missing(code, texts.codeMissing)}
          onChange={(event) => setCode(event.target.value)}
        />
        {/* The service does not say which of the three was wrong: that would tell which emails exist. */}
        <RefusalMessage refusal={signIn.error ? refusalOf(signIn.error) : undefined} />
        <Button type="submit" look={look} busy={signIn.isPending}>
          {texts.signIn}
        </Button>
      </Form>
    </Section>
  )
}
