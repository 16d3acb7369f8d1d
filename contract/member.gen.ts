// Made by `npm run generate` from member-openapi.json. Do not edit.

export interface AccountClosure {
  // 10 to 128 characters.
  password?: string
  // That what is left, less than ₩1,000 in all, may lapse.
  waive: boolean
  // Erase at once what no law keeps, and the rest on its day (`GET /erasure`).
  erase?: boolean
}

export interface Act {
  id: string
  at: string
  kind: MovementKind
  // To quote to support: the order, the withdrawal, the card.
  reference: string
  // Of a registered card: who gave it.
  partner: string | null
  // Its status now.
  withdrawal: WithdrawalStatus | null
  order: OrderLines | null
  movements: AssetChange[]
}

export interface Acts {
  // Newest first, each with all it moved.
  acts: Act[]
  // The cursor of the next page.
  next: string | null
}

export interface AgreedVersions {
  terms: string
  privacy: string
}

export interface Agreements {
  service: true
  privacy: true
  marketing: boolean
}

export interface AssertionResponse {
  // base64url.
  clientDataJSON: string
  // base64url.
  authenticatorData: string
  // base64url.
  signature: string
  // base64url.
  userHandle?: string
}

export interface AssetChange {
  asset: AssetKind
  // Signed: won, or grams with four places.
  change: string
  // Of that asset, after it; null in a list of one asset, for the others.
  balance: string | null
}

export type AssetKind = 'points' | 'deposit' | 'gold' | 'silver'

export interface Assets {
  asOf: string
  // Won.
  totalValue: number
  // Won.
  points: number
  // Won.
  deposit: number
  gold: HeldMetal
  silver: HeldMetal
  gain: Gain
}

export interface AttestationResponse {
  // base64url.
  clientDataJSON: string
  // base64url.
  attestationObject: string
  transports?: string[]
}

export interface AuthenticatorSelection {
  residentKey: 'required'
  requireResidentKey: true
  userVerification: 'required'
}

export interface Balances {
  // Won.
  points: number
  // Won.
  deposit: number
  gold: string
  silver: string
}

export interface CardLinkCode {
  code: string
}

export interface CardOfLink {
  partner: string
  // Won.
  amount: number
  expiresOn: string
}

export interface CardPin {
  // Sixteen characters; hyphens and spaces are ignored.
  pin: string
}

export interface CardRequest {
  // Sixteen characters; hyphens and spaces are ignored. Without it: the card of the onboarding.
  pin?: string
}

export interface CardToRegister {
  // Won.
  amount: number
  expiresOn: string
  // Its last day after the one extension; null if there is none left.
  extendsTo: string | null
  // The name of the partner that gave it.
  partner: string
  // To whom it would be credited, masked.
  holder: string
  // Whether the same person has registered it already: nothing would be added.
  again: boolean
}

export type Carrier = 'SKT' | 'KT' | 'LGU' | 'SKT_MVNO' | 'KT_MVNO' | 'LGU_MVNO'

export interface CheckedStatement {
  // Twelve digits.
  number: string
  issuedAt: string
  from: string
  to: string
  // Masked.
  name: string
  closing: Balances
}

export interface ConfirmedOnboarding {
  onboarding: Onboarding
  session: Session | null
}

export interface DataFile {
  fileName: string
  // The file: JSON with a section for each kind of data.
  content: string
}

export type DataKind =
  | 'person'
  | 'identity'
  | 'login_id'
  | 'transactions'
  | 'bank_accounts'
  | 'statements'
  | 'consents'
  | 'partner_details'
  | 'messages'
  | 'access'
  | 'protection'
  | 'recipients'
  | 'under_way'

export interface DeviceSession {
  id: string
  current: boolean
  // Browser and system, as the browser says.
  device: string
  // Of a web view: where it was opened.
  partner: string | null
  startedAt: string
  seenAt: string
}

