import type { Reader } from '#base/db/db.ts'
import type { Metal } from './types.ts'

export interface TermsEntry {
  metal: Metal
  at: Temporal.Instant
  spreadBps: number
  feeBps: number
  maxAgeSeconds: number
  stopped: boolean
  setBy: string
  // Who asked, where it took two people.
  askedBy: string | null
  reason: string | null
}

const TERMS = {
  name: 'list_trading_terms',
  text: `select t.metal, t.at, t.spread_bps as "spreadBps", t.fee_bps as "feeBps", t.max_age_seconds as "maxAgeSeconds",
                t.stopped, t.set_by as "setBy", r.maker as "askedBy", r.reason
           from trading_terms t left join change_request r on r.id = t.request_id
          where t.metal = $1 order by t.at desc limit $2`,
}

// Each holds from its time until that of the one before it in the list. Newest first.
export function listTerms(database: Reader, metal: Metal, limit: number): Promise<TermsEntry[]> {
  return database.read(TERMS, [metal, limit]) as Promise<TermsEntry[]>
}

export interface HandPrice {
  metal: Metal
  at: Temporal.Instant
  wonPerGram: bigint
  askedBy: string
  approvedBy: string | null
  reason: string
}

const BY_HAND = {
  name: 'list_prices_by_hand',
  text: `select p.metal, p.at, p.won_per_gram as "wonPerGram", r.maker as "askedBy", r.checker as "approvedBy", r.reason
           from change_request r join metal_price p on p.request_id = r.id
          where r.kind = 'price' and r.subject = $1 order by p.at desc limit $2`,
}

export function listPricesByHand(database: Reader, metal: Metal, limit: number): Promise<HandPrice[]> {
  return database.read(BY_HAND, [metal, limit]) as Promise<HandPrice[]>
}
