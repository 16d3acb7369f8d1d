import type { Reader } from '#base/db/db.ts'
import { type FindRegistered, listRegistered } from '#modules/deliveries/template-ids.ts'
import { listRefundPolicies } from '#modules/refunds/policy.ts'
import type { RefundPolicy } from '#modules/refunds/types.ts'

// Parts that many messages share and that change seldom.
export interface MessageSettings {
  registered: FindRegistered
  policies: readonly RefundPolicy[]
}

const TRUST_MS = 5_000 // a template that was just told is used this soon

// Fetched before anything is claimed: a message that cannot be written is not begun.
export function createMessageSettings(database: Reader): () => Promise<MessageSettings> {
  let fetched: { at: number; settings: MessageSettings } | undefined
  return async () => {
    if (!fetched || performance.now() - fetched.at > TRUST_MS) {
      const at = performance.now()
      const [registered, policies] = [await listRegistered(database), await listRefundPolicies(database)]
      fetched = { at, settings: { registered, policies } }
    }
    return fetched.settings
  }
}
