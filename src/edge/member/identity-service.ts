import type { Carrier, IdentityProvider } from '#providers/identity/port.ts'

// The identity provider, and what a sandbox offers to try it with.
export interface IdentityService {
  provider: IdentityProvider
  // The code that every simulated phone gets. Null with a real provider.
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