export interface ErasureLine {
  kind: DataKind
  what: WordsInBoth
  outcome: ErasureOutcome
  // Erased after this day. Null: at once, or not on a day that is known.
  until: string | null
  kept: WordsInBoth
  why: WordsInBoth
}

export type ErasureOutcome = 'erased' | 'kept'

export interface ErasurePlan {
  lines: ErasureLine[]
}

export interface ErrorMessage {
  error: string
}

export interface ExtendedCard {
  expiresOn: string
  was: string
}

export interface Gain {
  won: number
  percent: string | null
}

export type Gender = 'F' | 'M'

export interface HeldMetal {
  grams: string
  pricePerGram: number
  // Won.
  value: number
  // What was paid for what is held, by moving average.
  cost: number
  gain: Gain
}

export interface History {
  // Newest first.
  movements: Movement[]
  // The cursor of the next page.
  next: string | null
}

export interface IdentityRequest {
  purpose: VerificationPurpose
  name: string
  // YYYYMMDD.
  birthday: string
  gender: Gender
  // Mobile number; hyphens and spaces are ignored.
  mdn: string
  carrier: Carrier
}

export interface IdentityVerification {
  verificationId: string
  expiresAt: string
  resendAfterSeconds: number
  // The code itself, where no phone gets one: simulated verification only.
  sandboxCode: string | null
}

export interface InvalidPart {
  // JSON pointer into the body.
  pointer?: string
  parameter?: string
  header?: string
  detail: string
}

export interface IssuedStatement {
  // Twelve digits.
  number: string
  // The check code: 20 characters.
  code: string
  issuedAt: string
  isFullName: boolean
  from: string
  to: string
  madeAt: string
  // As printed: whole or masked.
  name: string
  opening: Balances
  closing: Balances
  // Oldest first.
  movements: Movement[]
  // Oldest first: how the total of each came about.
  orders: StatementOrder[]
  sums: StatementSums
  issuer: Issuer
}

export interface Issuer {
  ko: IssuerDetails
  en: IssuerDetails
}

export interface IssuerDetails {
  name: string
  businessNumber: string | null
  address: string | null
  contact: string
}

export interface Link {
  id: string
  partner: string
  registeredAt: string
  state: LinkState
  // Whether the partner may look up everything the member holds, or only what came through it.
  seesAll: boolean
}

export interface LinkDecision {
  decision: 'confirm' | 'refuse'
}

export type LinkState = 'undecided' | 'confirmed' | 'refused'

export interface Links {
  links: Link[]
}

export interface LocalizedText {
  ko: string
  en: string
}

export interface LoginRequest {
  loginId: string
  // 10 to 128 characters.
  password: string
}

export interface MadeCredential {
  // base64url.
  id: string
  // base64url.
  rawId: string
  type: 'public-key'
  response: AttestationResponse
}

export interface MadePasskey {
  credential: MadeCredential
}

export type Metal = 'gold' | 'silver'

export interface MetalPrice {
  // Won per gram, as the feed has it.
  reference: number
  // Won per gram when a member buys.
  ask: number
  // Won per gram when a member sells.
  bid: number
  at: string
  change: PriceChange
}

export interface Movement {
  id: string
  at: string
  kind: MovementKind
  asset: AssetKind
  // Signed: won, or grams with four places.
  change: string
  // Of that asset, after it.
  balance: string
  // Of a registered card: who gave it.
  partner: string | null
  // Of an order.
  pricePerGram: number | null
  orderId: string | null
}

export type MovementKind =
  | 'redeem'
  | 'buy'
  | 'sell'
  | 'withdraw'
  | 'withdraw_back'
  | 'join'
  | 'waive'
  | 'grant'
  | 'adjust_up'
  | 'adjust_down'
  | 'refund'

export interface Onboarding {
  // Null when nothing is kept.
  expiresAt: string | null
  card: OnboardingCard | null
  // As typed, until they are verified.
  details: PersonDetails | null
  // While a code is on its way.
  code: SentCode | null
  purpose: 'sign_up' | 'recover' | null
  // Once the code was right.
  verified: VerifiedPerson | null
}

