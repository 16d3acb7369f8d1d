import type { Shared } from '#app/endpoints/shared.ts'
import { closeMonth } from '#flows/books/month/close-month.ts'
import { readMonthEnd } from '#flows/books/month/read-month.ts'

// Closed days and months, accounts, and the house's metal.
export function bookDeps({ database, keys }: Shared) {
  // Signed with a key that no rotation changes, by the vault of the moment.
  const deps = () => ({ database, signer: keys.vault() })
  return {
    readMonthEnd: (month?: string) => readMonthEnd(deps(), month),
    closeMonth: (command: Parameters<typeof closeMonth>[1]) => closeMonth(deps(), command),
  }
}
