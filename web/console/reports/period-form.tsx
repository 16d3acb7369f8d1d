import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  from: string
  to: string
  onChange(days: { from: string; to: string }): void
}

// 16 px, because a phone zooms into fields with smaller text.
const INPUT = 'min-h-10 rounded-xl border border-line bg-surface px-3 text-base'

// Both days count. What the service refuses is said where the answer would stand.
export function PeriodForm({ onChange, ...given }: Props) {
  const texts = useTexts(TEXTS)
  const [days, setDays] = useState(given)
  const [wrong, setWrong] = useState(false)
  return (
    <form
      // The form says what is missing itself. Bubbles of a browser are in the browser's language.
      noValidate
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const isWhole = days.from !== '' && days.to !== ''
        setWrong(!isWhole)
        if (isWhole) onChange(days)
      }}
    >
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="flex flex-col gap-1 text-sm text-sub">
          {texts[name]}
          <input
            type="date"
            className={INPUT}
            value={days[name]}
            onChange={(event) => setDays({ ...days, [name]: event.target.value })}
          />
        </label>
      ))}
      <Button type="submit" look="quiet" size="small">
        {texts.apply}
      </Button>
      <span role="alert" className="text-sm text-up empty:sr-only">
        {wrong ? texts.wrongDays : ''}
      </span>
    </form>
  )
}
