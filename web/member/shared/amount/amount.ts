// Reads amounts that people type or paste. It repairs nothing: an amount with two possible meanings is refused, with the
// reason, because it is money. Pure functions: test/web/amount.test.ts has examples.
import { withCommas } from '../../../kit/format.ts'

export type AmountUnit = 'won' | 'grams'
export type WrongAmount = 'empty' | 'zero' | 'fraction' | 'places' | 'comma' | 'notNumber' | 'tooLarge'
export type ReadAmount = { amount: string } | { wrong: WrongAmount }

// The service's own limits.
const MOST_WON = 1_000_000_000n
const MOST_GRAMS = 1_000_000n
const PLACES = 4

const LEADING = /^₩\s*/
const TRAILING = { won: /\s*(?:원|won|krw|p)$/i, grams: /\s*(?:g|그램)$/i }
const GROUPED = /^\d{1,3}(?:,\d{3})+$/

// The result is what the contract takes: digits for won, up to four decimals for grams.
export function readAmount(typed: string, unit: AmountUnit): ReadAmount {
  const bare = halfWidth(typed).trim().replace(LEADING, '').replace(TRAILING[unit], '')
  if (bare === '') return { wrong: 'empty' }
  const match = /^([\d,]*)(\.(\d*))?$/.exec(bare)
  // A lone point or comma passes the pattern.
  if (!match || !/\d/.test(bare)) return { wrong: 'notNumber' }
  const [, whole = '', point, places = ''] = match
  if (point !== undefined && unit === 'won') return { wrong: 'fraction' }
  if (whole.includes(',') && !GROUPED.test(whole)) return { wrong: 'comma' }
  if (places.length > PLACES) return { wrong: 'places' }
  // `.5` has no digits before its point.
  return sized(BigInt(whole.replaceAll(',', '') || 0), places, unit)
}

function sized(whole: bigint, places: string, unit: AmountUnit): ReadAmount {
  const some = /[1-9]/.test(places)
  if (whole === 0n && !some) return { wrong: 'zero' }
  const most = unit === 'won' ? MOST_WON : MOST_GRAMS
  if (whole > most || (whole === most && some)) return { wrong: 'tooLarge' }
  return { amount: places === '' ? String(whole) : `${whole}.${places}` }
}

// A Korean keyboard in its wide mode types these characters. Only these are read: ² and ① look like digits and are not.
export function halfWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('￦', '₩')
}

// What the field shows after an edit: digits are grouped while they are typed. Commas that the field had set itself move
// along. Commas that were typed or pasted stay, right or wrong, so that readAmount() can refuse them.
export function showEdit(next: string, before: string, unit: AmountUnit): string {
  const isOurs = before === grouped(before.replaceAll(',', '')) && !insertedIn(next, before).includes(',')
  if (isOurs) return grouped(halfWidth(next).replaceAll(',', ''))
  const read = readAmount(next, unit)
  return 'amount' in read ? grouped(halfWidth(next).replace(/[^\d.]/g, '')) : next
}

// 1234.50 becomes 1,234.50; other text stays as it is.
export function grouped(text: string): string {
  const match = /^(\d+)(\.\d*)?$/.exec(text)
  return match ? withCommas(match[1]!) + (match[2] ?? '') : text
}

// What an edit put in: the text between what stayed at both ends.
function insertedIn(next: string, before: string): string {
  let start = 0
  while (start < before.length && next[start] === before[start]) start += 1
  let end = 0
  while (end < before.length - start && next.at(-1 - end) === before.at(-1 - end)) end += 1
  return next.slice(start, Math.max(start, next.length - end))
}
