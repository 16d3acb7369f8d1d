import type { Shared } from '#app/endpoints/shared.ts'
import type { RefundDeps } from '#edge/console/refunds.ts'
import { describeMembers } from '#flows/members/describe-members.ts'
import { requestPolicy } from '#flows/refunds/change-policy.ts'
import { extendCard, previewExtension } from '#flows/refunds/extend-card.ts'
import { quoteRefund, requestRefund } from '#flows/refunds/refund-card.ts'
import { listRefundPolicies } from '#modules/refunds/policy.ts'

// What becomes of a card that nobody registered in time.
export function refundDeps({ database, keys, today, http }: Shared): RefundDeps {
  const { db } = database
  return {
    ...http,
    today,
    previewExtension: (card) => previewExtension(db, card),
    extendCard: (command) => extendCard(database, command),
    quoteRefund: (command) => quoteRefund({ database, keys }, command),
    requestRefund: (command) => requestRefund(database, command),
    describeMember: async (id) => (await describeMembers(db, keys.vault(), [id])).get(id)!,
    listRefundPolicies: () => listRefundPolicies(database),
    requestPolicy: (command) => requestPolicy(database, command),
  }
}
