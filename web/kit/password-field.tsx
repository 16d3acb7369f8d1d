import { useId, useState } from 'react'
import { Field } from './field.tsx'
import { CheckIcon } from './icons.tsx'
import { useTexts } from './language.tsx'

const TEXTS = {
  ko: {
    password: '새 비밀번호',
    show: '비밀번호 보기',
    length: '10자 이상',
    notId: '아이디와 비슷하지 않음',
    varied: '같은 글자만 이어지지 않음',
    met: '지켰어요',
    unmet: '아직이에요',
    weak: '아래 조건을 모두 지켜 주세요.',
  },
  en: {
    password: 'New password',
    show: 'Show password',
    length: '10 characters or more',
    notId: 'Not much like your id',
    varied: 'More than a few different characters',
    met: 'met',
    unmet: 'not yet',
    weak: 'Please meet all of the rules below.',
  },
}

const LENGTH = 10
// A rough stand-in for the service's own estimate of how many guesses a password takes.
const DIFFERENT = 5

interface Rules {
  length: boolean
  notId: boolean
  varied: boolean
}

// The rules that a page can check while someone types. The service (src/modules/accounts/password-strength.ts) also knows
// common passwords, and has the last word.
export function passwordRules(password: string, loginId: string): Rules {
  return {
    length: password.length >= LENGTH,
    notId: password.length > 0 && withoutId(password, loginId).length >= DIFFERENT,
    varied: new Set(password).size >= DIFFERENT,
  }
}

function withoutId(password: string, loginId: string): string {
  return loginId === '' ? password : password.toLowerCase().replaceAll(loginId.toLowerCase(), '')
}

export const isPasswordFine = (rules: Rules) => rules.length && rules.notId && rules.varied

// Tells a password manager whose password it is, on a form that does not ask for the id.
export function Username({ loginId }: { loginId: string }) {
  return <input hidden type="text" name="username" autoComplete="username" value={loginId} readOnly />
}

export function NewPasswordField(props: {
  loginId: string
  value: string
  onChange(password: string): void
  error?: string | undefined
  // After submitting, an unmet rule is an error.
  tried?: boolean
}) {
  const texts = useTexts(TEXTS)
  const list = useId()
  const [shown, setShown] = useState(false)
  const rules = passwordRules(props.value, props.loginId)
  const weak = props.tried && !isPasswordFine(rules) ? texts.weak : undefined
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={texts.password}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        maxLength={128}
        value={props.value}
        error={props.error ?? weak}
        aria-describedby={list}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <ul id={list} className="flex flex-col gap-0.5 text-sm">
        {(['length', 'notId', 'varied'] as const).map((rule) => (
          <li key={rule} className={`flex items-center gap-1.5 ${rules[rule] ? 'text-link' : 'text-sub'}`}>
            <CheckIcon className={`size-4 ${rules[rule] ? '' : 'opacity-30'}`} />
            {texts[rule]}
            <span className="sr-only">{rules[rule] ? texts.met : texts.unmet}</span>
          </li>
        ))}
      </ul>
      <label className="flex min-h-12 cursor-pointer items-center gap-2 text-sm text-sub">
        <input
          type="checkbox"
          className="size-5 accent-action"
          checked={shown}
          onChange={(event) => setShown(event.target.checked)}
        />
        {texts.show}
      </label>
    </div>
  )
}