export interface OnboardingCard {
  // Masked.
  pin: string
  // Only for a visitor who came by the link of the card's message.
  told: CardOfLink | null
}

export interface OnboardingIdentityRequest {
  purpose: 'sign_up' | 'recover'
  name: string
  // YYYYMMDD.
  birthday: string
  gender: Gender
  // Mobile number; hyphens and spaces are ignored.
  mdn: string
  carrier: Carrier
}

export interface Order {
  orderId: string
  placedAt: string
  side: Side
  metal: Metal
  grams: string
  // Won per gram, as the feed had it.
  reference: number
  // Won per gram, the spread included.
  price: number
  // Percent with two places.
  spreadPercent: string
  // Percent with two places.
  feePercent: string
  // What the metal costs or brings, before the fee.
  metalWon: number
  // How much of it is the spread.
  spreadWon: number
  // Won.
  fee: number
  // What is paid, or received.
  total: number
  // Won.
  fromPoints: number
  // Won.
  fromDeposit: number
}

export interface OrderLines {
  side: Side
  metal: Metal
  grams: string
  // Won per gram, as the feed had it.
  reference: number
  // Won per gram, the spread included.
  price: number
  // Percent with two places.
  spreadPercent: string
  // Percent with two places.
  feePercent: string
  // Price × grams, rounded down to the won.
  value: number
  // Bought: 1 where price × grams is no whole won, which is rounded up. Sold: 0.
  rounding: number
  // How much of it is the spread.
  spreadWon: number
  // Won.
  fee: number
  // Bought: value + rounding + fee, paid. Sold: value + rounding − fee, received.
  total: number
  // What the metal cost, fee included; of a sale its share by moving average, rounded up.
  cost: number
  // Of a sale: total − cost.
  gain: number | null
}

export interface OrderRequest {
  quoteId: string
}

export interface Passkey {
  id: string
  name: string
  // Whether the member has it on other devices, too.
  synced: boolean
  // A copy of it may be about: it no longer logs in.
  blocked: boolean
  createdAt: string
  lastUsedAt: string | null
}

export interface PasskeyAlgorithm {
  type: 'public-key'
  alg: number
}

export interface PasskeyCreationOptions {
  challenge: string
  rp: RelyingParty
  user: PasskeyUser
  pubKeyCredParams: PasskeyAlgorithm[]
  // Milliseconds.
  timeout: number
  attestation: 'none'
  excludeCredentials: PasskeyDescriptor[]
  authenticatorSelection: AuthenticatorSelection
}

export interface PasskeyDescriptor {
  type: 'public-key'
  id: string
  transports: string[]
}

export interface PasskeyName {
  name: string
}

export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  // Milliseconds.
  timeout: number
  userVerification: 'required'
}

export interface PasskeyToMake {
  publicKey: PasskeyCreationOptions
}

export interface PasskeyToUse {
  publicKey: PasskeyRequestOptions
}

export interface PasskeyUser {
  id: string
  name: string
  displayName: string
}

export interface Passkeys {
  passkeys: Passkey[]
  // Ten are the most.
  canAdd: boolean
}

export interface PasswordChange {
  // 10 to 128 characters.
  current?: string
  // 10 to 128 characters.
  next: string
  // Small letters, digits, `_`, `.` and `-`; begins with a letter; 4 to 30 characters.
  loginId?: string
}

export interface PersonDetails {
  name: string
  // YYYYMMDD.
  birthday: string
  gender: Gender
  // Mobile number; hyphens and spaces are ignored.
  mdn: string
  carrier: Carrier
}

export interface Persona {
  name: string
  birthday: string
  gender: Gender
  mdn: string
  carrier: string
  note: LocalizedText
}

export interface Personas {
  personas: Persona[]
}

