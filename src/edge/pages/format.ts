import type { Language } from './language.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function formatMoment(moment: Temporal.Instant, language: Language): string {
  const at = moment.toZonedDateTimeISO('Asia/Seoul')
  const time = `${at.hour}:${String(at.minute).padStart(2, '0')}`
  return language === 'ko'
    ? `${at.year}년 ${at.month}월 ${at.day}일 ${time}`
    : `${at.day} ${MONTHS[at.month - 1]} ${at.year}, ${time}`
}
