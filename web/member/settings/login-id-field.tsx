import { useState } from 'react'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'

const TEXTS = {
  ko: {
    id: '아이디',
    hint: '영문 소문자로 시작하는 4~30자, 숫자와 _ . - 를 쓸 수 있어요.',
    wrong: '영문 소문자로 시작하는 4~30자로 정해 주세요. 숫자와 _ . - 를 쓸 수 있어요.',
    taken: '다른 사람이 쓰는 아이디예요. 다른 아이디로 정해 주세요.',
  },
  en: {
    id: 'Id',
    hint: '4 to 30 characters, beginning with a small letter; digits and _ . - are fine.',
    wrong: 'Use 4 to 30 characters, beginning with a small letter; digits and _ . - are fine.',
    taken: 'This id is taken. Please choose another.',
  },
}

// The service's own rule, so that a mistake shows before the call.
const LOGIN_ID = /^[a-z][a-z0-9_.-]{3,29}$/

export const isLoginId = (text: string) => LOGIN_ID.test(text)

// For a member who signed up by phone and has no id yet.
export function LoginIdField(props: {
  value: string
  // After submitting, a missing id is an error.
  tried: boolean
  isTaken: boolean
  onChange(loginId: string): void
}) {
  const texts = useTexts(TEXTS)
  const [left, setLeft] = useState(false)
  // Not while the first characters are typed.
  const isWrong = !isLoginId(props.value) && (props.tried || (left && props.value !== ''))
  return (
    <Field
      label={texts.id}
      hint={texts.hint}
      error={isWrong ? texts.wrong : props.isTaken ? texts.taken : undefined}
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={30}
      value={props.value}
      onBlur={() => setLeft(true)}
      // A phone's keyboard begins with a capital letter and may add a space.
      onChange={(event) => props.onChange(event.target.value.toLowerCase().trim())}
    />
  )
}
