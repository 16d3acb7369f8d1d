import type { Config } from '#app/config.ts'
import { memberDeps } from '#app/member-deps.ts'
import type { Metrics } from '#app/metrics.ts'
import type { Runtime } from '#app/runtime.ts'
import { VERSION } from '#app/version.ts'
import type { Messaging } from '#app/worker.ts'
import { createServiceToday } from '#base/service-clock.ts'
import { createWorkQueue } from '#base/work-queue.ts'
import { hostName } from '#edge/http/forwarding.ts'
import type { EdgeDeps } from '#edge/types.ts'
import { createReadInbox } from '#flows/deliveries/read-inbox.ts'
import { createRecordReports } from '#flows/deliveries/record-reports.ts'
import { createBuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import { createCancelCard } from '#flows/gift-cards/cancel-card.ts'
import { createResendCard } from '#flows/gift-cards/resend-card.ts'
import { createLookUpAssets } from '#flows/holdings/look-up-assets.ts'
import { createReadActs, createReadHistory, createReadStatement } from '#flows/holdings/read-history.ts'
import { createReadHoldings } from '#flows/holdings/read-holdings.ts'
import { createIssueHashKey } from '#flows/partner-users/issue-hash-keys.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { createFindRequested } from '#flows/withdrawals/find-requested.ts'
import { createForeseeRefusal, createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { createCancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { createListWithdrawals } from '#flows/withdrawals/show-withdrawals.ts'
import { createCardLookup } from '#modules/gift-cards/lookup.ts'
import type { LegalTexts } from '#modules/operator/types.ts'
import { createPriceBoard } from '#modules/pricing/board.ts'
import type { AccountHolderProvider } from '#providers/account-holder/port.ts'
import type { IdentityProvider } from '#providers/identity/port.ts'
import { MAGIC_NUMBERS } from '#providers/messaging/magic-numbers.ts'

const MAGIC = Object.entries(MAGIC_NUMBERS).map(([digits, { does }]) => ({
  number: `010-0000-${digits}`,
  does,
}))

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

interface Parts {
  metrics: Metrics
  messaging: Messaging
  identity: IdentityProvider
  accountHolder: AccountHolderProvider
  noteKeyUse: EdgeDeps['noteKeyUse']
  pages: EdgeDeps['pages']
  texts: LegalTexts
  readiness: EdgeDeps['readiness']
}

// Everything the edge is handed, bound to what it needs.
export function edgeDeps(
  runtime: Runtime,
  { metrics, messaging, identity, accountHolder, noteKeyUse, pages, texts, readiness }: Parts,
): EdgeDeps {
  const observeBatch = (batch: string) => (size: number) => metrics.batchSize.observe({ batch }, size)
  const { config, database, log, keys } = runtime
  const queue = createWorkQueue()
  const isSimulated = config.messaging.providers.includes('simulated')
  return {
    publicUrl: config.publicUrl,
    version: VERSION,
    keyMode: config.mode === 'live' ? 'live' : 'test',
    trustedProxies: config.trustedProxies,
    own: ownNames(config),
    log,
    metrics,
    database,
    readiness,
    pages,
    buyGiftCard: createBuyGiftCard({
      database,
      keys,
      numberKey: keys.numberKey,
      metrics,
    }),
    cancelCard: createCancelCard({ database, keys }),
    resendCard: createResendCard(database),
    providers: messaging.providers,
    recordReports: createRecordReports({ database, ...messaging }),
    lookupCard: createCardLookup(database, observeBatch('lookup')),
    signUpPartnerUser: createSignUpPartnerUser({ database, keys, metrics }),
    issueHashKey: createIssueHashKey(database, observeBatch('hash')),
    quoteOrder: createQuoteOrder({ database, metrics }),
    placeOrder: createPlaceOrder({ database, metrics }),
    readHoldings: createReadHoldings(database),
    prices: createPriceBoard(database, queue),
    readHistory: createReadHistory({ database, keys }),
    readActs: createReadActs({ database, keys }),
    readStatement: createReadStatement(database),
    accountHolder,
    findRequested: createFindRequested({ database, keys }),
    foreseeRefusal: createForeseeRefusal({ database, keys, metrics }),
    requestWithdrawal: createRequestWithdrawal({ database, keys, metrics }),
    cancelWithdrawal: createCancelWithdrawal({ database, keys }),
    listWithdrawals: createListWithdrawals({ database, keys }),
    contact: messaging.imprint.contact,
    operator: { details: config.operator.operator, isSample: config.operator.isSample, texts },
    lookUpAssets: createLookUpAssets(database, observeBatch('assets')),
    today: createServiceToday(database),
    magicNumbers: isSimulated ? MAGIC : [],
    readInbox: createReadInbox({ database, keys, imprint: messaging.imprint }),
    noteKeyUse,
    ...memberDeps(runtime, { metrics, identity, queue, publicUrl: config.publicUrl }),
  }
}

// How callers name us, from elsewhere and on this machine.
function ownNames({ publicUrl, host }: Config): EdgeDeps['own'] {
  const { host: name, origin: publicOrigin } = new URL(publicUrl)
  const publicHost = hostName(name)
  return { publicHost, publicOrigin, directHosts: new Set([publicHost, host, ...LOOPBACK]) }
}
