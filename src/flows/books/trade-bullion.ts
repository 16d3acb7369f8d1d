import { sql } from 'kysely'
import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import { listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { decideBullion, hedgeGap } from '#modules/bullion/rules.ts'
import { findBullionTrade, insertBullionTrade } from '#modules/bullion/store.ts'
import type { BullionMetal, BullionRefusal, BullionTerms, BullionTrade } from '#modules/bullion/types.ts'
import { findHouseAccount, lockBalances, postTransfers } from '#modules/ledger/store.ts'
import { toReference } from '#modules/payments/rules.ts'
import { readLastPrices } from '#modules/pricing/store.ts'

// Metal that the house buys or sells to stand behind what members hold. One person records it, and the approval of another books
// it: metal and won, each between the inventory and the dealers.

// held: what the house has of the metal.
export type ExecuteBullionRefusal = Refusal<BullionRefusal, { reference: string; held: bigint }>
export type RequestBullionRefusal = ExecuteBullionRefusal | Refusal<'reference_invalid'>

// booked: the same command was approved before.
type BullionOutcome =
  | { kind: 'waiting'; request: ChangeRequest }
  | { kind: 'booked'; trade: BullionTrade }
  | RequestBullionRefusal

interface BullionCommand extends BullionTerms, Person {
  reference: string
  reason: string | null
}

export async function requestBullion(database: Database, command: BullionCommand): Promise<BullionOutcome> {
  const { side, metal, units, won, reference: typed, ...maker } = command
  const reference = toReference(typed)
  if (reference === undefined) return refused('reference_invalid')
  const wanted = { side, metal, units, won }
  return withOutcome<BullionOutcome>(database, async (tx) => {
    // Of two requests for one reference the second finds the first.
    const { held } = await lockInventory(tx, metal)
    const trade = await findBullionTrade(tx, reference)
    const waiting = await findWaiting(tx, reference)
    const known = trade ?? (waiting && termsOf(waiting))
    const decision = decideBullion({ wanted, held, known })
    if (decision.kind === 'refused') return refused(decision.reason, { reference, held })
    if (trade) return { kind: 'booked', trade }
    if (waiting) return { kind: 'waiting', request: waiting }
    const change = {
      action: 'bullion.request',
      kind: 'bullion',
      subject: metal,
      payload: { side, units: units.toString(), won: won.toString(), reference },
      basis: { held: held.toString() },
    } as const
    return requestChange(tx, change, maker)
  })
}

// What is held may have changed since the request, so every rule is checked again.
export async function executeBullion(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteBullionRefusal> {
  const terms = termsOf(request)
  const { side, metal, units, won } = terms
  const reference = request.payload.reference as string
  const { held, accounts } = await lockInventory(tx, metal)
  const known = await findBullionTrade(tx, reference)
  const decision = decideBullion({ wanted: terms, held, known })
  if (decision.kind === 'refused') return refused(decision.reason, { reference, held })
  if (decision.kind === 'known') return refused('bullion_reference_used', { reference, held })
  await insertBullionTrade(tx, { id: request.id, ...terms, reference })
  const leg = (inventory: bigint, dealers: bigint, amount: bigint) => ({
    groupId: request.id,
    cardId: null,
    amount,
    ...(side === 'buy' ? { debit: inventory, credit: dealers } : { debit: dealers, credit: inventory }),
  })
  await postTransfers(tx, side === 'buy' ? 'bullion_buy' : 'bullion_sell', [
    leg(accounts.metal, accounts.metalDealers, units),
    leg(accounts.won, accounts.wonDealers, won),
  ])
  const payload = { side, units: units.toString(), won: won.toString(), reference }
  const heldAfter = side === 'buy' ? held + units : held - units
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'bullion.trade',
    subject: metal,
    details: {
      ...payload,
      heldAfter: heldAfter.toString(),
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
    },
  })
  return { kind: 'executed', payload }
}

function termsOf({ subject, payload }: ChangeRequest): BullionTerms {
  return {
    side: payload.side as BullionTerms['side'],
    metal: subject as BullionMetal,
    units: BigInt(payload.units as string),
    won: BigInt(payload.won as string),
  }
}

async function findWaiting(tx: Tx, reference: string): Promise<ChangeRequest | undefined> {
  const requests = await Promise.all(
    (['XAU', 'XAG'] as const).map((metal) => listWaitingOf(tx, 'bullion', metal)),
  )
  const same = (one: ChangeRequest) =>
    (one.payload.reference as string).toLowerCase() === reference.toLowerCase()
  return requests.flat().find(same)
}

// The won account is every metal's: whoever holds it decides alone about references.
async function lockInventory(tx: Tx, metal: BullionMetal) {
  const accounts = {
    metal: await findHouseAccount(tx, 'inventory', metal),
    metalDealers: await findHouseAccount(tx, 'bullion_dealers', metal),
    won: await findHouseAccount(tx, 'inventory', 'KRW'),
    wonDealers: await findHouseAccount(tx, 'bullion_dealers', 'KRW'),
  }
  const balances = await lockBalances(tx, Object.values(accounts))
  return { accounts, held: -balances.get(accounts.metal)! }
}

export interface Hedge {
  metal: BullionMetal
  // In units of 0.0001 g.
  members: bigint
  house: bigint
  gap: bigint
  // Null: there is no price yet.
  wonPerGram: bigint | null
  priceAgeSeconds: number | null
  gapWon: bigint | null
}

// Metal held for members against metal that the house holds.
export async function readHedge(database: Database): Promise<Hedge[]> {
  const prices = await readLastPrices(database)
  const held = await database.withSnapshot(async (db) => {
    const { rows } = await sql<{ metal: BullionMetal; members: bigint; house: bigint }>`
      select asset as metal, coalesce(sum(balance) filter (where kind = 'holding'), 0)::bigint as members,
             coalesce(-sum(balance) filter (where kind = 'inventory'), 0)::bigint as house
        from account where asset in ('XAU', 'XAG') and kind in ('holding', 'inventory') group by asset order by asset desc`.execute(
      db,
    )
    return rows
  })
  return held.map(({ metal, members, house }) => {
    const price = prices.find((one) => one.metal === metal)
    const gap = hedgeGap(members, house, price?.wonPerGram ?? 0n)
    return {
      metal,
      members,
      house,
      gap: gap.units,
      wonPerGram: price?.wonPerGram ?? null,
      priceAgeSeconds: price?.ageSeconds ?? null,
      gapWon: price ? gap.won : null,
    }
  })
}
