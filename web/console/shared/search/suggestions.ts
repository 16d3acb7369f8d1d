import type { Lists } from '../../../../contract/console.gen.ts'
import type { Language } from '../../../kit/language.tsx'

export interface Suggestion {
  // What the box holds if it is chosen.
  text: string
  // What it means.
  name: string
}

const SHOWN = 6

// Filters and their values, for the word that is being typed: `st` → `status:`, `status:u` → `status:used`.
export function suggestionsFor(text: string, { lists, partners }: Lists, language: Language): Suggestion[] {
  const word = /\S*$/.exec(text)![0]
  const before = text.slice(0, text.length - word.length)
  const [name = '', value] = word.toLowerCase().split(':', 2)
  const filters = lists.flatMap(({ filters }) => filters)
  if (value === undefined) {
    if (word === '') return []
    const names = new Map(filters.map((filter) => [filter.name, filter.names[language]]))
    return [...names]
      .filter(([one, title]) => one.startsWith(name) || title.startsWith(word))
      .slice(0, SHOWN)
      .map(([one, title]) => ({ text: `${before}${one}:`, name: title }))
  }
  const filter = filters.find((one) => one.name === name && (one.kind === 'choice' || one.kind === 'partner'))
  if (!filter) return []
  const values =
    filter.kind === 'partner'
      ? partners.map((code) => ({ value: code, name: filter.names[language] }))
      : filter.choices.map((choice) => ({ value: choice.value, name: choice.names[language] }))
  return values
    .filter(
      (one) => one.value.toLowerCase().startsWith(value) || (value !== '' && one.name.startsWith(value)),
    )
    .slice(0, SHOWN)
    .map((one) => ({ text: `${before}${name}:${one.value} `, name: one.name }))
}
