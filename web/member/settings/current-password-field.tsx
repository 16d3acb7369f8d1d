import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  value: string
  // The form was sent, so an empty field is an error by now.
  tried: boolean
  // The service says that it is wrong.
  isWrong: boolean
  onChange(value: string): void
}

export function CurrentPasswordField({ value, tried, isWrong, onChange }: Props) {
  const texts = useTexts(TEXTS)
  return (
    <Field
      label={texts.current}
      type="password"
      autoComplete="current-password"
      maxLength={128}
      value={value}
      error={isWrong ? texts.wrongCurrent : tried && value === '' ? texts.currentMissing : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
