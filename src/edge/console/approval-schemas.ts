import type { Origin } from '#base/origin.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import { DIFFERENCE_UNITS, differenceOf } from '#modules/approvals/difference.ts'
import { CHANGE_KINDS, type ChangeKind, type ChangeRequest } from '#modules/approvals/types.ts'
import { isAllowed, type Permission } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import type { Withdrawal } from '#modules/withdrawals/types.ts'
import { maybeMoment, maybeText, moment } from './object-parts.ts'

const FieldDifference = object('FieldDifference', {
  field: Type.String({ examples: ['creditLimit'] }),
  before: Type.Union([Type.String(), Type.Null()], { description: 'Null: there was none.' }),
  after: Type.String(),
  unit: choice('DifferenceUnit', DIFFERENCE_UNITS),
})

const SUBJECTS = ['metal', 'partner', 'holder', 'card', 'refund_policy', 'staff', 'institution'] as const

const SUBJECT_OF: Record<ChangeKind, (typeof SUBJECTS)[number]> = {
  price: 'metal',
  terms: 'metal',
  credit_limit: 'partner',
  payment: 'partner',
  payment_reversal: 'partner',
  adjustment: 'holder',
  card_void: 'card',
  refund: 'card',
  refund_policy: 'refund_policy',
  staff_role: 'staff',
  bullion: 'metal',
  commission_rate: 'partner',
  safeguard: 'institution',
}

// Whoever may ask for such a change reads what others typed into one, as on the pages of objects. A reason may name someone.
const ASKED_BY: Record<ChangeKind, Permission> = {
  price: 'prices.change',
  terms: 'prices.change',
  credit_limit: 'partners.change',
  payment: 'payments.request',
  payment_reversal: 'payments.request',
  adjustment: 'adjustments.request',
  card_void: 'cards.void',
  refund: 'refunds.request',
  refund_policy: 'refund_policies.change',
  staff_role: 'staff.change',
  bullion: 'prices.change',
  commission_rate: 'partners.change',
  safeguard: 'safeguards.request',
}

const maybeAccount = Type.Union([Type.Integer(), Type.Null()])
const SeenOfAccount = object('SeenOfAccount', {
  uid: maybeAccount,
  loginUid: maybeAccount,
  sudoUid: maybeAccount,
  atTerminal: Type.Boolean(),
})

const DecidingPerson = object('DecidingPerson', {
  actor: Type.String({ examples: ['staff:mina@ingot.example', 'cli:mina'] }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: "The browser's address, for an act in the console.",
  }),
  machine: Type.Union([SeenOfAccount, Type.Null()], {
    description: 'What the machine knew of the account, for an act on the command line.',
  }),
  at: moment,
})

export const ApprovalRequest = object(
  'ApprovalRequest',
  {
    id: Type.String(),
    kind: choice('ChangeKind', CHANGE_KINDS),
    status: choice('ChangeStatus', ['waiting', 'executed', 'refused', 'expired']),
    subject: Type.String({
      description: 'A metal, a partner code, the id of a holder or a card, or the email of a staff member.',
    }),
    subjectKind: choice('ChangeSubject', SUBJECTS),
    changes: Type.Array(FieldDifference),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Null: there is one, and the caller may neither decide nor ask for such a change.',
    }),
    maker: DecidingPerson,
    checker: Type.Union([DecidingPerson, Type.Null()]),
    singlePerson: Type.Boolean({ description: 'One person was both, in a sandbox.' }),
    expiresAt: moment,
    mine: Type.Boolean({ description: 'The caller asked for it.' }),
    mayApprove: Type.Boolean({ description: 'As far as role and person go. The approval checks again.' }),
    mayRefuse: Type.Boolean(),
  },
  { description: 'What one person asked for and another decides on.' },
)

export const OpenWithdrawal = object('OpenWithdrawal', {
  id: Type.String(),
  status: choice('OpenWithdrawalStatus', ['requested', 'approved']),
  amount: Type.Integer({ description: 'Won.' }),
  memberId: Type.String(),
  requestedAt: moment,
  payableAfter: moment,
  waits: Type.Boolean({ description: 'It is not paid before `payableAfter`.' }),
  approvedBy: maybeText,
  approvedAt: maybeMoment,
  frozen: Type.Boolean(),
  mine: Type.Boolean({ description: 'The caller approved it, so another person pays it.' }),
})

// One shape for waiting and decided requests. What the reader may not know is null.
export function requestJson(request: ChangeRequest, staff: Staff) {
  const { id, kind, subject, reason, maker, makerOrigin, createdAt, checker, decidedAt } = request
  const isWaiting = request.status === 'waiting' && !request.isExpired
  // By id or by name, because the database's check compares both (decisions/0071).
  const mine = request.makerStaff === staff.staffId || maker === staff.actor
  const decides = isAllowed(staff.role, 'approvals.decide')
  const withWords = decides || mine || isAllowed(staff.role, ASKED_BY[kind])
  const seen = (origin: Origin | null) => seenOf(withWords ? origin : null)
  return {
    id,
    kind,
    status: statusOf(request),
    subject,
    subjectKind: SUBJECT_OF[kind],
    changes: differenceOf(request),
    reason: withWords ? reason : null,
    maker: { actor: maker, ...seen(makerOrigin), at: instantText(createdAt) },
    checker:
      checker !== null && decidedAt
        ? { actor: checker, ...seen(request.checkerOrigin), at: instantText(decidedAt) }
        : null,
    singlePerson: request.singlePerson,
    expiresAt: instantText(request.expiresAt),
    mine,
    // A sandbox may declare that one person is both. Otherwise the approver is another person.
    mayApprove: isWaiting && decides && (!mine || staff.singlePerson),
    // The person who asked may take the request back, in any role.
    mayRefuse: isWaiting && (decides || mine),
  }
}

function seenOf(origin: Origin | null) {
  // Only an act in the console has an address. The others come from an account of a machine.
  if (!origin || origin.address !== undefined) return { address: origin?.address ?? null, machine: null }
  const { uid, loginUid, sudoUid, terminal } = origin
  return { address: null, machine: { uid, loginUid, sudoUid, atTerminal: terminal !== null } }
}

// Nobody decided it in time.
function statusOf({ status, isExpired }: ChangeRequest): ChangeRequest['status'] | 'expired' {
  return status === 'waiting' && isExpired ? 'expired' : status
}

export function openWithdrawalJson(withdrawal: Withdrawal, staff: Staff) {
  const { id, status, amount, holderId, approvedBy, approvedStaff, approvedAt, waits, frozen } = withdrawal
  return {
    id,
    status: status as 'requested' | 'approved',
    amount: Number(amount),
    memberId: holderId,
    requestedAt: instantText(withdrawal.requestedAt),
    payableAfter: instantText(withdrawal.payableAfter),
    waits,
    approvedBy,
    approvedAt: approvedAt && instantText(approvedAt),
    frozen,
    mine: approvedBy !== null && (approvedStaff === staff.staffId || approvedBy === staff.actor),
  }
}
