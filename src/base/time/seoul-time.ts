// Days are Seoul days, in any time zone of the machine.
const ZONE = 'Asia/Seoul'
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/

export function seoulDate(moment: Temporal.Instant): Temporal.PlainDate {
  return moment.toZonedDateTimeISO(ZONE).toPlainDate()
}

// `2026-3-1` and `2026-03-01` alike; undefined for anything else, `2026-02-30` included.
export function parseDate(text: string): Temporal.PlainDate | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  if (year === 0) return undefined // PostgreSQL's calendar has none
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

// The first moment of a day.
export function seoulMidnight(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(ZONE).toInstant()
}
