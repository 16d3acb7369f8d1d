import type { AccountHolderProvider, AccountHolderWatch, HolderOutcome } from './port.ts'

// Endings of an account number that do something else, to try it with.
const MAGIC: Readonly<Record<string, HolderOutcome['kind']>> = {
  '9901': 'differs',
  '9902': 'absent',
  '9903': 'unavailable',
}

// The sandbox's provider calls no bank. Every other account belongs to the member.
export function createSimulatedAccountHolder({
  watch,
}: {
  watch: AccountHolderWatch
}): AccountHolderProvider {
  return {
    name: 'simulated',
    async check({ account }) {
      watch.onRequest({ provider: 'simulated', call: 'holder', outcome: 'status_200', ms: 0 })
      return { kind: MAGIC[account.slice(-4)] ?? 'matches' }
    },
    close: async () => {},
  }
}
