import { isPersonName } from '#base/text/text.ts'
import { parseDate } from '#base/time/seoul-time.ts'
import type { Details } from './types.ts'

// A real day that has begun in Seoul.
export function isBirthday(birthday: string, today: Temporal.PlainDate): boolean {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(birthday)
  const date = match && parseDate(`${match[1]}-${match[2]}-${match[3]}`)
  return Boolean(date) && Temporal.PlainDate.compare(date!, today) <= 0
}

export function isName(name: string): boolean {
  return isPersonName(name)
}

// 88 ASCII characters without blanks: padding would be the same for all people. The interface says no more.
export function isCi(ci: string): boolean {
  return /^[!-~]{88}$/.test(ci)
}

const SYLLABLES = /^[가-힣]+$/ // each is a letter by itself: most names need no segmenter, which is slow
let segmenter: Intl.Segmenter | undefined // the first one takes tens of milliseconds, which a start can do without

// 홍길동 → 홍*동, 홍길 → 홍*: enough to recognise one's own name. A long name hides its length too.
export function maskName(name: string): string {
  const letters = lettersOf(name)
  if (letters.length <= 1) return '*'
  if (letters.length === 2) return `${letters[0]}*`
  return `${letters[0]}${'*'.repeat(Math.min(letters.length - 2, 3))}${letters.at(-1)}`
}

function lettersOf(name: string): string[] {
  if (SYLLABLES.test(name)) return [...name]
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(name), ({ segment }) => segment)
}

export function maskDetails(details: Details) {
  return {
    name: maskName(details.name),
    birthday: `${details.birthday.slice(0, 4)}****`,
    nationality: details.nationality,
    // As the number of a card's recipient is masked.
    mdn: `${details.mdn.slice(0, 3)}-****-${details.mdn.slice(-4)}`,
    gender: details.gender,
  }
}
