import type { Database } from '#base/db/db.ts'
import { insertPrices } from '#modules/pricing/store.ts'
import type { Metal, TradingTerms } from '#modules/pricing/types.ts'
import { changeTerms, decideChange } from './operator.ts'

// A price as a feed would give it, however far it is from the last one.
export function feedPrice(database: Database, metal: Metal, wonPerGram: bigint): Promise<void> {
  return database.withTransaction((tx) => insertPrices(tx, 'test feed', [{ metal, wonPerGram, ageMs: 0 }]))
}

// Terms that two people agree on, where it takes two.
export async function agreeOnTerms(
  database: Database,
  metal: Metal,
  changes: Partial<Omit<TradingTerms, 'stopped'>>,
): Promise<void> {
  const outcome = await changeTerms(database, { metal, changes, reason: 'test', actor: 'first' })
  if (outcome.kind === 'done') return
  const { id } = outcome.request
  await decideChange(database, { id, kinds: ['terms'], act: 'approve', actor: 'second', note: '' })
}
