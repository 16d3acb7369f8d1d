import { useState } from 'react'
import { encode } from 'uqr'
import type { OfferedTotp } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { isPasswordFine, NewPasswordField, passwordRules, Username } from '../../kit/password-field.tsx'
import { type Refusal, refusalOf } from './api/refusal.ts'
import { RefusalMessage } from './api/refusal-message.tsx'
import { CopyId } from './values.tsx'

const TEXTS = {
  ko: {
    scan: '인증 앱으로 QR 코드를 찍어 주세요.',
    qr: '인증 앱에 등록할 QR 코드',
    type: '찍을 수 없다면 이 키를 입력해 주세요.',
    secret: '인증 앱 키',
    code: '앱에 나온 여섯 자리 숫자',
    codeMissing: '여섯 자리 숫자를 입력해 주세요.',
    save: '비밀번호와 인증 앱 등록',
    codesTitle: '복구 코드',
    codesHint: '휴대폰을 잃어버렸을 때 하나씩 한 번만 쓸 수 있습니다. 지금만 보이니 안전한 곳에 적어 두세요.',
    copyAll: '복구 코드 모두',
    kept: '복구 코드를 보관했습니다',
    go: '계속하기',
  },
  en: {
    scan: 'Scan the QR code with your authenticator app.',
    qr: 'QR code for an authenticator app',
    type: 'If you cannot scan it, type this key.',
    secret: 'Key of the authenticator app',
    code: 'The six digits that the app shows',
    codeMissing: 'Enter the six digits.',
    save: 'Set password and authenticator',
    codesTitle: 'Recovery codes',
    codesHint: 'For a lost phone; each works once. They are shown only now: keep them in a safe place.',
    copyAll: 'all recovery codes',
    kept: 'I have kept the recovery codes',
    go: 'Continue',
  },
}

interface Props {
  // Whose it is, for the password manager.
  email: string
  totp: OfferedTotp
  save(chosen: { password: string; code: string }): Promise<void>
}

// A password and, with it always, an authenticator app.
export function NewPasswordForm({ email, totp, save }: Props) {
  const texts = useTexts(TEXTS)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  // A password that mostly repeats the name in the address is easy to guess: the rules look for it.
  const name = email.split('@')[0] ?? ''
  async function submit() {
    setTried(true)
    if (busy || !isPasswordFine(passwordRules(password, name)) || code.trim() === '') return
    setBusy(true)
    setRefusal(undefined)
    try {
      await save({ password, code: code.trim() })
    } catch (error) {
      setRefusal(refusalOf(error))
      // Only after a failure. A success replaces this form, and until then a second click must do nothing.
      setBusy(false)
    }
  }
  return (
    <Form onSubmit={() => void submit()}>
      <Username loginId={email} />
      <NewPasswordField loginId={name} value={password} onChange={setPassword} tried={tried} />
      <div className="flex flex-col gap-3">
        <p className="text-[0.9375rem] font-medium text-body">{texts.scan}</p>
        <QrCode text={totp.uri} label={texts.qr} />
        <p className="text-sm text-sub">{texts.type}</p>
        <CopyId id={totp.secret} label={texts.secret} />
      </div>
      <Field
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        value={code}
        error={tried && code.trim() === '' ? texts.codeMissing : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
      <RefusalMessage refusal={refusal} />
      <Button type="submit" busy={busy}>
        {texts.save}
      </Button>
    </Form>
  )
}

// Dark on light in both schemes: many cameras read no other.
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const dots = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-xl"
    >
      <rect width={size} height={size} fill="white" />
      <path d={dots.join('')} fill="black" />
    </svg>
  )
}

// The service keeps hashes only, so nobody can show these codes again.
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept?: () => void }) {
  const texts = useTexts(TEXTS)
  const [kept, setKept] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <h2 className="font-bold">{texts.codesTitle}</h2>
      <Note>{texts.codesHint}</Note>
      <ul className="grid gap-1 font-code sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyAll text={codes.join('\n')} label={texts.copyAll} />
      {onKept && (
        <>
          <Checkbox label={texts.kept} checked={kept} onChange={(event) => setKept(event.target.checked)} />
          {/* Not `disabled`: the button stays reachable by keyboard, and does nothing until the box is checked. */}
          <Button aria-disabled={!kept} onClick={onKept}>
            {texts.go}
          </Button>
        </>
      )}
    </div>
  )
}

const COPY = { ko: { copy: '모두 복사', copied: '복사됨' }, en: { copy: 'Copy all', copied: 'Copied' } }

function CopyAll({ text, label }: { text: string; label: string }) {
  const texts = useTexts(COPY)
  const [copied, setCopied] = useState(false)
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={`${texts.copy}: ${label}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span role="status">{copied ? texts.copied : texts.copy}</span>
    </Button>
  )
}
