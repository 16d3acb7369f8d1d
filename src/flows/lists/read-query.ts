import { LISTS } from '#flows/lists/all-lists.ts'
import { LIST_NAMES, type ListName } from '#flows/lists/list-types.ts'
import type { Asked } from '#flows/lists/read-filters.ts'

export interface FilterQuery {
  list: ListName
  asked: Asked
}

const TERM = /^([a-z]+):(.+)$/i
// Blanks between terms, but not those inside quotes.
const TERMS = /(?:[^\s"]+|"[^"]*")+/g

// `partner:hanbit-pay status:used issued:2026-11-01..`, with a list's name in front if another than the first is meant.
// Undefined if it is no such query, or no list has all of these filters.
export function readQuery(text: string, mayList: (list: ListName) => boolean): FilterQuery | undefined {
  const terms = text.match(TERMS) ?? []
  const named = LIST_NAMES.find((list) => isNameOf(list, terms[0] ?? ''))
  const filters = (named ? terms.slice(1) : terms).map((term) => TERM.exec(term))
  if (filters.length === 0 ? !named : filters.some((filter) => !filter)) return undefined
  const asked = Object.fromEntries(
    filters.map((filter) => [filter![1]!.toLowerCase(), filter![2]!.replaceAll('"', '')]),
  )
  const list = LIST_NAMES.find(
    (one) =>
      mayList(one) &&
      (named === undefined || one === named) &&
      Object.keys(asked).every((name) => Object.hasOwn(LISTS[one].filters, name)),
  )
  return list && { list, asked }
}

function isNameOf(list: ListName, term: string): boolean {
  const { ko, en } = LISTS[list].names
  return [list, ko, en.toLowerCase()].includes(term.toLowerCase())
}
