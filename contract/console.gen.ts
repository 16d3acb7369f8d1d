// Made by `npm run generate` from console-openapi.json. Do not edit.

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

export interface InvalidPart {
  // JSON pointer into the body.
  pointer?: string
  parameter?: string
  header?: string
  detail: string
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

export interface SignedInStaff {
  email: string
  name: string
  role: Role
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
  consoleSession: {
    method: 'GET'
    url: '/session'
    answer: ConsoleSession
  }
  // What each role may do.
  roles: {
    method: 'GET'
    url: '/roles'
    answer: Roles
  }
}
