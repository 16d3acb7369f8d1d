import { parseDate } from '#base/time/seoul-time.ts'

const LOGIN_ID = /^[a-z][a-z0-9_.-]{3,29}$/

export function isLoginId(text: string): boolean {
  return LOGIN_ID.test(text)
}

// hana90 → ha***0: to recognise one's own by.
export function maskLoginId(loginId: string): string {
  return `${loginId.slice(0, 2)}${'*'.repeat(loginId.length - 3)}${loginId.slice(-1)}`
}

const ADULT_ENOUGH = 14 // years: younger ones need a guardian's consent, which nobody here can give

// By the day in Seoul: on the fourteenth birthday one is fourteen.
export function isUnder14(birthday: string, today: Temporal.PlainDate): boolean {
  const born = parseDate(`${birthday.slice(0, 4)}-${birthday.slice(4, 6)}-${birthday.slice(6, 8)}`)
  if (!born) return true
  return Temporal.PlainDate.compare(born.add({ years: ADULT_ENOUGH }), today) > 0
}

// The more particular first: most browsers also call themselves Chrome or Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/KAKAOTALK/i, 'KakaoTalk'],
  [/NAVER\(/, 'Naver'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Whale\//, 'Whale'],
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

// Browser and system as a person would say them, from what the browser says of itself: 'Chrome · Android'. Empty when
// it is neither; nothing of the text itself is kept.
export function deviceLabel(userAgent: string | undefined): string {
  const named = (list: readonly [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  return [named(BROWSERS), named(SYSTEMS)].filter(Boolean).join(' · ')
}

const WAIVABLE_WON = 1_000n

// Whether an account can be closed with what is left: nothing, or so little that the member lets it go.
export function mayClose(left: { value: bigint; openWithdrawals: number }, waive: boolean): boolean {
  if (left.openWithdrawals > 0) return false
  return left.value === 0n || (waive && left.value < WAIVABLE_WON)
}
