import type { OnboardingContent } from './types.ts'

export const EMPTY: OnboardingContent = { card: null, details: null, verification: null }

// ••••-••••-••••-7K3Q: to recognise the message by.
export function maskPin(pin: string): string {
  return `••••-••••-••••-${pin.slice(-4)}`
}