export interface PriceChange {
  won: number
  // Percent with two places.
  percent: string
}

export interface PriceHistory {
  metal: Metal
  period: string
  // Oldest first, evenly spaced. Moments before the first known price are left out.
  points: PricePoint[]
}

export interface PricePoint {
  at: string
  wonPerGram: number
}

export interface Prices {
  trading: TradingState
  asOf: string
  gold: MetalPrice
  silver: MetalPrice
  spreadPercent: Spreads
  // Percent with two places.
  feePercent: string
}

export interface Problem {
  // Address of the page that explains the code.
  type: string
  title: string
  status: number
  // Stable: switch on this.
  code: string
  requestId: string
  // Whom to ask, where only a person can help.
  contact?: string
  // Every bad part of the request, 32 at most.
  errors?: InvalidPart[]
}

export interface Profile {
  // Null of a member who never chose one and logs in by phone.
  loginId: string | null
  // Masked, like the rest.
  name: string
  birthday: string
  mdn: string
  joinedAt: string
  // Null without a password.
  passwordChangedAt: string | null
  marketing: boolean
}

export interface ProfileChange {
  marketing: boolean
}

export interface Quote {
  quoteId: string
  side: Side
  metal: Metal
  grams: string
  // Won per gram, as the feed had it.
  reference: number
  // Won per gram, the spread included.
  price: number
  // Percent with two places.
  spreadPercent: string
  // Percent with two places.
  feePercent: string
  // What the metal costs or brings, before the fee.
  metalWon: number
  // How much of it is the spread.
  spreadWon: number
  // Won.
  fee: number
  // What is paid, or received.
  total: number
  // Won.
  fromPoints: number
  // Won.
  fromDeposit: number
  // Of the won asked for: to buy, what is not spent; to sell, what is received beyond it.
  rounding: number
  // Won that points and deposit lack for it, or 0; for a sale 0 or, in `lackingGrams`, the metal.
  lacking: number
  lackingGrams: string
  expiresAt: string
  expiresInSeconds: number
}

export interface QuoteRequest {
  side: Side
  metal: Metal
  // To buy: spend at most this. To sell: receive at least this. Either this or `grams`.
  won?: number
  // At least 0.0001.
  grams?: string
}

export interface RecoveryRequest {
  // Without it: the one that was confirmed in the onboarding of this browser.
  verificationId?: string
  // Small letters, digits, `_`, `.` and `-`; begins with a letter; 4 to 30 characters.
  loginId?: string
  // 10 to 128 characters.
  password?: string
}

export interface Refund {
  refundId: string
  payout: RefundPayout
  // What the card was worth.
  face: number
  // How much of it is refunded.
  percent: number
  // What is kept back, rounded down to the won.
  deduction: number
  // face − deduction.
  total: number
  // Points held now, or deposit.
  held: number
  // Whether it was paid before: nothing was added.
  again: boolean
  refundedAt: string
}

export interface RefundClaim {
  quoteId: string
}

export interface RefundOffer {
  quoteId: string
  payout: RefundPayout
  // What the card was worth.
  face: number
  // How much of it is refunded.
  percent: number
  // What is kept back, rounded down to the won.
  deduction: number
  // face − deduction.
  total: number
}

export interface RefundOffers {
  // Won.
  amount: number
  expiresOn: string
  // The name of the partner that gave the card.
  partner: string
  // Who would get it, masked.
  holder: string
  // The version of the refund policy.
  policy: string
  // The last day to ask for a refund.
  refundableUntil: string
  // One for each way. In a web view points only: money is paid out by a withdrawal, which is not there.
  offers: RefundOffer[]
  expiresAt: string
}

export type RefundPayout = 'points' | 'money'

export interface RegisteredCard {
  // Won.
  amount: number
  // Points held now.
  points: number
  // Whether the same person had registered it before: nothing was added.
  again: boolean
  holder: string
}

export interface RelyingParty {
  id: string
  name: string
}

