import type { ListFilter, Lists } from '../../../../contract/console.gen.ts'
import type { Language } from '../../../kit/language.tsx'
import { EVENT_WORDS } from '../object/event-words.ts'

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
    // Several lists have a filter of the same name. It is suggested once.
    const names = new Map(filters.map((filter) => [filter.name, filter.names[language]]))
    return [...names]
      .filter(([one, title]) => one.startsWith(name) || title.startsWith(word))
      .slice(0, SHOWN)
      .map(([one, title]) => ({ text: `${before}${one}:`, name: title }))
  }
  const filter = filters.find((one) => one.name === name)
  // The blank at the end of a suggestion ends its word, so the next filter can follow.
  return (filter ? valuesOf(filter, partners, language) : [])
    .filter(
      (one) =>
        one.value.toLowerCase().startsWith(value) ||
        (value !== '' && one.name.toLowerCase().startsWith(value)),
    )
    .slice(0, SHOWN)
    .map((one) => ({ text: `${before}${name}:${one.value} `, name: one.name }))
}

function valuesOf(filter: ListFilter, partners: readonly string[], language: Language) {
  if (filter.kind === 'partner')
    return partners.map((code) => ({ value: code, name: filter.names[language] }))
  // Of the audit log. They are many, and their words are here.
  if (filter.name === 'action')
    return Object.entries(EVENT_WORDS[language]).map(([value, name]) => ({ value, name }))
  return filter.choices.map((choice) => ({ value: choice.value, name: choice.names[language] }))
}
