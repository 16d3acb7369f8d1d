import type { ListColumn } from '../../../../contract/console.gen.ts'
import { withCommas } from '../../../kit/format.ts'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { EVENT_WORDS } from '../object/event-words.ts'
import { Badge, type BadgeLook, ShortMoment, Won } from '../values.tsx'

// States that a person should look at.
const LOOKS: Record<string, BadgeLook> = {
  used: 'good',
  delivered: 'good',
  paid: 'good',
  active: 'good',
  open: 'good',
  failed: 'bad',
  refused: 'bad',
  unknown: 'warn',
  frozen: 'warn',
  suspended: 'warn',
  requested: 'warn',
}

// Longer texts go on in a second line.
const LONG = 24

const TEXTS = { ko: { none: '없음' }, en: { none: 'none' } }

// In a column of many a dash is calmer than a word.
function Nothing() {
  const texts = useTexts(TEXTS)
  return (
    <span className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{texts.none}</span>
    </span>
  )
}

export function Cell({ column, value }: { column: ListColumn; value: string | number | null }) {
  const { language } = useLanguage()
  const actions: Record<string, string> = useTexts(EVENT_WORDS)
  if (value === null || value === '') return <Nothing />
  // The list's definition says what a number is: won, or a plain count.
  if (typeof value === 'number') return column.kind === 'won' ? <Won amount={value} /> : withCommas(value)
  // Of the audit log. One of a later release is shown as it is.
  if (column.name === 'action') return actions[value] ?? value
  switch (column.kind) {
    case 'moment':
      return <ShortMoment at={value} />
    case 'choice': {
      const name = column.choices.find((choice) => choice.value === value)?.names[language] ?? value
      return name === '' ? <Nothing /> : <Badge look={LOOKS[value] ?? 'plain'}>{name}</Badge>
    }
    case 'id':
      return <code className="font-code text-[0.875em] wrap-break-word">{shortened(value)}</code>
    case 'grams':
    case 'day':
      return <span className="whitespace-nowrap">{value}</span>
    default:
      return value.length > LONG ? value : <span className="whitespace-nowrap">{value}</span>
  }
}

// The page of the object has the whole id. A card number is for reading aloud: in groups.
function shortened(id: string): string {
  if (/^\d{12,16}$/.test(id)) return id.replace(/(\d{4})(?=\d)/g, '$1 ')
  return id.length > 24 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id
}
