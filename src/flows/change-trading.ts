import type { Database } from '#base/db.ts'
import { formatWon } from '#base/money.ts'
import { Refused } from '#flows/refused.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { isJump, isPrice } from '#modules/pricing/rules.ts'
import { insertPrices, insertTerms, lockTerms, readLastPrices } from '#modules/pricing/store.ts'
import { METALS, type Metal, type TradingTerms } from '#modules/pricing/types.ts'
import { expireQuotes } from '#modules/trading/store.ts'

interface Who {
  reason: string
  actor: string
}

// Applies to quotes made from now on; a quote that was given keeps its terms.
export function changeTerms(
  database: Database,
  { metal, changes, reason, actor }: Who & { metal: Metal; changes: Partial<Omit<TradingTerms, 'stopped'>> },
): Promise<TradingTerms> {
  refuseUnlessWithin('the spread', changes.spreadBps, 0, 5_000)
  refuseUnlessWithin('the fee', changes.feeBps, 0, 5_000)
  refuseUnlessWithin('the age', changes.maxAgeSeconds, 30, 86_400)
  return database.withTransaction(async (tx) => {
    const before = await lockTerms(tx, metal)
    const terms = { ...before, ...changes }
    await insertTerms(tx, metal, terms, actor)
    await insertAuditEntry(tx, {
      actor,
      action: 'trading.terms',
      subject: metal,
      details: { ...terms, reason },
    })
    return terms
  })
}

function refuseUnlessWithin(what: string, value: number | undefined, least: number, most: number): void {
  if (value !== undefined && (value < least || value > most)) {
    throw new Refused(`${what} is between ${least} and ${most}`)
  }
}

// Stops trading of both metals, or lets it go on. Quotes under way end with it: whoever stops it has a reason to.
export function stopOrResumeTrading(
  database: Database,
  { stopped, reason, actor }: Who & { stopped: boolean },
): Promise<void> {
  return database.withTransaction(async (tx) => {
    for (const metal of METALS) {
      const before = await lockTerms(tx, metal)
      await insertTerms(tx, metal, { ...before, stopped }, actor)
    }
    if (stopped) await expireQuotes(tx)
    const action = stopped ? 'trading.stop' : 'trading.resume'
    await insertAuditEntry(tx, { actor, action, subject: 'trading', details: { reason } })
  })
}

// A price by the operator's word, where the feed has none or cannot be believed: readings are measured against it from now on.
export function setPrice(
  database: Database,
  { metal, wonPerGram, force, reason, actor }: Who & { metal: Metal; wonPerGram: bigint; force?: boolean },
): Promise<void> {
  if (!isPrice(wonPerGram)) throw new Refused('a price is between 1 and 100,000,000 won')
  return database.withTransaction(async (tx) => {
    // A slip of the finger would give metal away at once.
    const last = (await readLastPrices(database)).find((price) => price.metal === metal)
    if (!force && isJump(last, wonPerGram)) {
      throw new Refused(
        `that is far from the last price, ${formatWon(last!.wonPerGram)}: if it is right all the same, say --force`,
      )
    }
    await insertPrices(tx, 'operator', [{ metal, wonPerGram, ageMs: 0 }])
    await insertAuditEntry(tx, {
      actor,
      action: 'price.set',
      subject: metal,
      details: { wonPerGram: wonPerGram.toString(), reason, ...(force ? { force: true } : {}) },
    })
  })
}
