import { parseDate } from '#base/seoul-time.ts'
import { isCleanText } from '#base/text.ts'

const LOGIN_ID = /^[a-z][a-z0-9_.-]{3,29}$/

export function isLoginId(text: string): boolean {
  return LOGIN_ID.test(text)
}

// hana90 → ha***0: to recognise one's own by.
export function maskLoginId(loginId: string): string {
  return `${loginId.slice(0, 2)}${'*'.repeat(loginId.length - 3)}${loginId.slice(-1)}`
}

const MIN_LENGTH = 10
const MAX_LENGTH = 128
const MIN_DISTINCT = 5
// What lists of leaked passwords are full of, as a stem: with a year or a sign behind it, it is no better.
const COMMON = [
  'password',
  'qwerty',
  'letmein',
  'iloveyou',
  'admin',
  'welcome',
  'dragon',
  'monkey',
  '비밀번호',
]
const ROWS = ['0123456789', '9876543210', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const LONG_RUN = 6

// Whether a password would be among the first to be tried on this person. Length counts; signs are not asked for.
export function isWeakPassword(
  password: string,
  about: { loginId: string; birthday?: string; mdn?: string },
): boolean {
  const letters = [...password]
  if (letters.length < MIN_LENGTH || letters.length > MAX_LENGTH || !isCleanText(password)) return true
  if (new Set(letters).size < MIN_DISTINCT) return true
  const text = password.toLowerCase()
  const own = [about.loginId, about.birthday, about.birthday?.slice(2), about.mdn, about.mdn?.slice(3)]
  const rest = [...own.filter((word) => word !== undefined), ...COMMON].reduce(
    (left, word) => left.replaceAll(word, ''),
    withoutRuns(text),
  )
  return [...rest].length < MIN_LENGTH / 2
}

// `1234567890` and `qwertyuiop` are one idea, not ten characters.
function withoutRuns(text: string): string {
  let rest = text
  for (const row of ROWS) {
    for (let length = row.length; length >= LONG_RUN; length -= 1) {
      for (let at = 0; at + length <= row.length; at += 1)
        rest = rest.replaceAll(row.slice(at, at + length), '')
    }
  }
  return rest
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
