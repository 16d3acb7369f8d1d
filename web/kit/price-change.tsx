import { Fragment } from 'react'
import { change, directionOf } from './format.ts'
import { useLanguage } from './language.tsx'

// Red is up and blue is down, as on every Korean exchange.
const COLOURS = { up: 'text-up', down: 'text-down', flat: 'text-sub' }

interface Props {
  won: number
  percent: string | null
  // What it is, for a screen reader.
  label?: string
}

// A zero change of unknown percent means that there is nothing to compare with: it shows nothing, not even its label.
export function PriceChange({ won, percent, label }: Props) {
  const { language } = useLanguage()
  if (won === 0 && percent === null) return null
  // No line breaks within a word: browsers would break between a sign and ₩.
  const words = change(won, percent, language).split(' ')
  return (
    <span className={`font-medium ${COLOURS[directionOf(won)]}`}>
      {label && <span className="sr-only">{label}: </span>}
      {words.map((word, index) => (
        <Fragment key={word}>
          {index > 0 && ' '}
          <span className="whitespace-nowrap">{word}</span>
        </Fragment>
      ))}
    </span>
  )
}
