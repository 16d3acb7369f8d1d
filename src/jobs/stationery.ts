import type { Reader } from '#base/db.ts'
import { type FindTemplateIds, listTemplateIds } from '#modules/deliveries/template-ids.ts'
import { listRefundPolicies, type RefundPolicy } from '#modules/gift-cards/refund-policy.ts'

// What is the same in many messages, and changes seldom.
export interface Stationery {
  templateIds: FindTemplateIds
  policies: readonly RefundPolicy[]
}

const TRUST_MS = 5_000 // a template that was just told is used this soon

// Fetched before anything is claimed: a message that cannot be written is not begun.
export function createStationery(database: Reader): () => Promise<Stationery> {
  let fetched: { at: number; stationery: Stationery } | undefined
  return async () => {
    if (!fetched || performance.now() - fetched.at > TRUST_MS) {
      const at = performance.now()
      const [templateIds, policies] = [await listTemplateIds(database), await listRefundPolicies(database)]
      fetched = { at, stationery: { templateIds, policies } }
    }
    return fetched.stationery
  }
}
