import type { Language } from '#edge/pages/language.ts'

const UNITS_PER_GRAM = 10_000n
const UNITS_PER_DON = 37_500n // 3.75 g

// Every place that is held, and none that says nothing: 1.2345 g, 10 g.
export function formatGrams(units: bigint): string {
  return `${decimal(units, UNITS_PER_GRAM, 4)} g`
}

// Rounded down: never more than is there.
export function formatDon(units: bigint, language: Language): string {
  const don = decimal(units, UNITS_PER_DON, 3)
  return language === 'ko' ? `${don}돈` : `${don} don`
}

function decimal(units: bigint, perWhole: bigint, places: number): string {
  const whole = (units / perWhole).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  const scaled = ((units % perWhole) * 10n ** BigInt(places)) / perWhole
  const rest = scaled.toString().padStart(places, '0').replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