export interface SentCode {
  expiresAt: string
  resendAfterSeconds: number
  sandboxCode: string | null
}

export interface Session {
  signedIn: boolean
  // No real money, gold or silver.
  sandbox: boolean
  // `member`: by id and password. `web_view`: opened from a partner, without signing up.
  kind: 'member' | 'web_view' | null
  // Masked.
  name: string | null
  loginId: string | null
  // The partner's name, in a web view.
  partner: string | null
  // Whether identity has to be verified before trading, withdrawing and changing the account.
  mustVerify: boolean
  // Partners that know this person, whom the member has neither confirmed nor refused.
  undecidedLinks: number
  // Of a web view that has ended: the person has refused its link, and no app opens it again.
  linkRefused: boolean
}

export interface Sessions {
  sessions: DeviceSession[]
}

export type Side = 'buy' | 'sell'

export interface SignupRequest {
  // Without it: the one that was confirmed in the onboarding of this browser.
  verificationId?: string
  // Small letters, digits, `_`, `.` and `-`; begins with a letter; 4 to 30 characters.
  loginId?: string
  // 10 to 128 characters.
  password?: string
  agreed: Agreements
  versions?: AgreedVersions
}

export interface Spreads {
  // Percent with two places.
  gold: string
  // Percent with two places.
  silver: string
}

export interface Statement {
  from: string
  to: string
  madeAt: string
  // Masked.
  name: string
  opening: Balances
  closing: Balances
  // Oldest first.
  movements: Movement[]
  // Oldest first: how the total of each came about.
  orders: StatementOrder[]
  sums: StatementSums
}

export interface StatementCheck {
  // Blanks and hyphens are ignored.
  number: string
  // Blanks and hyphens are ignored.
  code: string
}

export interface StatementOrder {
  orderId: string
  at: string
  side: Side
  metal: Metal
  grams: string
  // Won per gram, as the feed had it.
  reference: number
  // Won per gram, the spread included.
  price: number
  // Percent with two places.
  spreadPercent: string
  // Percent with two places.
  feePercent: string
  // Price × grams, rounded down to the won.
  value: number
  // Bought: 1 where price × grams is no whole won, which is rounded up. Sold: 0.
  rounding: number
  // How much of it is the spread.
  spreadWon: number
  // Won.
  fee: number
  // Bought: value + rounding + fee, paid. Sold: value + rounding − fee, received.
  total: number
  // What the metal cost, fee included; of a sale its share by moving average, rounded up.
  cost: number
  // Of a sale: total − cost.
  gain: number | null
}

export interface StatementRequest {
  // Yours: the same again is the same statement.
  requestId: string
  // A Seoul day, YYYY-MM-DD.
  from: string
  // Included; at most 366 days.
  to: string
  // Print the whole name instead of the masked one.
  fullName: boolean
}

export interface StatementSums {
  // Won.
  fee: number
  // Won.
  spreadWon: number
  gain: number
}

export interface Stop {
  state: StopState
  // A stop would stop this one and others, and make the account safe. For seven days also if this one has ended.
  canStop: boolean
  // The member's other withdrawals that are still to be paid.
  others: number
  stopAsked: boolean
  withdrawal: Withdrawal
  // Whom to ask.
  contact: string
}

export interface StopCode {
  // From the link in the notice.
  code: string
}

export type StopState = 'open' | 'on_its_way' | 'stopped' | 'paid' | 'ended'

export interface TermsVersions {
  terms: string
  privacy: string
}

export type TradingState = 'open' | 'stale' | 'stopped'

export interface UsedCredential {
  // base64url.
  id: string
  // base64url.
  rawId: string
  type: 'public-key'
  response: AssertionResponse
}

export interface UsedPasskey {
  credential: UsedCredential
}

export interface VerificationCode {
  code: string
}

export type VerificationPurpose = 'sign_up' | 'recover' | 'step_up'

