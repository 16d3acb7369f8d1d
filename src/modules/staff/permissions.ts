// Who may do what in the console: the one table. The page of roles shows it, and every route names one line of it.

const OPERATOR_ROLES = ['admin', 'finance', 'support', 'viewer'] as const
const PARTNER_ROLES = ['partner_manager', 'partner_developer', 'partner_viewer'] as const
export const ROLES = [...OPERATOR_ROLES, ...PARTNER_ROLES] as const

type OperatorRole = (typeof OPERATOR_ROLES)[number]
export type Role = (typeof ROLES)[number]

// Of a partner's staff: they see what belongs to their partner, and nothing else.
export function isPartnerRole(role: Role): boolean {
  return !OPERATOR_ROLES.includes(role as OperatorRole)
}

const EVERYBODY: readonly Role[] = ROLES
const OPERATOR: readonly Role[] = OPERATOR_ROLES

// By subject. Reading shows people masked; `members.reveal` opens one of them, with a reason.
const MATRIX = {
  'self.manage': EVERYBODY,
  'overview.read': OPERATOR,
  'search.use': EVERYBODY,
  'cards.read': EVERYBODY,
  'cards.resend': ['admin', 'support', 'partner_manager'],
  'cards.void': ['admin', 'support'],
  'cards.extend': ['admin', 'support'],
  'refunds.request': ['admin', 'support'],
  'refund_policies.read': OPERATOR,
  'refund_policies.change': ['admin', 'finance'],
  'members.read': OPERATOR,
  'members.reveal': ['admin', 'support'],
  'members.change': ['admin', 'support'],
  'members.freeze': ['admin', 'support'],
  // Everything about one person as a file, and its erasure.
  'members.data': ['admin', 'support'],
  'adjustments.request': ['admin', 'finance', 'support'],
  'users.read': EVERYBODY,
  'users.change': ['admin', 'support'],
  'partners.read': EVERYBODY,
  'partners.change': ['admin', 'finance'],
  'keys.manage': ['admin', 'partner_manager', 'partner_developer'],
  'payments.request': ['admin', 'finance'],
  // A partner's staff see their own.
  'statements.read': ['admin', 'finance', 'viewer', 'partner_manager', 'partner_viewer'],
  'statements.close': ['admin', 'finance'],
  // The regulator's questions. What one person did opens that person's records: an act of its own.
  'reports.read': ['admin', 'finance'],
  'reports.person': ['admin', 'finance'],
  'safeguards.request': ['admin', 'finance'],
  // Closed days and months, accounts, the house's metal.
  'books.read': ['admin', 'finance', 'viewer'],
  'books.close': ['admin', 'finance'],
  'bullion.request': ['admin', 'finance'],
  // What was asked of the APIs. A partner's staff see what their partner asked; what members asked takes `members.read`, too.
  'requests.read': EVERYBODY,
  'deliveries.read': EVERYBODY,
  'deliveries.retry': ['admin', 'support'],
  'orders.read': OPERATOR,
  'withdrawals.read': OPERATOR,
  'withdrawals.settle': ['admin', 'finance'],
  // The bank account of one payout, to pay it.
  'withdrawals.reveal': ['admin', 'finance'],
  'prices.read': OPERATOR,
  'prices.change': ['admin', 'finance'],
  'approvals.read': OPERATOR,
  'approvals.decide': ['admin', 'finance'],
  'audit.read': ['admin', 'finance', 'viewer'],
  // What a person typed into an entry may name someone: opening it is an act of its own.
  'audit.reveal': ['admin'],
  'audit.erase': ['admin', 'finance'],
  'lists.export': ['admin', 'finance', 'support', 'partner_manager'],
  'staff.read': OPERATOR,
  'staff.change': ['admin'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof MATRIX

export const PERMISSIONS = Object.keys(MATRIX) as Permission[]

export function isAllowed(role: Role, permission: Permission): boolean {
  return (MATRIX[permission] as readonly Role[]).includes(role)
}

export function permissionsOf(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => isAllowed(role, permission))
}
