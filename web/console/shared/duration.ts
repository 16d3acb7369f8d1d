import type { Language } from '../../kit/language.tsx'

const UNITS: readonly { seconds: number; ko: string; en: string }[] = [
  { seconds: 86_400, ko: '일', en: ' d' },
  { seconds: 3_600, ko: '시간', en: ' h' },
  { seconds: 60, ko: '분', en: ' min' },
  { seconds: 1, ko: '초', en: ' s' },
]

// In the largest unit that fits: how long something waits, or how old it is.
export function duration(seconds: number, language: Language): string {
  const unit = UNITS.find((one) => seconds >= one.seconds) ?? UNITS.at(-1)!
  return `${Math.floor(seconds / unit.seconds)}${unit[language]}`
}
