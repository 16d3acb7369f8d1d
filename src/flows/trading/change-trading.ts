import type { Database, Tx } from '#base/db.ts'
import { formatWon } from '#base/money.ts'
import { type Origin, originText } from '#base/origin.ts'
import { Refused } from '#flows/kit/refused.ts'
import { insertRequest } from '#modules/approvals/store.ts'
import type { ChangeRequest, Payload } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { favoursBuyers, hasMoved, isBeyondHand, isJump, isPrice } from '#modules/pricing/rules.ts'
import { insertPriceByHand, insertTerms, lockLastPrices, lockTerms } from '#modules/pricing/store.ts'
import { METALS, type Metal, type TradingTerms } from '#modules/pricing/types.ts'
import { expireQuotes } from '#modules/trading/store.ts'

interface Who {
  reason: string
  actor: string
  origin?: Origin
}

export type Terms = Omit<TradingTerms, 'stopped'>

// Cautious terms hold at once; terms in the buyer's favour wait for a second person.
export type TermsOutcome = { kind: 'done'; terms: Terms } | { kind: 'waiting'; request: ChangeRequest }

// Applies to quotes made from now on; a quote that was given keeps its terms.
export function changeTerms(
  database: Database,
  { metal, changes, reason, actor, origin }: Who & { metal: Metal; changes: Partial<Terms> },
): Promise<TermsOutcome> {
  refuseUnlessWithin('the spread', changes.spreadBps, 0, 5_000)
  refuseUnlessWithin('the fee', changes.feeBps, 0, 5_000)
  refuseUnlessWithin('the age', changes.maxAgeSeconds, 30, 86_400)
  return database.withTransaction(async (tx) => {
    const { stopped, ...before } = await lockTerms(tx, metal)
    const terms = { ...before, ...changes }
    if (favoursBuyers(before, terms)) {
      const wanted = { kind: 'terms', subject: metal, payload: { ...terms }, basis: { ...before } } as const
      const request = await insertRequest(tx, { ...wanted, maker: actor, makerOrigin: origin, reason })
      await insertAuditEntry(tx, {
        actor,
        action: 'trading.terms.request',
        subject: metal,
        details: { ...terms, reason, request: request.id, seen: originText(origin) },
      })
      return { kind: 'waiting', request }
    }
    await insertTerms(tx, metal, { ...terms, stopped }, actor)
    await insertAuditEntry(tx, {
      actor,
      action: 'trading.terms',
      subject: metal,
      details: { ...terms, reason },
    })
    return { kind: 'done', terms }
  })
}

function refuseUnlessWithin(what: string, value: number | undefined, least: number, most: number): void {
  if (value !== undefined && (value < least || value > most)) {
    throw new Refused(`${what} is between ${least} and ${most}`)
  }
}

// A second person agrees. The terms must still be those that the request would change.
export async function executeTerms(tx: Tx, request: ChangeRequest, checker: string): Promise<Payload> {
  const metal = request.subject as Metal
  const { stopped, ...now } = await lockTerms(tx, metal)
  const basis = request.basis as unknown as Terms
  const same = (Object.keys(now) as (keyof Terms)[]).every((name) => now[name] === basis[name])
  if (!same) throw new Refused('the terms have changed since it was asked for: ask again')
  const { spreadBps, feeBps, maxAgeSeconds } = request.payload as unknown as Terms
  const terms = { spreadBps, feeBps, maxAgeSeconds }
  await insertTerms(tx, metal, { ...terms, stopped }, checker, request.id)
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'trading.terms',
    subject: metal,
    details: { ...terms, reason: request.reason, askedBy: request.maker, request: request.id },
  })
  return terms
}

// Stops trading of both metals, or starts it again. Open quotes end at once. One person is enough for either: neither
// changes a price or the terms, and those took two.
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

// A price by the operator's word, where the feed has none or cannot be believed. It waits for a second person, and readings
// are measured against it from then on.
export function requestPrice(
  database: Database,
  { metal, wonPerGram, force = false, reason, actor, origin }: Who & PriceWish,
): Promise<ChangeRequest> {
  if (!isPrice(wonPerGram)) throw new Refused('a price is between 1 and 100,000,000 won')
  return database.withTransaction(async (tx) => {
    const last = await measurePrice(tx, { metal, wonPerGram, force })
    const payload = { wonPerGram: wonPerGram.toString(), force }
    const request = await insertRequest(tx, {
      kind: 'price',
      subject: metal,
      payload,
      basis: last === undefined ? {} : { last: last.toString() },
      maker: actor,
      makerOrigin: origin,
      reason,
    })
    await insertAuditEntry(tx, {
      actor,
      action: 'price.request',
      subject: metal,
      details: { ...payload, reason, request: request.id, seen: originText(origin) },
    })
    return request
  })
}

interface PriceWish {
  metal: Metal
  wonPerGram: bigint
  // It is far from the last price, and right all the same.
  force?: boolean
}

// Asked when it is requested, and again when it is approved. Returns the last price.
async function measurePrice(tx: Tx, { metal, wonPerGram, force }: PriceWish): Promise<bigint | undefined> {
  const known = await lockLastPrices(tx, metal)
  if (isBeyondHand(known, wonPerGram)) {
    throw new Refused(
      'a price by hand is at most 50% from what the feed said last, within a day, or from the last price',
    )
  }
  // A slip of the finger would give metal away at once.
  if (!force && isJump(known.last, wonPerGram)) {
    throw new Refused(
      `that is far from the last price, ${formatWon(known.last!.wonPerGram)}: if it is right all the same, say --force`,
    )
  }
  return known.last?.wonPerGram
}

export async function executePrice(tx: Tx, request: ChangeRequest, checker: string): Promise<Payload> {
  const metal = request.subject as Metal
  const { wonPerGram: text, force } = request.payload as { wonPerGram: string; force: boolean }
  const wonPerGram = BigInt(text)
  const last = await measurePrice(tx, { metal, wonPerGram, force })
  const { last: then } = request.basis as { last?: string }
  if (last !== undefined && then !== undefined && hasMoved(BigInt(then), last)) {
    throw new Refused(`the price has moved to ${formatWon(last)} since it was asked for: ask again`)
  }
  const written = await insertPriceByHand(tx, { metal, wonPerGram, requestId: request.id })
  if (!written) throw new Refused('there is a price of this very moment: approve it again')
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'price.set',
    subject: metal,
    details: {
      wonPerGram: text,
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
      ...(force ? { force: true } : {}),
    },
  })
  return { wonPerGram: wonPerGram.toString(), force }
}
