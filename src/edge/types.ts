import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Reader } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import type { Registry, RequestMetrics } from '#base/metrics.ts'
import type { Networks } from '#base/networks.ts'
import type { ServiceToday } from '#base/service-clock.ts'
import type { HookedProvider } from '#edge/hooks/routes.ts'
import type { FieldRules } from '#edge/http/bad-parts.ts'
import type { ApiError } from '#edge/http/errors.ts'
import type { IdentityService } from '#edge/member/identity-service.ts'
import type { AccountHolders } from '#edge/member/payout-account.ts'
import type { OperatorPages } from '#edge/site/legal/operator-pages.ts'
import type { PageFiles } from '#edge/site/shell/files.ts'
import type { ChangePassword } from '#flows/accounts/change-password.ts'
import type { CloseAccount } from '#flows/accounts/close-account.ts'
import type { ConfirmOnboarding } from '#flows/accounts/confirm-onboarding.ts'
import type { AccountCare } from '#flows/accounts/manage-account.ts'
import type { PasskeyCare } from '#flows/accounts/manage-passkeys.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import type { RecoverAccount } from '#flows/accounts/recover-account.ts'
import type { SignUpMember } from '#flows/accounts/sign-up-member.ts'
import type { BeginVerification, FindVerification, RecordProof } from '#flows/accounts/verify-identity.ts'
import type { DeliveryMetrics } from '#flows/deliveries/metrics.ts'
import type { ReadInbox } from '#flows/deliveries/read-inbox.ts'
import type { RecordReports } from '#flows/deliveries/record-reports.ts'
import type { BuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import type { CancelCard } from '#flows/gift-cards/cancel-card.ts'
import type { CheckCard } from '#flows/gift-cards/check-card.ts'
import type { OpenCardLink } from '#flows/gift-cards/open-card-link.ts'
import type { RedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import type { ResendCard } from '#flows/gift-cards/resend-card.ts'
import type { CodeCount } from '#flows/guesses/count-codes.ts'
import type { Guard } from '#flows/guesses/guard-guesses.ts'
import type { GuessMetrics } from '#flows/guesses/metrics.ts'
import type { Statements } from '#flows/holdings/issue-statement.ts'
import type { LookUpAssets } from '#flows/holdings/look-up-assets.ts'
import type { ReadActs, ReadHistory, ReadStatement } from '#flows/holdings/read-history.ts'
import type { ReadHoldings } from '#flows/holdings/read-holdings.ts'
import type { DecideLink } from '#flows/partner-users/decide-link.ts'
import type { IssueHashKey } from '#flows/partner-users/issue-hash-keys.ts'
import type { SignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import type { ContinueSession } from '#flows/sessions/continue-session.ts'
import type { EnterWebView } from '#flows/sessions/enter-web-view.ts'
import type { LogIn } from '#flows/sessions/log-in.ts'
import type { PasskeyLogin } from '#flows/sessions/log-in-with-passkey.ts'
import type { LeaveSession } from '#flows/sessions/log-out.ts'
import type { PlaceOrder } from '#flows/trading/place-order.ts'
import type { QuoteOrder } from '#flows/trading/quote-order.ts'
import type { FindRequested } from '#flows/withdrawals/find-requested.ts'
import type { ForeseeRefusal, RequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import type { CancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import type { ListWithdrawals } from '#flows/withdrawals/show-withdrawals.ts'
import type { StopWithdrawal } from '#flows/withdrawals/stop-withdrawal.ts'
import type { CardLookup } from '#modules/gift-cards/lookup.ts'
import type { KeylessPartner, KnownKey, KnownPartner } from '#modules/partners/types.ts'
import type { RelyingParty } from '#modules/passkeys/types.ts'
import type { PriceBoard } from '#modules/pricing/board.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

// Whether requests belong here. A worker in trouble is told, and takes nothing out of service.
export type Readiness =
  | { ready: true; worker?: string | undefined }
  | { ready: false; because: 'starting' | 'database' | 'migration' | 'writes' | 'stopping' }

// What the edge is handed. It cannot open a transaction: writes are flows, already bound to what they need.
export interface EdgeDeps {
  publicUrl: string
  version: string
  keyMode: 'test' | 'live'
  trustedProxies: Networks
  // Names by which callers reach us, through a proxy and without one.
  own: { publicHost: string; publicOrigin: string; directHosts: ReadonlySet<string> }
  log: Log
  metrics: { registry: Registry } & RequestMetrics & GuessMetrics & Pick<DeliveryMetrics, 'reports'>
  database: Reader
  readiness(): Promise<Readiness>
  pages: PageFiles
  buyGiftCard: BuyGiftCard
  lookupCard: CardLookup
  cancelCard: CancelCard
  resendCard: ResendCard
  providers: readonly HookedProvider[]
  recordReports: RecordReports
  enterWebView: EnterWebView
  continueSession: ContinueSession
  leaveSession: LeaveSession
  signUpPartnerUser: SignUpPartnerUser
  issueHashKey: IssueHashKey
  lookUpAssets: LookUpAssets
  redeemGiftCard: RedeemGiftCard
  checkCard: CheckCard
  quoteOrder: QuoteOrder
  placeOrder: PlaceOrder
  readHoldings: ReadHoldings
  prices: PriceBoard
  readHistory: ReadHistory
  readActs: ReadActs
  readStatement: ReadStatement
  // Asked outside any transaction.
  accountHolder: AccountHolders
  findRequested: FindRequested
  foreseeRefusal: ForeseeRefusal
  requestWithdrawal: RequestWithdrawal
  cancelWithdrawal: CancelWithdrawal
  listWithdrawals: ListWithdrawals
  stopWithdrawal: StopWithdrawal
  statements: Statements
  // Whom a person can ask.
  contact: string
  // Who runs the service, and its terms.
  operator: OperatorPages
  readInbox: ReadInbox
  // Numbers of the sandbox that fail on purpose, and how; none with a real provider.
  magicNumbers: readonly { number: string; does: Record<'ko' | 'en', string> }[]
  today: ServiceToday
  // The member's side.
  identity: IdentityService
  guard: Guard
  logIn: LogIn
  onboarding: Onboarding
  openCardLink: OpenCardLink
  confirmOnboarding: ConfirmOnboarding
  signUpMember: SignUpMember
  recoverAccount: RecoverAccount
  beginVerification: BeginVerification
  findVerification: FindVerification
  recordProof: RecordProof
  codes: CodeCount
  decideLink: DecideLink
  changePassword: ChangePassword
  closeAccount: CloseAccount
  accountCare: AccountCare
  // None where browsers know no passkeys: PUBLIC_URL is an IP address, or plain http.
  passkeys: { party: RelyingParty; login: PasskeyLogin; care: PasskeyCare } | undefined
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
    refusal: ApiError | null
    // Of a signup: under which its trace number is kept.
    traceId: string | null
    receivedAt: number
  }
  interface FastifyContextConfig {
    fieldRules?: FieldRules
  }
  interface FastifyInstance {
    publicUrl: string
    contact: string
  }
}
