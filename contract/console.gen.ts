// Made by `npm run generate` from console-openapi.json. Do not edit.

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

export type BackupArchive = 'works' | 'fails' | 'given_up'

export interface BackupHealth {
  archive: BackupArchive
  ageSeconds: number | null
}

export interface CardFigure {
  cards: number
  // Won.
  won: number
}

export interface CodeProof {
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export type ColumnKind = 'id' | 'text' | 'choice' | 'won' | 'count' | 'grams' | 'moment' | 'day'

export interface ConsoleMetal {
  metal: TradedMetal
  trading: ConsoleTrading
  price: ConsolePrice | null
  terms: ConsoleTerms
  // Terms and stops, newest first. Each holds from its time on.
  history: TermsEntry[]
  byHand: HandPrice[]
}

export interface ConsolePrice {
  at: string
  // Won per gram.
  reference: number
  // Won per gram.
  ask: number
  // Won per gram.
  bid: number
  dayBefore: number | null
  ageSeconds: number
  // `operator`: by hand.
  source: string
}

export interface ConsolePriceHistory {
  metal: TradedMetal
  points: ConsolePricePoint[]
}

export interface ConsolePricePoint {
  at: string
  // Won per gram.
  wonPerGram: number
}

export interface ConsolePrices {
  at: string
  metals: ConsoleMetal[]
}

export interface ConsoleSession {
  signedIn: boolean
  sandbox: boolean
  staff: SignedInStaff | null
  permissions: Permission[]
  // Whoever asks may also approve: a declared mode of a sandbox.
  singlePerson: boolean
  // Identity was proved within the last ten minutes.
  fresh: boolean
}

export interface ConsoleTerms {
  // Hundredths of a percent.
  spreadBps: number
  // Hundredths of a percent.
  feeBps: number
  // Trading stops when the newest price is older.
  maxAgeSeconds: number
}

export type ConsoleTrading = 'open' | 'stale' | 'stopped'

export interface CountingFigure {
  // Seconds.
  lagSeconds: number
  counted: number
  total: number
}

export interface DayFigures {
  // A day in Seoul.
  day: string
  issued: CardFigure
  used: CardFigure
  voided: CardFigure
  expired: CardFigure
  members: number
  orders: number
  // Won.
  ordersWon: number
  withdrawals: number
  // Won.
  withdrawalsWon: number
  delivered: number
  failed: number
}

export interface DeliveryHealth {
  failures: FailureFigure[]
  retries: DeliveryRetry[]
}

export interface DeliveryRetry {
  id: string
  channel: RetryChannel | null
  provider: string | null
  failure: string | null
  // A day in Seoul.
  from: string
  // A day in Seoul.
  to: string
  askedBy: string
  why: string
  createdAt: string
  status: DeliveryRetryStatus
  endedAt: string | null
  endedBy: string | null
  total: number
  queued: number
  skipped: SkippedMessages[]
  // Not looked at yet.
  left: number
}

export type DeliveryRetryStatus = 'running' | 'stopped' | 'done'

export interface ErrorMessage {
  error: string
}

export interface ExpiringFigure {
  days: number
  // A day in Seoul.
  from: string
  // A day in Seoul.
  through: string
  cards: number
  // Won.
  won: number
}

export type FailureChannel = 'alimtalk' | 'text'

export interface FailureFigure {
  channel: FailureChannel
  status: FailureStatus
  // Empty if none was chosen.
  provider: string
  reason: string
  messages: number
  // An operator can repair the cause.
  mendable: boolean
}

export type FailureStatus = 'failed' | 'unknown'

export interface FeedHealth {
  metal: string
  // Seconds.
  ageSeconds: number
  // Readings not believed since the service started.
  heldBack: number
}

export type FilterKind = 'choice' | 'won' | 'days' | 'partner' | 'phone' | 'name' | 'id' | 'text'

export interface HandPrice {
  at: string
  // Won per gram.
  wonPerGram: number
  askedBy: string
  approvedBy: string | null
  reason: string
}

export interface InvalidPart {
  // JSON pointer into the body.
  pointer?: string
  parameter?: string
  header?: string
  detail: string
}

export interface ListChoice {
  value: string
  names: Names
}

export interface ListColumn {
  name: string
  kind: ColumnKind
  names: Names
  sort: string | null
  choices: ListChoice[]
}

export interface ListDefinition {
  list: ListName
  names: Names
  filters: ListFilter[]
  // The first is the default, newest first.
  sorts: string[]
  // In the order of the cells of a row.
  columns: ListColumn[]
  sum: Names | null
  mayExport: boolean
}

export interface ListFigure {
  count: number
  // False: there are more, or may be. Ask for the exact figure.
  whole: boolean
  sum: number | null
  at: string
}

export interface ListFilter {
  name: string
  kind: FilterKind
  names: Names
  choices: ListChoice[]
}

export type ListName = 'cards' | 'members' | 'users' | 'deliveries' | 'orders' | 'withdrawals' | 'audit'

export interface ListPage {
  rows: ListRow[]
  next: string | null
  previous: string | null
  lookedTo: string | null
  // As it was applied; `-` is newest first.
  sort: string
  at: string
}

export interface ListRow {
  id: string
  // Of its page, under /console.
  path: string
  cells: (string | number | null)[]
}

export interface Lists {
  lists: ListDefinition[]
  partners: string[]
}

export interface MetalHealth {
  metal: string
  trading: MetalTrading
  wonPerGram: number | null
  ageSeconds: number | null
  // Seconds.
  maxAgeSeconds: number
}

export type MetalTrading = 'open' | 'stale' | 'stopped'

export interface Names {
  ko: string
  en: string
}

export interface Need {
  kind: NeedKind
  count: number | null
  names: string[]
  seconds: number | null
}

export type NeedKind =
  | 'writes_fail'
  | 'books_broken'
  | 'restoration_unverified'
  | 'backup_archive_given_up'
  | 'guessing'
  | 'worker_not_running'
  | 'messages_not_sent'
  | 'provider_down'
  | 'prices_stale'
  | 'trading_stopped'
  | 'backup_archive_fails'
  | 'books_not_verified'
  | 'restoration_messages_held'
  | 'approvals_open'
  | 'withdrawals_to_approve'
  | 'withdrawals_to_pay'
  | 'messages_fail'
  | 'backup_old'
  | 'figures_lag'

export interface Overview {
  at: string
  today: DayFigures
  outstanding: CardFigure
  large: CardFigure
  expiring: ExpiringFigure[]
  counting: CountingFigure
  failures: FailureFigure[]
  metals: MetalHealth[]
  health: ServiceHealth
  // What needs a person now, the most pressing first.
  needs: Need[]
  wellSince: string | null
}

export interface OverviewDays {
  // Oldest first, today last.
  days: DayFigures[]
  // The partners with the most issued in these days, 20 at most.
  partners: PartnerFigures[]
}

export interface PartnerFigures {
  code: string
  name: string
  issued: number
  // Won.
  issuedWon: number
  used: number
  // Won.
  usedWon: number
}

export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  // Milliseconds.
  timeout: number
  userVerification: 'required'
}

