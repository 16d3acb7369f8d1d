import { type ChangeEvent, type ReactNode, useId } from 'react'
import { borderOf } from './field.tsx'
import { fitted } from './figure.tsx'
import { withCommas } from './format.ts'
import { useLanguage } from './language.tsx'

interface Props {
  label: string
  unit: 'won' | 'grams'
  // Digits, for grams with a point: what is shown has commas.
  value: string
  onChange(value: string): void
  hint?: ReactNode
  error?: string | undefined
}

const MOST_DIGITS = 10

// The largest thing on its page: the amount that is asked for.
export function AmountInput({ label, unit, value, onChange, hint, error }: Props) {
  const id = useId()
  const { language } = useLanguage()
  const clean = unit === 'won' ? cleanWon : cleanGrams
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-[0.9375rem] font-medium text-body">
        {label}
      </label>
      <div
        className={`flex min-h-16 items-center gap-2 rounded-2xl border bg-surface px-4 focus-within:outline-3 focus-within:outline-focus ${borderOf(error)}`}
      >
        <span className="figure-box flex-1 [--most:2rem]">
          <input
            id={id}
            value={shown(value)}
            onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(clean(event.target.value))}
            inputMode={unit === 'won' ? 'numeric' : 'decimal'}
            autoComplete="off"
            placeholder="0"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-hint ${id}-error`}
            style={fitted(shown(value))}
            className="figure-total w-full bg-transparent py-2 text-end outline-none placeholder:text-faint"
          />
        </span>
        <span aria-hidden="true" className="shrink-0 text-xl font-semibold text-sub">
          {unit === 'grams' ? 'g' : language === 'ko' ? '원' : '₩'}
        </span>
      </div>
      <p id={`${id}-hint`} className="text-end text-[0.9375rem] text-sub empty:hidden">
        {hint}
      </p>
      <p id={`${id}-error`} role="alert" className="text-end text-sm text-up empty:hidden">
        {error}
      </p>
    </div>
  )
}

function shown(value: string): string {
  const [whole = '', rest] = value.split('.')
  return rest === undefined ? withCommas(whole) : `${withCommas(whole)}.${rest}`
}

function cleanWon(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '').slice(0, MOST_DIGITS)
}

// Up to nine digits and four places, as the service takes them.
function cleanGrams(text: string): string {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.')
  const before = whole.replace(/^0+(?=\d)/, '').slice(0, 9)
  if (rest.length === 0) return before
  return `${before || '0'}.${rest.join('').slice(0, 4)}`
}
