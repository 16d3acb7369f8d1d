import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { favoursBuyers, hasMoved, isBeyondHand, isJump, isPrice } from '#modules/pricing/rules.ts'
import { insertPriceByHand, insertTerms, lockLastPrices, lockTerms } from '#modules/pricing/store.ts'
import { METALS, type Metal, type TradingTerms } from '#modules/pricing/types.ts'
import { expireQuotes } from '#modules/trading/store.ts'

interface Who extends Person {
  reason: string
}

export type EditableTradingTerms = Omit<TradingTerms, 'stopped'>

// Cautious terms hold at once; terms in the buyer's favour wait for a second person.
export type TermsOutcome =
  | { kind: 'done'; terms: EditableTradingTerms }
  | { kind: 'waiting'; request: ChangeRequest }
  | TradingTermsRefusal

export type TradingTermsRefusal = Refusal<
  'term_out_of_bounds',
  { term: keyof EditableTradingTerms; least: number; most: number }
>
export type ExecuteTradingTermsRefusal = Refusal<'terms_changed'>

const BOUNDS: Record<keyof EditableTradingTerms, { least: number; most: number }> = {
  spreadBps: { least: 0, most: 5_000 },
  feeBps: { least: 0, most: 5_000 },
  maxAgeSeconds: { least: 30, most: 86_400 },
}

// Applies to quotes made from now on; a quote that was given keeps its terms.
export async function changeTerms(
  database: Database,
  { metal, changes, ...who }: Who & { metal: Metal; changes: Partial<EditableTradingTerms> },
): Promise<TermsOutcome> {
  const outside = refuseOutside(changes)
  if (outside) return outside
  return withOutcome(database, async (tx) => {
    const { stopped, ...before } = await lockTerms(tx, metal)
    const terms = { ...before, ...changes }
    if (favoursBuyers(before, terms)) {
      const change = { kind: 'terms', subject: metal, payload: { ...terms }, basis: { ...before } } as const
      return requestChange(tx, { action: 'trading.terms.request', ...change }, who)
    }
    const { actor, reason } = who
    await insertTerms(tx, metal, { ...terms, stopped }, actor)
    await insertAuditEntry(tx, {
      actor,
      action: 'trading.terms',
      subject: metal,
      details: { reason },
      before,
      after: terms,
    })
    return { kind: 'done', terms }
  })
}

// The first of the bounds that does not hold.
function refuseOutside(changes: Partial<EditableTradingTerms>): TradingTermsRefusal | undefined {
  for (const [name, { least, most }] of Object.entries(BOUNDS)) {
    const term = name as keyof EditableTradingTerms
    const value = changes[term]
    if (value !== undefined && (value < least || value > most))
      return refused('term_out_of_bounds', { term, least, most })
  }
  return undefined
}

// A second person agrees. The terms must still be those that the request would change.
export async function executeTerms(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteTradingTermsRefusal> {
  const metal = request.subject as Metal
  const { stopped, ...now } = await lockTerms(tx, metal)
  const basis = request.basis as unknown as EditableTradingTerms
  const same = (Object.keys(now) as (keyof EditableTradingTerms)[]).every((name) => now[name] === basis[name])
  if (!same) return refused('terms_changed')
  const { spreadBps, feeBps, maxAgeSeconds } = request.payload as unknown as EditableTradingTerms
  const terms = { spreadBps, feeBps, maxAgeSeconds }
  await insertTerms(tx, metal, { ...terms, stopped }, checker, request.id)
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'trading.terms',
    subject: metal,
    details: { reason: request.reason, askedBy: request.maker, request: request.id },
    before: now,
    after: terms,
  })
  return { kind: 'executed', payload: terms }
}

// Stops trading of both metals, or starts it again. Open quotes end at once. One person is enough for either: neither
// changes a price or the terms, and those took two.
export function stopOrResumeTrading(
  database: Database,
  { stopped, reason, actor }: Who & { stopped: boolean },
): Promise<void> {
  return database.withTransaction(async (tx) => {
    const was: Record<string, boolean> = {}
    for (const metal of METALS) {
      const before = await lockTerms(tx, metal)
      was[metal] = before.stopped
      await insertTerms(tx, metal, { ...before, stopped }, actor)
    }
    if (stopped) await expireQuotes(tx)
    const action = stopped ? 'trading.stop' : 'trading.resume'
    const after = Object.fromEntries(METALS.map((metal) => [metal, stopped]))
    await insertAuditEntry(tx, { actor, action, subject: 'trading', details: { reason }, before: was, after })
  })
}

// A price by the operator's word, where the feed has none or cannot be believed. It waits for a second person, and readings
// are measured against it from then on.
export async function requestPrice(
  database: Database,
  { metal, wonPerGram, force = false, ...who }: Who & PriceWish,
): Promise<PriceOutcome> {
  if (!isPrice(wonPerGram)) return refused('price_out_of_bounds')
  return withOutcome(database, async (tx) => {
    const measured = await measurePrice(tx, { metal, wonPerGram, force })
    if (measured.kind === 'refused') return measured
    const { last } = measured
    const change = {
      action: 'price.request',
      kind: 'price',
      subject: metal,
      payload: { wonPerGram: wonPerGram.toString(), force },
      basis: last === undefined ? {} : { last: last.toString() },
    } as const
    return requestChange(tx, change, who)
  })
}

interface PriceWish {
  metal: Metal
  wonPerGram: bigint
  // It is far from the last price, and right all the same.
  force?: boolean
}

// last: the newest price.
type MeasureRefusal = Refusal<'price_beyond_hand'> | Refusal<'price_jump', { last: bigint }>

export type PriceRefusal = Refusal<'price_out_of_bounds'> | MeasureRefusal
export type ExecutePriceRefusal =
  | MeasureRefusal
  | Refusal<'price_moved', { last: bigint }>
  | Refusal<'price_of_this_moment'>

type PriceOutcome = { kind: 'waiting'; request: ChangeRequest } | PriceRefusal

// Asked when it is requested, and again when it is approved.
async function measurePrice(
  tx: Tx,
  { metal, wonPerGram, force }: PriceWish,
): Promise<{ kind: 'measured'; last: bigint | undefined } | MeasureRefusal> {
  const known = await lockLastPrices(tx, metal)
  const last = known.last?.wonPerGram
  if (isBeyondHand(known, wonPerGram)) return refused('price_beyond_hand')
  // A slip of the finger would give metal away at once.
  if (!force && isJump(known.last, wonPerGram)) return refused('price_jump', { last: last! })
  return { kind: 'measured', last }
}

export async function executePrice(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecutePriceRefusal> {
  const metal = request.subject as Metal
  const { wonPerGram: text, force } = request.payload as { wonPerGram: string; force: boolean }
  const wonPerGram = BigInt(text)
  const measured = await measurePrice(tx, { metal, wonPerGram, force })
  if (measured.kind === 'refused') return measured
  const { last } = measured
  const { last: then } = request.basis as { last?: string }
  if (last !== undefined && then !== undefined && hasMoved(BigInt(then), last)) {
    return refused('price_moved', { last })
  }
  const written = await insertPriceByHand(tx, { metal, wonPerGram, requestId: request.id })
  if (!written) return refused('price_of_this_moment')
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'price.set',
    subject: metal,
    details: {
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
      ...(force ? { force: true } : {}),
    },
    before: { wonPerGram: last?.toString() ?? null },
    after: { wonPerGram: text },
  })
  return { kind: 'executed', payload: { wonPerGram: wonPerGram.toString(), force } }
}
