// What people type or paste as an amount. Nothing is repaired: what cannot be read in one way only is refused, with the
// reason. No page and no state: tests hold this against examples.
import { withCommas } from '../../../kit/format.ts'

export type AmountUnit = 'won' | 'grams'
export type WrongAmount = 'empty' | 'zero' | 'fraction' | 'places' | 'comma' | 'notNumber' | 'tooLarge'
export type ReadAmount = { amount: string } | { wrong: WrongAmount }

// As the service takes them at most.
const MOST_WON = 1_000_000_000n
const MOST_GRAMS = 1_000_000n
const PLACES = 4

const LEADING = /^₩\s*/
const TRAILING = { won: /\s*(?:원|won|krw|p)$/i, grams: /\s*(?:g|그램)$/i }
const GROUPED = /^\d{1,3}(?:,\d{3})+$/

// Digits alone for won; for grams with up to four places after a point. As the service's bodies have them.
export function readAmount(typed: string, unit: AmountUnit): ReadAmount {
  const bare = halfWidth(typed).trim().replace(LEADING, '').replace(TRAILING[unit], '')
  if (bare === '') return { wrong: 'empty' }
  const match = /^([\d,]*)(\.(\d*))?$/.exec(bare)
  if (!match || !/\d/.test(bare)) return { wrong: 'notNumber' }
  const [, whole = '', point, places = ''] = match
  if (point !== undefined && unit === 'won') return { wrong: 'fraction' }
  if (whole.includes(',') && !GROUPED.test(whole)) return { wrong: 'comma' }
  if (places.length > PLACES) return { wrong: 'places' }
  return sized(BigInt(whole.replaceAll(',', '') || 0), places, unit)
}

function sized(whole: bigint, places: string, unit: AmountUnit): ReadAmount {
  const some = /[1-9]/.test(places)
  if (whole === 0n && !some) return { wrong: 'zero' }
  const most = unit === 'won' ? MOST_WON : MOST_GRAMS
  if (whole > most || (whole === most && some)) return { wrong: 'tooLarge' }
  return { amount: places === '' ? String(whole) : `${whole}.${places}` }
}

// Letters of a Korean keyboard in its wide mode. Only these: ² or ① look like digits and are none.
export function halfWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('￦', '₩')
}

// What the field shows after an edit: digits are grouped as they are typed. Commas that stood there are ours and move; those
// that were typed or pasted stay, right or wrong, and with them all else that is no plain number.
export function showEdit(next: string, before: string, unit: AmountUnit): string {
  const isOurs = before === grouped(before.replaceAll(',', '')) && !insertedIn(next, before).includes(',')
  if (isOurs) return grouped(halfWidth(next).replaceAll(',', ''))
  const read = readAmount(next, unit)
  return 'amount' in read ? grouped(halfWidth(next).replace(/[^\d.]/g, '')) : next
}

// 1234.50 as 1,234.50; anything else as it is.
export function grouped(text: string): string {
  const match = /^(\d+)(\.\d*)?$/.exec(text)
  return match ? withCommas(match[1]!) + (match[2] ?? '') : text
}

function insertedIn(next: string, before: string): string {
  let start = 0
  while (start < before.length && next[start] === before[start]) start += 1
  let end = 0
  while (end < before.length - start && next.at(-1 - end) === before.at(-1 - end)) end += 1
  return next.slice(start, Math.max(start, next.length - end))
}
