import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Reader } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import type { Metrics } from '#base/metrics.ts'
import type { Networks } from '#base/networks.ts'
import type { ServiceToday } from '#base/service-clock.ts'
import type { HookedProvider } from '#edge/hooks/routes.ts'
import type { PageFiles } from '#edge/shell/files.ts'
import type { BuyGiftCard } from '#flows/buy-gift-cards.ts'
import type { CancelCard } from '#flows/cancel-card.ts'
import type { ContinueWebView } from '#flows/continue-web-view.ts'
import type { EnterWebView } from '#flows/enter-web-view.ts'
import type { IssueHashKey } from '#flows/issue-hash-keys.ts'
import type { LeaveWebView } from '#flows/leave-web-view.ts'
import type { LookUpAssets } from '#flows/look-up-assets.ts'
import type { ReadInbox } from '#flows/read-inbox.ts'
import type { RecordReports } from '#flows/record-reports.ts'
import type { ResendCard } from '#flows/resend-card.ts'
import type { SignUpPartnerUser } from '#flows/sign-up-partner-user.ts'
import type { CardLookup } from '#modules/gift-cards/store.ts'
import type { KeylessPartner, KnownKey, KnownPartner } from '#modules/partners/types.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

// What the edge is handed. It cannot open a transaction: writes are flows, already bound to what they need.
export interface EdgeDeps {
  publicUrl: string
  version: string
  keyMode: 'test' | 'live'
  trustedProxies: Networks
  // Names by which callers reach us, through a proxy and without one.
  own: { publicHost: string; publicOrigin: string; directHosts: ReadonlySet<string> }
  log: Log
  metrics: Metrics
  database: Reader
  isReady(): Promise<boolean>
  pages: PageFiles
  buyGiftCard: BuyGiftCard
  lookupCard: CardLookup
  cancelCard: CancelCard
  resendCard: ResendCard
  providers: readonly HookedProvider[]
  recordReports: RecordReports
  enterWebView: EnterWebView
  continueWebView: ContinueWebView
  leaveWebView: LeaveWebView
  signUpPartnerUser: SignUpPartnerUser
  issueHashKey: IssueHashKey
  lookUpAssets: LookUpAssets
  readInbox: ReadInbox
  // Numbers of the sandbox that fail on purpose, and how; none with a real provider.
  magicNumbers: readonly { number: string; does: Record<'ko' | 'en', string> }[]
  today: ServiceToday
  noteKeyUse(id: KnownKey['id']): void
}

// Who calls: by a key, or from a network of the partner without one.
interface Caller {
  keyId: KnownKey['id'] | null
  partner: KnownPartner
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    listedBy: readonly KeylessPartner[] | null
    errorCode: string | null
    receivedAt: number
  }
  interface FastifyInstance {
    publicUrl: string
  }
}