export interface VerifiedIdentity {
  purpose: VerificationPurpose
  // Masked.
  name: string
  // Whether this person has an account already.
  isMember: boolean
  // Of the account, its middle masked; whole when the purpose is `recover`.
  loginId: string | null
  // Names of partners that have registered this person.
  knownThrough: string[]
}

export interface VerifiedPerson {
  // Masked.
  name: string
  isMember: boolean
  loginId: string | null
  knownThrough: string[]
}

export interface Withdrawal {
  id: string
  // Won.
  amount: number
  // Its three-digit code.
  bank: string
  // Masked.
  account: string
  status: WithdrawalStatus
  requestedAt: string
  // While it waits: it is not paid before this.
  waitsUntil: string | null
  settledAt: string | null
}

export interface WithdrawalRequest {
  // Yours: the same again is the same withdrawal.
  requestId: string
  amount: number
  // A bank's code at Korea's clearing institute.
  bank: string
  // Digits; hyphens are ignored.
  account: string
}

export type WithdrawalStatus = 'requested' | 'approved' | 'paid' | 'cancelled' | 'refused'

export interface Withdrawals {
  withdrawals: Withdrawal[]
}

export interface WordsInBoth {
  ko: string
  en: string
}

// The `code` of a problem.
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'credit_limit_exceeded'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
  | 'wrong_login'
  | 'passkey_failed'
  | 'step_up_required'
  | 'account_frozen'
  | 'under_age'
  | 'not_eligible'
  | 'card_not_registered'
  | 'card_used'
  | 'card_already_yours'
  | 'card_expired'
  | 'card_cancelled'
  | 'card_refunded'
  | 'card_still_valid'
  | 'refund_too_late'
  | 'card_not_extendable'
  | 'pin_mistyped'
  | 'wrong_code'
  | 'identity_failed'
  | 'other_person'
  | 'account_holder_differs'
  | 'weak_password'
  | 'login_id_taken'
  | 'already_member'
  | 'quote_expired'
  | 'insufficient_balance'
  | 'withdrawals_stopped'
  | 'assets_remain'
  | 'amount_too_small'
  | 'prices_stale'
  | 'trading_stopped'
  | 'proof_required'

