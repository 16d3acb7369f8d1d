import type { ConsoleMetal } from '../../../contract/console.gen.ts'
import type { Texts } from '../../kit/language.tsx'

export const METAL_NAMES: Texts<Record<ConsoleMetal['metal'], string>> = {
  ko: { XAU: '금', XAG: '은' },
  en: { XAU: 'Gold', XAG: 'Silver' },
}

// Basis points are hundredths of a percent.
export const percentOf = (bps: number) => `${(bps / 100).toFixed(2)}%`

// `1.25` as 125; undefined for anything that is not a percent with up to two places.
// By text, not by multiplication: 1.1 * 100 is not 110 in binary.
export function bpsOf(typed: string): number | undefined {
  const match = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(typed.trim())
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined
}
