import type { Carrier, IdentityProvider } from '#providers/identity/port.ts'

// Where identities are verified, and what a sandbox offers to try it with.
export interface IdentityService {
  provider: IdentityProvider
  // The code that every simulated phone gets; null when real ones do.
  sandboxCode: string | null
  personas: readonly {
    name: string
    birthday: string
    gender: 'F' | 'M'
    mdn: string
    carrier: Carrier
    note: Record<'ko' | 'en', string>
  }[]
}
