import type { Id } from '#base/ids.ts'
import type { Origin } from '#base/origin.ts'

export type WithdrawalId = Id<'withdrawal'>

export const WITHDRAWAL_STATUSES = ['requested', 'approved', 'paid', 'cancelled', 'refused'] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

// The bank account that the won go to; stored sealed.
export interface Destination {
  bank: string
  // Digits only.
  account: string
  holder: string
}

export interface Withdrawal {
  id: WithdrawalId
  holderId: string
  amount: bigint
  bank: string
  // Sealed; null once it was erased.
  destination: Buffer | null
  status: WithdrawalStatus
  requestedAt: Temporal.Instant
  // Not paid before this, by the service's clock.
  payableAfter: Temporal.Instant
  // It is still to be paid, and that moment has not come.
  waits: boolean
  approvedBy: string | null
  // What the machine knows about the person who approved it.
  approvedOrigin: Origin | null
  approvedStaff: string | null
  approvedAt: Temporal.Instant | null
  settledAt: Temporal.Instant | null
  settledBy: string | null
  // One person approved and paid it, in a sandbox.
  singlePerson: boolean
  reason: string | null
  // The operator has frozen its member. To show: what decides is read under the lock.
  frozen: boolean
  // When its member asked to stop it, from a notice.
  stopAskedAt: Temporal.Instant | null
}

// What the code in a notice can stop.
export interface Stoppable {
  withdrawal: Withdrawal
  // Its member has an account, and the request is recent enough that the code makes the account safe, whatever
  // happened to the withdrawal.
  secures: boolean
  // Others of the member that are still to be paid.
  others: number
}

// The first that applies.
export type SettleRefusal =
  | 'not_found'
  | 'restore_examined'
  | 'unknown_person'
  | 'same_person'
  | 'unbound_account'
  | 'not_permitted'
  | 'same_login'
  | 'waits'
  | WithdrawalStatus
  | 'frozen'
  | 'may_have_left'

// stop: the member, with the code from the notice.
export type WithdrawalAct = 'approve' | 'pay' | 'refuse' | 'cancel' | 'stop'
