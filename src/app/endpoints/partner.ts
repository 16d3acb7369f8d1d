import type { Shared } from '#app/endpoints/shared.ts'
import type { Register } from '#edge/http/types.ts'
import { createPartnerAuth } from '#edge/partner/partner-auth.ts'
import { registerAsset } from '#edge/partner/v1/asset.ts'
import { registerHash } from '#edge/partner/v1/hash.ts'
import { registerSignup } from '#edge/partner/v1/signup.ts'
import { registerBuy } from '#edge/partner/v2/buy.ts'
import { registerCancel } from '#edge/partner/v2/cancel.ts'
import { registerDeliveries } from '#edge/partner/v2/deliveries.ts'
import { registerList } from '#edge/partner/v2/list.ts'
import { registerLookup } from '#edge/partner/v2/lookup.ts'
import { registerResend } from '#edge/partner/v2/resend.ts'
import { registerUsage } from '#edge/partner/v2/usage.ts'
import { createBuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import { createCancelCard } from '#flows/gift-cards/cancel-card.ts'
import { createResendCard } from '#flows/gift-cards/resend-card.ts'
import { createLookUpAssets } from '#flows/holdings/look-up-assets.ts'
import { createIssueHashKey } from '#flows/partner-users/issue-hash-keys.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { createCardLookup } from '#modules/gift-cards/lookup.ts'

// Every endpoint of the partner API, each with what it calls.
export function partnerEndpoints(shared: Shared): Register {
  const { http, database, keys, metrics, today, noteKeyUse, observeBatch } = shared
  const { publicUrl } = http
  const lookupCard = createCardLookup(database, observeBatch('lookup'))
  const lookUpAssets = createLookUpAssets(database, observeBatch('assets'))
  const issueHashKey = createIssueHashKey(database, observeBatch('hash'))
  const buyGiftCard = createBuyGiftCard({ database, keys, numberKey: keys.numberKey, metrics })
  return (server) => {
    // One for all partner routes: the key cache and the rate limit are shared by them.
    const auth = createPartnerAuth({ ...http, database, noteKeyUse })
    const signUpPartnerUser = createSignUpPartnerUser({ database, keys, metrics })
    registerSignup(server, { today, signUpPartnerUser }, auth)
    registerHash(server, { publicUrl, issueHashKey }, auth)
    registerAsset(server, { lookUpAssets }, auth)
    registerBuy(server, { buyGiftCard }, auth)
    registerList(server, { database }, auth)
    registerLookup(server, { lookupCard }, auth)
    registerDeliveries(server, { database, lookupCard }, auth)
    registerResend(server, { resendCard: createResendCard(database) }, auth)
    registerCancel(server, { cancelCard: createCancelCard({ database, keys }) }, auth)
    registerUsage(server, { database }, auth)
  }
}
