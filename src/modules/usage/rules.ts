import { parseDate } from '#base/time/seoul-time.ts'

const MAX_YEARS = 10

export interface UsagePeriod {
  start: Temporal.PlainDate
  end: Temporal.PlainDate
}

// Both days included. Undefined: not a period we answer for.
export function parsePeriod(startDate: string, endDate: string): UsagePeriod | undefined {
  const start = parseDate(startDate)
  const end = parseDate(endDate)
  if (!start || !end || Temporal.PlainDate.compare(start, end) > 0) return undefined
  return Temporal.PlainDate.compare(end, start.add({ years: MAX_YEARS })) <= 0 ? { start, end } : undefined
}
