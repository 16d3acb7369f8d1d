import type { MessagePolicy } from './types.ts'

// The Korean standard terms of September 2025.
export const STANDARD_POLICY: MessagePolicy = {
  cancelDays: 7,
  refundYears: 5,
  smallUpTo: 50_000n,
  smallPercent: 90,
  largePercent: 95,
  pointsPercent: 100,
}
