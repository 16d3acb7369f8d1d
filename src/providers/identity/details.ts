import type { Applicant } from './port.ts'

// Digits, as dialled in Korea.
export const MDN = /^01\d{8,9}$/
// 64 bytes in base64.
export const CI = /^[A-Za-z0-9+/]{86}==$/

// YYYYMMDD of a day that exists.
export function isBirthday(text: string): boolean {
  if (!/^(?:19|20)\d{6}$/.test(text)) return false
  try {
    Temporal.PlainDate.from(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)
    return true
  } catch {
    return false
  }
}

export function isWellFormed({ name, birthday, mdn }: Applicant): boolean {
  return name.trim().length > 0 && name.length <= 100 && isBirthday(birthday) && MDN.test(mdn)
}

// The first seven digits of a resident number: the day of birth, then one for the century and the sex.
export function identityNumberOf({ birthday, gender }: Pick<Applicant, 'birthday' | 'gender'>): string {
  const first = birthday.startsWith('19') ? 1 : 3
  return `${birthday.slice(2)}${gender === 'M' ? first : first + 1}`
}
