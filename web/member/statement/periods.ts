import { seoulDay } from '../../kit/format.ts'

export interface Period {
  from: string
  to: string
}

export const PRESETS = ['month', 'before', 'quarter', 'year'] as const
export type Preset = (typeof PRESETS)[number]

// Days in Seoul, where the service keeps its books.
export function periodOf(preset: Preset, now: number): Period {
  const today = seoulDay(now)
  const [year, month] = today.split('-').map(Number) as [number, number]
  switch (preset) {
    case 'month':
      return { from: dayOf(year, month, 1), to: today }
    case 'before':
      return { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) }
    case 'quarter':
      return { from: dayOf(year, month - 2, 1), to: today }
    case 'year':
      return { from: dayOf(year, 1, 1), to: today }
  }
}

// Date.UTC carries over: month 0 is December, day 0 is the last day of the month before.
function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000
// As many as the service allows: a whole leap year.
const MOST_DAYS = 366

// An emptied date field gives NaN, for which both comparisons are false.
export function isPeriodFine({ from, to }: Period): boolean {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days >= 1 && days <= MOST_DAYS
}