export interface Operations {
  // Who is signed in.
  getSession: {
    method: 'GET'
    url: '/session'
    answer: Session
  }
  // End this session.
  logOut: {
    method: 'POST'
    url: '/logout'
    answer: null
  }
  // Log in with id and password.
  logIn: {
    method: 'POST'
    url: '/login'
    body: LoginRequest
    answer: Session
  }
  // The sandbox's people, to fill the form with.
  listPersonas: {
    method: 'GET'
    url: '/personas'
    answer: Personas
  }
  // Send a code to a phone.
  startIdentity: {
    method: 'POST'
    url: '/identity'
    body: IdentityRequest
    answer: IdentityVerification
  }
  // Send another code.
  resendCode: {
    method: 'POST'
    url: '/identity/:verificationId/resend'
    params: {
      verificationId: string
    }
    answer: IdentityVerification
  }
  // Type the code.
  confirmCode: {
    method: 'POST'
    url: '/identity/:verificationId/confirm'
    params: {
      verificationId: string
    }
    body: VerificationCode
    answer: VerifiedIdentity
  }
  // See what a card is worth before it is registered.
  checkCard: {
    method: 'POST'
    url: '/cards/check'
    body: CardRequest
    answer: CardToRegister
  }
  // Register a card: it becomes points, once.
  redeemCard: {
    method: 'POST'
    url: '/cards/redeem'
    body: CardRequest
    answer: RegisteredCard
  }
  // See what an expired card still gives, line by line.
  quoteRefund: {
    method: 'POST'
    url: '/cards/refund-offers'
    body: CardRequest
    answer: RefundOffers
  }
  // Take a refund, once.
  claimRefund: {
    method: 'POST'
    url: '/cards/refunds'
    body: RefundClaim
    answer: Refund
  }
  // Move the last day of a card that is not registered, once.
  extendCard: {
    method: 'POST'
    url: '/cards/extend'
    body: CardRequest
    answer: ExtendedCard
  }
  // Partners that know this person.
  listLinks: {
    method: 'GET'
    url: '/links'
    answer: Links
  }
  // Confirm or refuse a partner's link.
  decideLink: {
    method: 'POST'
    url: '/links/:linkId'
    params: {
      linkId: string
    }
    body: LinkDecision
    answer: Links
  }
  // What gold and silver cost now.
  getPrices: {
    method: 'GET'
    url: '/prices'
    answer: Prices
  }
  // What a metal has cost.
  getPriceHistory: {
    method: 'GET'
    url: '/prices/:metal/history'
    params: {
      metal: Metal
    }
    query: {
      period: '1d' | '1w' | '1m' | '1y'
    }
    answer: PriceHistory
  }
  // A price that holds for a minute.
  makeQuote: {
    method: 'POST'
    url: '/quotes'
    body: QuoteRequest
    answer: Quote
  }
  // Take a quote, once.
  placeOrder: {
    method: 'POST'
    url: '/orders'
    body: OrderRequest
    answer: Order
  }
  // Everything that is held, and what it is worth.
  getAssets: {
    method: 'GET'
    url: '/assets'
    answer: Assets
  }
  // Every movement, newest first.
  getHistory: {
    method: 'GET'
    url: '/history'
    query: {
      asset?: AssetKind
      cursor?: string
    }
    answer: History
  }
  // Every act, newest first.
  getActs: {
    method: 'GET'
    url: '/history/acts'
    query: {
      asset?: AssetKind
      cursor?: string
    }
    answer: Acts
  }
  // A statement of some days.
  getStatement: {
    method: 'GET'
    url: '/statement'
    query: {
      // A Seoul day, YYYY-MM-DD.
      from: string
      // Included; at most 366 days.
      to: string
      // Of the CSV.
      lang?: 'ko' | 'en'
    }
    answer: Statement
  }
  // The same as a file.
  getStatementCsv: {
    method: 'GET'
    url: '/statement.csv'
    query: {
      // A Seoul day, YYYY-MM-DD.
      from: string
      // Included; at most 366 days.
      to: string
      // Of the CSV.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // Won on their way to a bank, newest first.
  listWithdrawals: {
    method: 'GET'
    url: '/withdrawals'
    answer: Withdrawals
  }
  // Ask for deposit to be paid out.
  requestWithdrawal: {
    method: 'POST'
    url: '/withdrawals'
    body: WithdrawalRequest
    answer: Withdrawal
  }
  // Take a withdrawal back that nobody has approved.
  cancelWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/cancel'
    params: {
      withdrawalId: string
    }
    answer: Withdrawal
  }
  // See which withdrawal a code from a notice stops.
  checkStop: {
    method: 'POST'
    url: '/stop/check'
    body: StopCode
    answer: Stop
  }
  // Stop a withdrawal with the code from its notice.
  stopWithdrawal: {
    method: 'POST'
    url: '/stop'
    body: StopCode
    answer: Stop
  }
  // Issue a statement with a number and a check code.
  issueStatement: {
    method: 'POST'
    url: '/statements'
    body: StatementRequest
    answer: IssuedStatement
  }
  // A statement that was issued, as it was.
  getIssuedStatement: {
    method: 'GET'
    url: '/statements/:number'
    params: {
      // Twelve digits.
      number: string
    }
    answer: IssuedStatement
  }
  // Check a printed statement by its number and check code.
  checkStatement: {
    method: 'POST'
    url: '/statements/check'
    body: StatementCheck
    answer: CheckedStatement
  }
  // What this visitor has brought and proven so far.
  getOnboarding: {
    method: 'GET'
    url: '/onboarding'
    answer: Onboarding
  }
  // Begin with a card.
  keepCard: {
    method: 'PUT'
    url: '/onboarding'
    body: CardPin
    answer: Onboarding
  }
  // Forget all of it.
  endOnboarding: {
    method: 'DELETE'
    url: '/onboarding'
    answer: null
  }
  // Begin with the card that a message's link carries.
  openCardLink: {
    method: 'POST'
    url: '/onboarding/link'
    body: CardLinkCode
    answer: Onboarding
  }
  // Send a code to the phone.
  startOnboardingIdentity: {
    method: 'POST'
    url: '/onboarding/identity'
    body: OnboardingIdentityRequest
    answer: Onboarding
  }
  // Send another code.
  resendOnboardingCode: {
    method: 'POST'
    url: '/onboarding/identity/resend'
    answer: Onboarding
  }
  // Type the code.
  confirmOnboardingCode: {
    method: 'POST'
    url: '/onboarding/identity/confirm'
    body: VerificationCode
    answer: ConfirmedOnboarding
  }
  // The versions of the terms and of the privacy policy that are in force.
  getTerms: {
    method: 'GET'
    url: '/terms'
    answer: TermsVersions
  }
  // Sign up with a verified identity.
  signUp: {
    method: 'POST'
    url: '/signup'
    body: SignupRequest
    answer: Session
  }
  // Recover an account with a verified identity.
  recover: {
    method: 'POST'
    url: '/recover'
    body: RecoveryRequest
    answer: Session
  }
  // The account, masked.
  getProfile: {
    method: 'GET'
    url: '/profile'
    answer: Profile
  }
  // Agree to news, or no longer.
  setProfile: {
    method: 'POST'
    url: '/profile'
    body: ProfileChange
    answer: Profile
  }
  // Where the member is signed in.
  listSessions: {
    method: 'GET'
    url: '/sessions'
    answer: Sessions
  }
  // End one session.
  endSession: {
    method: 'DELETE'
    url: '/sessions/:sessionId'
    params: {
      sessionId: string
    }
    answer: null
  }
  // End all sessions but this one.
  endOtherSessions: {
    method: 'POST'
    url: '/sessions/end-others'
    answer: null
  }
  // Change the password, or set one.
  changePassword: {
    method: 'POST'
    url: '/password'
    body: PasswordChange
    answer: null
  }
  // Close the account.
  closeAccount: {
    method: 'POST'
    url: '/close'
    body: AccountClosure
    answer: null
  }
  // Everything that is kept about the member, as one file.
  exportData: {
    method: 'POST'
    url: '/data-export'
    answer: DataFile
  }
  // What an erasure would erase and keep.
  planErasure: {
    method: 'GET'
    url: '/erasure'
    answer: ErasurePlan
  }
  // What the browser needs to ask for a passkey.
  beginPasskeyLogin: {
    method: 'POST'
    url: '/login/passkey/options'
    answer: PasskeyToUse
  }
  // Log in with a passkey.
  logInWithPasskey: {
    method: 'POST'
    url: '/login/passkey'
    body: UsedPasskey
    answer: Session
  }
  // What the browser needs to make a passkey.
  beginPasskey: {
    method: 'POST'
    url: '/passkeys/options'
    answer: PasskeyToMake
  }
  // Add the passkey that the browser made.
  addPasskey: {
    method: 'POST'
    url: '/passkeys'
    body: MadePasskey
    answer: Passkeys
  }
  // The member's passkeys.
  listPasskeys: {
    method: 'GET'
    url: '/passkeys'
    answer: Passkeys
  }
  // Give a passkey another name.
  renamePasskey: {
    method: 'POST'
    url: '/passkeys/:passkeyId'
    params: {
      passkeyId: string
    }
    body: PasskeyName
    answer: Passkeys
  }
  // Remove a passkey.
  removePasskey: {
    method: 'DELETE'
    url: '/passkeys/:passkeyId'
    params: {
      passkeyId: string
    }
    answer: Passkeys
  }
}
