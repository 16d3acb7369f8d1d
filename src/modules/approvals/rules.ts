import { compareOrigins, type Origin } from '#base/origin.ts'
import type { ChangeKind, ChangeRequest, DecideRefusal } from './types.ts'

// A price grows stale, so a request for one does too.
const HOURS: Record<ChangeKind, number> = {
  price: 1,
  terms: 24,
  credit_limit: 24,
  payment: 24,
  payment_reversal: 24,
}

export function hoursToDecide(kind: ChangeKind): number {
  return HOURS[kind]
}

// Whether this person may approve or refuse it now. The maker may take it back; two people approve.
export function refuseDecision(
  request: Pick<ChangeRequest, 'status' | 'isExpired' | 'maker' | 'makerOrigin'> | undefined,
  act: 'approve' | 'refuse',
  { actor, origin }: { actor: string; origin?: Origin | undefined },
): DecideRefusal | undefined {
  if (!request) return 'not_found'
  if (request.status !== 'waiting') return request.status
  if (request.isExpired) return 'expired'
  if (act === 'refuse') return undefined
  // A person whom the machine cannot name would differ from every other, so that name cannot approve.
  if (actor.endsWith('unknown')) return 'unknown_person'
  if (actor === request.maker) return 'same_person'
  return compareOrigins(request.makerOrigin, origin ?? null).kind === 'same' ? 'same_login' : undefined
}
