import { AsyncLocalStorage } from 'node:async_hooks'
import type { VaultKeeper } from '#base/crypto/vault.ts'

// The person at the entrance: a command or a request of the console. Whatever it calls can say where the act came from, without
// each function handing that on.
export interface Acting {
  // As in the entries of that person. Null: a visitor, who has no name yet. Whatever the request writes is from there.
  actor: string | null
  // Named facts about the place: an address, a session, a machine.
  from: Readonly<Record<string, string>>
  // Undefined before the database is open.
  keys?: VaultKeeper
}

const storage = new AsyncLocalStorage<Acting>()

export function runActing<Result>(acting: Acting, work: () => Result): Result {
  return storage.run(acting, work)
}

// For a command that opens the database by itself.
export function lendKeys(keys: VaultKeeper): void {
  const acting = storage.getStore()
  if (acting) acting.keys = keys
}

// Where the person at the entrance is, for an entry that is written before the keys are there.
export function actingFrom(): Readonly<Record<string, string>> {
  return storage.getStore()?.from ?? {}
}

// Undefined if this actor is not the person at the entrance: a job, or another's entry.
export function actingAs(actor: string): Required<Acting> | undefined {
  const acting = storage.getStore()
  if (!acting?.keys) return undefined
  // A sandbox adds a second name to the first.
  const isSame = acting.actor === null || actor === acting.actor || actor.startsWith(`${acting.actor} `)
  return isSame ? { ...acting, keys: acting.keys } : undefined
}
