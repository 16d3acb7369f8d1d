// How amounts and moments are written. Pure functions: test/web/format.test.ts has examples.
export type Language = 'ko' | 'en'

const UNITS_PER_GRAM = 10_000n
const UNITS_PER_DON = 37_500n // 3.75 g
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function withCommas(whole: number | bigint | string): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function won(amount: number, language: Language): string {
  if (amount < 0) return `-${won(-amount, language)}`
  return language === 'ko' ? `${withCommas(amount)}원` : `₩${withCommas(amount)}`
}

// Points buy metal and cannot be withdrawn, so they must not look like won.
export function points(amount: number): string {
  return `${withCommas(amount)}P`
}

// A change has a sign, also above zero.
export function signed(amount: number, written: string): string {
  return amount > 0 ? `+${written}` : written
}

// The contract's '1.2345' in units of 0.0001 g.
export function unitsOf(grams: string): bigint {
  const [whole = '0', rest = ''] = grams.replace(/^[+-]/, '').split('.')
  const units = BigInt(whole) * UNITS_PER_GRAM + BigInt(rest.padEnd(4, '0').slice(0, 4))
  return grams.startsWith('-') ? -units : units
}

// The other way round.
export function gramsOf(units: bigint): string {
  return `${units / UNITS_PER_GRAM}.${(units % UNITS_PER_GRAM).toString().padStart(4, '0')}`
}

// All decimals that count, and no zeros at the end: 1.2345 g, 10 g.
export function grams(text: string): string {
  return `${decimal(unitsOf(text), UNITS_PER_GRAM, 4)} g`
}

// A don is 3.75 g, the usual weight of gold in Korea. Rounded down: never more than is there.
export function don(text: string, language: Language): string {
  const amount = decimal(unitsOf(text), UNITS_PER_DON, 3)
  return language === 'ko' ? `${amount}돈` : `${amount} don`
}

function decimal(units: bigint, perWhole: bigint, places: number): string {
  if (units < 0n) return `-${decimal(-units, perWhole, places)}`
  const scaled = ((units % perWhole) * 10n ** BigInt(places)) / perWhole
  const rest = scaled.toString().padStart(places, '0').replace(/0+$/, '')
  const whole = withCommas(units / perWhole)
  return rest === '' ? whole : `${whole}.${rest}`
}

export type Direction = 'up' | 'down' | 'flat'

export function directionOf(change: number): Direction {
  return change > 0 ? 'up' : change < 0 ? 'down' : 'flat'
}

const ARROWS: Record<Direction, string> = { up: '▲', down: '▼', flat: '' }

// ▲ +1,200원 (+0.65%): the sign is for readers who cannot tell the colours apart.
export function change(amount: number, percent: string | null, language: Language): string {
  const direction = directionOf(amount)
  const share = percent === null ? '' : ` (${Number(percent) > 0 ? '+' : ''}${percent}%)`
  return `${ARROWS[direction]} ${signed(amount, won(amount, language))}${share}`.trim()
}

// Days and times are Seoul's, wherever the reader is.
const SEOUL = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Seoul',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function seoul(moment: string | number | Date) {
  const parts = SEOUL.formatToParts(new Date(moment))
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { year: get('year'), month: get('month'), day: get('day'), hour: get('hour'), minute: get('minute') }
}

// The day on which the books have it.
export function seoulDay(moment: string | number | Date): string {
  const { year, month, day } = seoul(moment)
  return `${year}-${month}-${day}`
}

export function date(isoDay: string, language: Language): string {
  const [year, month, day] = isoDay.split('-').map(Number) as [number, number, number]
  return language === 'ko' ? `${year}년 ${month}월 ${day}일` : `${day} ${MONTHS[month - 1]} ${year}`
}

export function time(moment: string | number | Date): string {
  const { hour, minute } = seoul(moment)
  return `${Number(hour)}:${minute}`
}

export function moment(at: string | number | Date, language: Language): string {
  const day = date(seoulDay(at), language)
  return language === 'ko' ? `${day} ${time(at)}` : `${day}, ${time(at)}`
}

export function shortDate(moment: string | number | Date, language: Language): string {
  const { month, day } = seoul(moment)
  return language === 'ko'
    ? `${Number(month)}월 ${Number(day)}일`
    : `${Number(day)} ${MONTHS[Number(month) - 1]}`
}

export function phone(typed: string): string {
  return typed.replace(/\D/g, '').replace(/^(01\d)(\d{3,4})(\d{4})$/, '$1-$2-$3')
}
