import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ConsoleSession, WelcomedStaff } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { offersPasskeys } from '../../kit/offers-passkeys.ts'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { NewPasswordForm, RecoveryCodes } from '../shared/new-password.tsx'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { PasskeyButton } from '../shared/passkey-button.tsx'
import { ROLE_NAMES } from '../shared/role-names.ts'
import { signedInAs } from '../shared/session.ts'
import { Moment } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '콘솔에 오신 것을 환영합니다',
    over: '이 링크는 쓸 수 없습니다',
    overHint: '이미 썼거나 24시간이 지났습니다. 관리자에게 새 링크를 요청해 주세요.',
    until: '링크 유효 시각',
    passkeyTitle: '패스키',
    passkeyHint: '지문이나 얼굴, 화면 잠금으로 로그인합니다. 가장 안전한 방법입니다.',
    make: '패스키 만들기',
    passwordTitle: '비밀번호와 인증 앱',
    passwordHint: '비밀번호와 함께 휴대폰 인증 앱의 숫자를 입력해 로그인합니다.',
    choose: '이 방법으로 시작',
  },
  en: {
    title: 'Welcome to the console',
    over: 'This link cannot be used',
    overHint: 'It was used, or a day has passed. Ask an admin for a new one.',
    until: 'Good until',
    passkeyTitle: 'Passkey',
    passkeyHint: 'Your fingerprint, face or screen lock signs you in. This is the safest way.',
    make: 'Make a passkey',
    passwordTitle: 'Password and authenticator app',
    passwordHint: 'You sign in with a password and the digits of an app on your phone.',
    choose: 'Begin with this',
  },
}

// The secret is behind the #, which no server sees. It leaves the address bar at once, and with it the history.
const readLink = () => window.location.hash.slice(1)

export default function WelcomePage() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // Read once, before the effect below takes the secret out of the address.
  const [link] = useState(readLink)
  const look = useQuery({
    queryKey: ['welcome'],
    // A POST, because proxies log addresses and not bodies.
    queryFn: () => callApi('POST /welcome', { body: { link } }),
    enabled: link !== '',
    retry: false,
    // A way in spends the link. Asked again after that, the page would replace the recovery codes by an error.
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [])
  // The service does not tell a used link from an old or an unknown one.
  const isOver = link === '' || (look.error && refusalOf(look.error).code === 'not_found')
  if (isOver) {
    return (
      <Page title={texts.over}>
        <p className="text-sub">{texts.overHint}</p>
      </Page>
    )
  }
  if (look.error) return <PageError error={look.error} onRetry={() => look.refetch()} />
  if (!look.data) return <Loading />
  const { name, email, role, expiresAt } = look.data
  return (
    <Page title={texts.title} sub={`${name} · ${email} · ${ROLE_NAMES[language][role]}`}>
      <Choice link={link} staff={look.data} />
      <p className="text-sm text-sub">
        {texts.until} <Moment at={expiresAt} />
      </p>
    </Page>
  )
}

// Where there are no passkeys, the password comes first and alone.
function Choice({ link, staff }: { link: string; staff: WelcomedStaff }) {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate()
  const [done, setDone] = useState<DoneByPassword>()
  function enter(session: ConsoleSession) {
    signedInAs(session)
    // The Back button must not lead to a spent link.
    void navigate({ to: '/', replace: true })
  }
  // Entering leaves this page, so it waits until the person has kept the codes. The link is spent: nothing else can be chosen.
  if (done) return <RecoveryCodes codes={done.recoveryCodes} onKept={() => enter(done.session)} />
  return (
    <>
      {/* The service may offer no passkeys, and this browser may have none. */}
      {staff.passkeys && offersPasskeys('create') && (
        <Section title={texts.passkeyTitle}>
          <div className="flex flex-col gap-3">
            <p className="text-[0.9375rem] text-sub">{texts.passkeyHint}</p>
            <PasskeyButton
              onDone={enter}
              run={async ({ makeCredential }) => {
                const { publicKey } = await callApi('POST /welcome/passkey/options', { body: { link } })
                const credential = await makeCredential(publicKey)
                return callApi('POST /welcome/passkey', { body: { link, credential } })
              }}
            >
              {texts.make}
            </PasskeyButton>
          </div>
        </Section>
      )}
      <PasswordChoice link={link} email={staff.email} onDone={setDone} />
    </>
  )
}

interface DoneByPassword {
  session: ConsoleSession
  recoveryCodes: string[]
}

interface ChoiceProps {
  link: string
  email: string
  onDone(done: DoneByPassword): void
}

function PasswordChoice({ link, email, onDone }: ChoiceProps) {
  const texts = useTexts(TEXTS)
  const offer = useMutation({ mutationFn: () => callApi('POST /welcome/totp', { body: { link } }) })
  return (
    <Section title={texts.passwordTitle}>
      <div className="flex flex-col gap-3">
        {!offer.data && <p className="text-[0.9375rem] text-sub">{texts.passwordHint}</p>}
        {!offer.data && (
          <Button look="quiet" busy={offer.isPending} onClick={() => offer.mutate()}>
            {texts.choose}
          </Button>
        )}
        <RefusalMessage refusal={offer.error ? refusalOf(offer.error) : undefined} />
        {/* The offered secret counts once its first code was right, so a try that breaks off changes nothing. */}
        {offer.data && (
          <NewPasswordForm
            email={email}
            totp={offer.data}
            save={async (chosen) =>
              onDone(await callApi('POST /welcome/password', { body: { link, ...chosen } }))
            }
          />
        )}
      </div>
    </Section>
  )
}
