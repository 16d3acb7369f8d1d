import type { Language } from '#edge/http/language.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function formatDay(isoDay: string, language: Language): string {
  const { year, month, day } = Temporal.PlainDate.from(isoDay)
  return language === 'ko' ? `${year}년 ${month}월 ${day}일` : `${day} ${MONTHS[month - 1]} ${year}`
}

export function formatMoment(moment: Temporal.Instant, language: Language): string {
  const at = moment.toZonedDateTimeISO('Asia/Seoul')
  const time = `${at.hour}:${String(at.minute).padStart(2, '0')}`
  const day = formatDay(at.toPlainDate().toString(), language)
  return language === 'ko' ? `${day} ${time}` : `${day}, ${time}`
}
