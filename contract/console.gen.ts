// Made by `npm run generate` from console-openapi.json. Do not edit.

export type AdjustableAsset = 'points' | 'deposit'

export interface Adjustment {
  asset: AdjustableAsset
  // Won, signed; never 0.
  amount: number
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface AdjustmentRequested {
  waiting: boolean
  requestId: string
}

export interface Approval {
  note?: string
}

export interface ApprovalCount {
  requests: number
  withdrawals: number
}

export interface ApprovalRequest {
  id: string
  kind: ChangeKind
  status: ChangeStatus
  // A metal, a partner code, or the id of a holder or a card.
  subject: string
  subjectKind: ChangeSubject
  changes: FieldDifference[]
  reason: string
  maker: DecidingPerson
  checker: DecidingPerson | null
  // One person was both, in a sandbox.
  singlePerson: boolean
  expiresAt: string
  // The caller asked for it.
  mine: boolean
  // As far as role and person go. The approval checks again.
  mayApprove: boolean
  mayRefuse: boolean
}

export interface BankName {
  ko: string
  en: string
}

export type ChangeKind =
  | 'price'
  | 'terms'
  | 'credit_limit'
  | 'payment'
  | 'payment_reversal'
  | 'adjustment'
  | 'card_void'

export type ChangeStatus = 'waiting' | 'executed' | 'refused' | 'expired'

export type ChangeSubject = 'metal' | 'partner' | 'holder' | 'card'

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

export interface ConsoleWithdrawal {
  id: string
  status: WithdrawalStatus
  // Won.
  amount: number
  memberId: string
  // The three digits of the bank.
  bank: string
  bankName: BankName
  // Masked.
  account: string
  requestedAt: string
  payableAfter: string
  // It is not paid before `payableAfter`, so that its member can stop it.
  waits: boolean
  frozen: boolean
  stopAskedAt: string | null
  approvedBy: string | null
  approvedAt: string | null
  settledBy: string | null
  settledAt: string | null
  reason: string | null
  // One person approved and paid it, in a sandbox.
  singlePerson: boolean
  // A restore is being examined: nothing is approved or paid.
  restoreExamined: boolean
  // What the caller may do now, as far as role, person and state go.
  acts: WithdrawalAct[]
  mayReveal: boolean
  // Newest first.
  timeline: WithdrawalEvent[]
}

export interface DecidedApprovals {
  // Newest first.
  requests: ApprovalRequest[]
  // `before` of the next page.
  next: string | null
}

export interface DecidingPerson {
  actor: string
  // What was seen of this person, in English.
  seen: string
  at: string
}

export type DifferenceUnit = 'won' | 'won_per_gram' | 'basis_points' | 'seconds' | 'yes_no' | 'text'

export interface ErrorMessage {
  error: string
}

export interface FieldDifference {
  field: string
  // Null: there was none.
  before: string | null
  after: string
  unit: DifferenceUnit
}

export interface InvalidPart {
  // JSON pointer into the body.
  pointer?: string
  parameter?: string
  header?: string
  detail: string
}

export interface OpenWithdrawal {
  id: string
  status: OpenWithdrawalStatus
  // Won.
  amount: number
  memberId: string
  requestedAt: string
  payableAfter: string
  // It is not paid before `payableAfter`.
  waits: boolean
  approvedBy: string | null
  approvedAt: string | null
  frozen: boolean
  // The caller approved it, so another person pays it.
  mine: boolean
}

export type OpenWithdrawalStatus = 'requested' | 'approved'

export interface PayoutDestination {
  bank: string
  account: string
  holder: string
}

export interface PayoutReveal {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
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
  | 'withdrawals.reveal'
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

export interface RequestRefusal {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
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

export interface WaitingApprovals {
  // Oldest first.
  requests: ApprovalRequest[]
  // To approve or to pay; oldest first.
  withdrawals: OpenWithdrawal[]
}

export type WithdrawalAct = 'approve' | 'pay' | 'refuse'

export interface WithdrawalActBody {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
  // Of a refusal: the bank has not sent it. Needed for an approved one of a frozen member.
  notSent?: boolean
}

export interface WithdrawalEvent {
  at: string
  what: string
  by: string | null
  details: WithdrawalEventDetail[]
}

export interface WithdrawalEventDetail {
  name: string
  value: string
}

export type WithdrawalStatus = 'requested' | 'approved' | 'paid' | 'cancelled' | 'refused'

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
  // What each role may do.
  roles: {
    method: 'GET'
    url: '/roles'
    answer: Roles
  }
  // What waits for a second person.
  waitingApprovals: {
    method: 'GET'
    url: '/approvals'
    answer: WaitingApprovals
  }
  // What was decided, or expired.
  decidedApprovals: {
    method: 'GET'
    url: '/approvals/decided'
    query: {
      before?: string
    }
    answer: DecidedApprovals
  }
  // How many wait.
  countApprovals: {
    method: 'GET'
    url: '/approvals/count'
    answer: ApprovalCount
  }
  // One request.
  approval: {
    method: 'GET'
    url: '/approvals/:requestId'
    params: {
      requestId: string
    }
    answer: ApprovalRequest
  }
  // Approve what another person asked for.
  approveRequest: {
    method: 'POST'
    url: '/approvals/:requestId/approve'
    params: {
      requestId: string
    }
    body: Approval
    answer: ApprovalRequest
  }
  // Refuse a request, or take the own one back.
  refuseRequest: {
    method: 'POST'
    url: '/approvals/:requestId/refuse'
    params: {
      requestId: string
    }
    body: RequestRefusal
    answer: ApprovalRequest
  }
  // Ask to correct what a member holds.
  requestAdjustment: {
    method: 'POST'
    url: '/members/:memberId/adjustments'
    params: {
      memberId: string
    }
    body: Adjustment
    answer: AdjustmentRequested
  }
  // One payout, masked.
  withdrawal: {
    method: 'GET'
    url: '/withdrawals/:withdrawalId'
    params: {
      withdrawalId: string
    }
    answer: ConsoleWithdrawal
  }
  // Approve a payout.
  approveWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/approve'
    params: {
      withdrawalId: string
    }
    body: WithdrawalActBody
    answer: ConsoleWithdrawal
  }
  // Record that an approved payout was paid, by another person.
  payWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/pay'
    params: {
      withdrawalId: string
    }
    body: WithdrawalActBody
    answer: ConsoleWithdrawal
  }
  // Refuse a payout: the won go back to the member.
  refuseWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/refuse'
    params: {
      withdrawalId: string
    }
    body: WithdrawalActBody
    answer: ConsoleWithdrawal
  }
  // The person and the account to pay.
  revealWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/reveal'
    params: {
      withdrawalId: string
    }
    body: PayoutReveal
    answer: PayoutDestination
  }
}
