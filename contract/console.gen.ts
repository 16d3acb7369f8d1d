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

export interface CodeProof {
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export type ColumnKind = 'id' | 'text' | 'choice' | 'won' | 'count' | 'grams' | 'moment' | 'day'

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

export interface ErrorMessage {
  error: string
}

export type FilterKind = 'choice' | 'won' | 'days' | 'partner' | 'phone' | 'name' | 'id' | 'text'

export type HitKind = 'card' | 'member' | 'user' | 'partner' | 'order' | 'withdrawal' | 'approval' | 'staff'

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
  sortNeeds: string | null
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

export interface Names {
  ko: string
  en: string
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

export interface SearchAnswer {
  hits: SearchHit[]
  list: SearchList | null
  // Requests are in the log only.
  isRequestId: boolean
}

export interface SearchHit {
  kind: HitKind
  title: string
  // Of its page, under /console.
  path: string
}

export interface SearchList {
  list: ListName
  // The filters, as in the address of the list.
  query: string
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
  // Find anything.
  search: {
    method: 'GET'
    url: '/search'
    query: {
      q: string
      // Look for a person by name or number, too. The page asks for it on Enter, not while somebody types.
      people?: 'yes'
    }
    answer: SearchAnswer
  }
}