export interface PasskeyToUse {
  publicKey: PasskeyRequestOptions
}

export type Permission =
  | 'self.manage'
  | 'overview.read'
  | 'search.use'
  | 'cards.read'
  | 'cards.resend'
  | 'cards.void'
  | 'members.read'
  | 'members.reveal'
  | 'members.change'
  | 'members.freeze'
  | 'adjustments.request'
  | 'users.read'
  | 'users.change'
  | 'partners.read'
  | 'partners.change'
  | 'keys.manage'
  | 'payments.request'
  | 'deliveries.read'
  | 'deliveries.retry'
  | 'orders.read'
  | 'withdrawals.read'
  | 'withdrawals.settle'
  | 'prices.read'
  | 'prices.change'
  | 'approvals.read'
  | 'approvals.decide'
  | 'audit.read'
  | 'audit.erase'
  | 'lists.export'
  | 'staff.read'
  | 'staff.change'

export interface PermissionRow {
  permission: Permission
  // The roles that have it.
  roles: Role[]
}

export interface PriceWish {
  wonPerGram: number
  // It is far from the last price, and right all the same.
  force?: boolean
  // Why. It goes into the audit log.
  reason: string
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

export interface ProviderHealth {
  provider: string
  // `alimtalk`, `text`, or `notice` for texts to members.
  channel: string
  isDown: boolean
}

export interface QueueFigure {
  // `alimtalk`, `text`, or `notice` for texts to members.
  channel: string
  status: string
  count: number
  // Seconds.
  overdueSeconds: number
}

export interface RestorationHealth {
  unverified: number
  messagesHeld: number
  silent: number
}

export type RetryChannel = 'alimtalk' | 'text'

export interface RetryMany {
  // The reason that the messages failed for.
  failure?: string
  provider?: string
  channel?: RetryChannel
  // A day in Seoul.
  from: string
  // A day in Seoul.
  to: string
  // Why. It goes into the audit log.
  reason: string
}

export interface RetryOne {
  // Why. It goes into the audit log.
  reason: string
}

export interface RetryQueued {
  cardId: string
  channel: RetryChannel
}

export interface RetryStarted {
  id: string
  total: number
}

export interface RetryStop {
  // Why. It goes into the audit log.
  reason: string
}

export type RetryStopped = {}

export type Role =
  | 'admin'
  | 'finance'
  | 'support'
  | 'viewer'
  | 'partner_manager'
  | 'partner_developer'
  | 'partner_viewer'

export interface RoleSummary {
  role: Role
  // Sees what belongs to one partner only.
  ofPartner: boolean
}

export interface Roles {
  roles: RoleSummary[]
  permissions: PermissionRow[]
}

export interface ServiceHealth {
  worker: string | null
  writesFail: boolean
  providers: ProviderHealth[]
  queue: QueueFigure[]
  prices: FeedHealth[]
  // Kinds of guesses whose alarm is on.
  alarms: string[]
  verification: VerificationHealth
  backup: BackupHealth | null
  restoration: RestorationHealth | null
}

export interface SignIn {
  email: string
  password: string
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export interface SignedInStaff {
  email: string
  name: string
  role: Role
}

export interface SkippedMessages {
  reason: string
  messages: number
}

export interface TermsChange {
  spreadBps?: number
  feeBps?: number
  maxAgeSeconds?: number
  // Why. It goes into the audit log.
  reason: string
}

export interface TermsEntry {
  // Hundredths of a percent.
  spreadBps: number
  // Hundredths of a percent.
  feeBps: number
  // Trading stops when the newest price is older.
  maxAgeSeconds: number
  at: string
  stopped: boolean
  setBy: string
  askedBy: string | null
  reason: string | null
}

export type TradedMetal = 'XAU' | 'XAG'

export interface TradingAct {
  // It waits for a second person.
  waiting: boolean
  requestId: string | null
}

export interface TradingResume {
  // Why. It goes into the audit log.
  reason: string
}

export interface TradingStop {
  // Why. It goes into the audit log.
  reason: string
}

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

export interface VerificationHealth {
  ok: boolean | null
  // Seconds.
  ageSeconds: number
}

export interface WaysIn {
  // Browsers refuse passkeys on an IP address: false there.
  passkeys: boolean
  singleSignOn: boolean
  // A demo operator: in a sandbox, to a browser on this machine.
  demo: boolean
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
  consoleSession: {
    method: 'GET'
    url: '/session'
    answer: ConsoleSession
  }
  // Sign out.
  signOut: {
    method: 'POST'
    url: '/sign-out'
    answer: null
  }
  // How one can sign in.
  waysIn: {
    method: 'GET'
    url: '/sign-in'
    answer: WaysIn
  }
  // Sign in with a password and a code.
  signIn: {
    method: 'POST'
    url: '/sign-in'
    body: SignIn
    answer: ConsoleSession
  }
  // Sign in as the demo operator.
  signInAsDemo: {
    method: 'POST'
    url: '/sign-in/demo'
    answer: ConsoleSession
  }
  // What the browser needs to ask for a passkey.
  beginPasskeySignIn: {
    method: 'POST'
    url: '/sign-in/passkey/options'
    answer: PasskeyToUse
  }
  // Sign in with a passkey.
  signInWithPasskey: {
    method: 'POST'
    url: '/sign-in/passkey'
    body: UsedPasskey
    answer: ConsoleSession
  }
  // Prove identity again with a code.
  proveByCode: {
    method: 'POST'
    url: '/session/proof'
    body: CodeProof
    answer: ConsoleSession
  }
  // What the browser needs to ask for a passkey.
  beginPasskeyProof: {
    method: 'POST'
    url: '/session/proof/passkey/options'
    answer: PasskeyToUse
  }
  // Prove identity again with a passkey.
  proveByPasskey: {
    method: 'POST'
    url: '/session/proof/passkey'
    body: UsedPasskey
    answer: ConsoleSession
  }
  // The demo operator of a sandbox, who has nothing to prove it with.
  proveAsDemo: {
    method: 'POST'
    url: '/session/proof/demo'
    answer: ConsoleSession
  }
  // What each role may do.
  roles: {
    method: 'GET'
    url: '/roles'
    answer: Roles
  }
  // What is going on, and what needs a person.
  overview: {
    method: 'GET'
    url: '/overview'
    answer: Overview
  }
  // Figures by day.
  overviewDays: {
    method: 'GET'
    url: '/overview/days'
    query: {
      days?: '7' | '30' | '365'
      // Code of a partner: cards of this one only.
      partner?: string
    }
    answer: OverviewDays
  }
  // Failures by reason and provider, and retries.
  deliveryHealth: {
    method: 'GET'
    url: '/delivery-health'
    query: {
      days?: '1' | '7' | '30'
    }
    answer: DeliveryHealth
  }
  // Send a failed message again.
  retryDelivery: {
    method: 'POST'
    url: '/deliveries/:deliveryId/retry'
    params: {
      deliveryId: string
    }
    body: RetryOne
    answer: RetryQueued
  }
  // Send many failed messages again.
  retryDeliveries: {
    method: 'POST'
    url: '/delivery-retries'
    body: RetryMany
    answer: RetryStarted
  }
  // Stop a retry of many messages.
  stopDeliveryRetry: {
    method: 'POST'
    url: '/delivery-retries/:retryId/stop'
    params: {
      retryId: string
    }
    body: RetryStop
    answer: RetryStopped
  }
  // The price feed and the terms of trading.
  consolePrices: {
    method: 'GET'
    url: '/prices'
    answer: ConsolePrices
  }
  // What a metal has cost.
  consolePriceHistory: {
    method: 'GET'
    url: '/prices/:metal/history'
    params: {
      metal: TradedMetal
    }
    query: {
      period?: '1d' | '1w' | '1m' | '1y'
    }
    answer: ConsolePriceHistory
  }
  // Change spread, fee or the age of a price.
  changeTerms: {
    method: 'POST'
    url: '/prices/:metal/terms'
    params: {
      metal: TradedMetal
    }
    body: TermsChange
    answer: TradingAct
  }
  // Ask for a price by hand.
  requestPrice: {
    method: 'POST'
    url: '/prices/:metal/price'
    params: {
      metal: TradedMetal
    }
    body: PriceWish
    answer: TradingAct
  }
  // Stop all trading.
  stopTrading: {
    method: 'POST'
    url: '/trading/stop'
    body: TradingStop
    answer: TradingAct
  }
  // Let trading go on.
  resumeTrading: {
    method: 'POST'
    url: '/trading/resume'
    body: TradingResume
    answer: TradingAct
  }
  // The lists, their filters, sorts and columns.
  lists: {
    method: 'GET'
    url: '/lists'
    answer: Lists
  }
  // A page of cards.
  listCards: {
    method: 'GET'
    url: '/lists/cards'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of issued, used, voided, expired.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      issued?: string
      // Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expires?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      used?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      voided?: string
      // A whole phone number.
      phone?: string
      // Of issued, expires, used; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many cards there are.
  figureOfCards: {
    method: 'GET'
    url: '/lists/cards/figure'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of issued, used, voided, expired.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      issued?: string
      // Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expires?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      used?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      voided?: string
      // A whole phone number.
      phone?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All cards of a filter as a file.
  exportCards: {
    method: 'GET'
    url: '/lists/cards/export'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of issued, used, voided, expired.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      issued?: string
      // Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expires?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      used?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      voided?: string
      // A whole phone number.
      phone?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of members.
  listMembers: {
    method: 'GET'
    url: '/lists/members'
    query: {
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      login?: string
      // One or more, with commas. Of open, closed, none.
      account?: string
      // One or more, with commas. Of yes, no.
      frozen?: string
      // The code of a partner.
      partner?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      joined?: string
      // Of joined; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many members there are.
  figureOfMembers: {
    method: 'GET'
    url: '/lists/members/figure'
    query: {
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      login?: string
      // One or more, with commas. Of open, closed, none.
      account?: string
      // One or more, with commas. Of yes, no.
      frozen?: string
      // The code of a partner.
      partner?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      joined?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All members of a filter as a file.
  exportMembers: {
    method: 'GET'
    url: '/lists/members/export'
    query: {
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      login?: string
      // One or more, with commas. Of open, closed, none.
      account?: string
      // One or more, with commas. Of yes, no.
      frozen?: string
      // The code of a partner.
      partner?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      joined?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of users.
  listUsers: {
    method: 'GET'
    url: '/lists/users'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of active, suspended, refused, frozen.
      status?: string
      // One or more, with commas. Of yes, no.
      confirmed?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      registered?: string
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      key?: string
      // Of registered; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many users there are.
  figureOfUsers: {
    method: 'GET'
    url: '/lists/users/figure'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of active, suspended, refused, frozen.
      status?: string
      // One or more, with commas. Of yes, no.
      confirmed?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      registered?: string
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      key?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All users of a filter as a file.
  exportUsers: {
    method: 'GET'
    url: '/lists/users/export'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of active, suspended, refused, frozen.
      status?: string
      // One or more, with commas. Of yes, no.
      confirmed?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      registered?: string
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      key?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of deliveries.
  listDeliveries: {
    method: 'GET'
    url: '/lists/deliveries'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of alimtalk, text.
      channel?: string
      // One or more, with commas. Of gift, resend, reminder, cancellation.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // An id.
      card?: string
      // Of created; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many deliveries there are.
  figureOfDeliveries: {
    method: 'GET'
    url: '/lists/deliveries/figure'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of alimtalk, text.
      channel?: string
      // One or more, with commas. Of gift, resend, reminder, cancellation.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // An id.
      card?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All deliveries of a filter as a file.
  exportDeliveries: {
    method: 'GET'
    url: '/lists/deliveries/export'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of alimtalk, text.
      channel?: string
      // One or more, with commas. Of gift, resend, reminder, cancellation.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // An id.
      card?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of orders.
  listOrders: {
    method: 'GET'
    url: '/lists/orders'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // One or more, with commas. Of buy, sell.
      side?: string
      // One or more, with commas. Of XAU, XAG.
      metal?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      total?: string
      // An id.
      member?: string
      // Of at; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many orders there are.
  figureOfOrders: {
    method: 'GET'
    url: '/lists/orders/figure'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // One or more, with commas. Of buy, sell.
      side?: string
      // One or more, with commas. Of XAU, XAG.
      metal?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      total?: string
      // An id.
      member?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All orders of a filter as a file.
  exportOrders: {
    method: 'GET'
    url: '/lists/orders/export'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // One or more, with commas. Of buy, sell.
      side?: string
      // One or more, with commas. Of XAU, XAG.
      metal?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      total?: string
      // An id.
      member?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of withdrawals.
  listWithdrawals: {
    method: 'GET'
    url: '/lists/withdrawals'
    query: {
      // One or more, with commas. Of requested, approved, paid, cancelled, refused.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      requested?: string
      // The whole text.
      bank?: string
      // An id.
      member?: string
      // Of requested; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many withdrawals there are.
  figureOfWithdrawals: {
    method: 'GET'
    url: '/lists/withdrawals/figure'
    query: {
      // One or more, with commas. Of requested, approved, paid, cancelled, refused.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      requested?: string
      // The whole text.
      bank?: string
      // An id.
      member?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All withdrawals of a filter as a file.
  exportWithdrawals: {
    method: 'GET'
    url: '/lists/withdrawals/export'
    query: {
      // One or more, with commas. Of requested, approved, paid, cancelled, refused.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      requested?: string
      // The whole text.
      bank?: string
      // An id.
      member?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of audit.
  listAudit: {
    method: 'GET'
    url: '/lists/audit'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // The whole text.
      actor?: string
      // The whole text.
      action?: string
      // The whole text.
      subject?: string
      // Of at; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many audit there are.
  figureOfAudit: {
    method: 'GET'
    url: '/lists/audit/figure'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // The whole text.
      actor?: string
      // The whole text.
      action?: string
      // The whole text.
      subject?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All audit of a filter as a file.
  exportAudit: {
    method: 'GET'
    url: '/lists/audit/export'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // The whole text.
      actor?: string
      // The whole text.
      action?: string
      // The whole text.
      subject?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
}
