import { type ChangeEvent, type ReactNode, useId, useState } from 'react'
import { fitToBox } from '../../../kit/big-number.tsx'
import { borderOf } from '../../../kit/field.tsx'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { type AmountUnit, readAmount, showEdit, type WrongAmount } from './amount.ts'

const TEXTS: Record<'ko' | 'en', Record<AmountUnit, Record<WrongAmount, string>>> = {
  ko: {
    won: {
      empty: '금액을 입력해 주세요.',
      zero: '0보다 큰 금액을 입력해 주세요.',
      fraction: '원은 소수점 없이 입력해 주세요. 예: 50,000',
      places: '원은 소수점 없이 입력해 주세요. 예: 50,000',
      comma: '쉼표는 세 자리마다 넣거나 모두 빼 주세요. 예: 50,000',
      notNumber: '숫자로만 입력해 주세요. 예: 50,000',
      tooLarge: '한 번에 1,000,000,000원까지 입력할 수 있어요. 금액을 줄여 주세요.',
    },
    grams: {
      empty: '무게를 입력해 주세요.',
      zero: '0보다 큰 무게를 입력해 주세요.',
      fraction: '소수점 아래 네 자리까지 입력해 주세요. 예: 0.0001',
      places: '소수점 아래 네 자리까지 입력해 주세요. 예: 0.0001',
      comma: '소수점은 쉼표가 아니라 점(.)이에요. 예: 1.5',
      notNumber: '숫자로만 입력해 주세요. 예: 0.5',
      tooLarge: '한 번에 1,000,000 g까지 입력할 수 있어요. 무게를 줄여 주세요.',
    },
  },
  en: {
    won: {
      empty: 'Enter an amount.',
      zero: 'Enter an amount above 0.',
      fraction: 'Won have no decimals. Enter a whole number, such as 50,000.',
      places: 'Won have no decimals. Enter a whole number, such as 50,000.',
      comma: 'Put a comma before every three digits, or none at all, as in 50,000.',
      notNumber: 'Enter digits only, such as 50,000.',
      tooLarge: 'At most ₩1,000,000,000 at a time. Enter less.',
    },
    grams: {
      empty: 'Enter a weight.',
      zero: 'Enter a weight above 0.',
      fraction: 'Enter at most four decimals, such as 0.0001.',
      places: 'Enter at most four decimals, such as 0.0001.',
      comma: 'The decimal sign is a point, not a comma, as in 1.5.',
      notNumber: 'Enter digits only, such as 0.5.',
      tooLarge: 'At most 1,000,000 g at a time. Enter less.',
    },
  },
}

// The text of an amount field, and the amount it means. An error shows when the field loses the focus or the form is
// submitted, not while someone types. `isShown` is for errors that only the page can find.
export function useAmount(unit: AmountUnit) {
  const [typed, setTyped] = useState('')
  const [isShown, show] = useState(false)
  const texts = useTexts(TEXTS)
  const read = readAmount(typed, unit)
  return {
    typed,
    amount: 'amount' in read ? read.amount : undefined,
    isShown,
    error: isShown && 'wrong' in read ? texts[unit][read.wrong] : undefined,
    set(next: string) {
      setTyped(next)
      show(false)
    },
    // An empty field that was only passed through is no mistake.
    onBlur: () => show(typed !== ''),
    onSubmit: () => show(true),
  }
}

interface Props {
  label: string
  unit: AmountUnit
  // The text, with its commas.
  value: string
  onChange(value: string): void
  onBlur?(): void
  hint?: ReactNode
  error?: string | undefined
}

// The amount is the largest thing on its page: it is what the page is for.
export function AmountInput({ label, unit, value, onChange, onBlur, hint, error }: Props) {
  const id = useId()
  const { language } = useLanguage()
  function take({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    // Changing text while a Korean syllable is being composed would insert it twice.
    const { isComposing } = nativeEvent as InputEvent
    onChange(isComposing ? target.value : showEdit(target.value, value, unit))
  }
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-[0.9375rem] font-medium text-body">
        {label}
      </label>
      <div
        className={`flex min-h-16 items-center gap-2 rounded-2xl border bg-surface px-4 focus-within:outline-3 focus-within:outline-focus ${borderOf(error)}`}
      >
        <span className="big-number-box flex-1 [--most:2rem]">
          <input
            id={id}
            value={value}
            onChange={take}
            onBlur={onBlur}
            inputMode={unit === 'won' ? 'numeric' : 'decimal'}
            autoComplete="off"
            placeholder="0"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-error ${id}-hint`}
            style={fitToBox(value)}
            className="big-number w-full bg-transparent py-2 text-end outline-none placeholder:text-faint"
          />
        </span>
        <span aria-hidden="true" className="shrink-0 text-xl font-semibold text-sub">
          {unit === 'grams' ? 'g' : language === 'ko' ? '원' : '₩'}
        </span>
      </div>
      <p id={`${id}-error`} role="alert" className="text-end text-sm text-up empty:sr-only">
        {error}
      </p>
      <div id={`${id}-hint`} className="text-end text-[0.9375rem] text-sub empty:hidden">
        {hint}
      </div>
    </div>
  )
}
