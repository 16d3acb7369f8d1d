import type { Origin } from '#base/origin.ts'
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

// Maker and checker of a two-person act are compared: one person with two accounts is still one person.
type Same = 'login' | 'sudo' | 'account' | 'terminal'
type Judgement =
  | { kind: 'same'; by: Same }
  // login: both logged in to one machine, as two people. account: only the names differ.
  | { kind: 'apart'; by: 'login' | 'account' }

// Withdrawals are judged by this too: approving a payout and paying it take two people.
// Each comparison can only find that both are one person. A fact that is unknown on either side decides nothing.
export function compareOrigins(maker: Origin | null, checker: Origin | null): Judgement {
  if (!maker || !checker || !isOneMachine(maker, checker)) return { kind: 'apart', by: 'account' }
  const { loginUid, sudoUid, uid, terminal } = checker
  if (loginUid !== null && loginUid === maker.loginUid) return { kind: 'same', by: 'login' }
  if (terminal !== null && terminal === maker.terminal) return { kind: 'same', by: 'terminal' }
  if (uid !== null && uid === maker.uid) return { kind: 'same', by: 'account' }
  const theirs = [maker.uid, maker.loginUid, maker.sudoUid].filter((one) => one !== null)
  if ([uid, loginUid, sudoUid].some((one) => one !== null && theirs.includes(one))) {
    return { kind: 'same', by: 'sudo' }
  }
  return { kind: 'apart', by: loginUid !== null && maker.loginUid !== null ? 'login' : 'account' }
}

function isOneMachine(a: Origin, b: Origin): boolean {
  const isSame = (one: string | null, other: string | null) => one !== null && one === other
  return (isSame(a.machine, b.machine) || isSame(a.boot, b.boot)) && isSame(a.userNamespace, b.userNamespace)
}

// For the audit log.
export function originText(origin: Origin | null | undefined): string {
  if (!origin) return 'nothing was seen but the name'
  const { uid, loginUid, sudoUid, terminal } = origin
  return [
    `uid ${uid ?? 'unknown'}`,
    loginUid === null ? 'no login' : `login ${loginUid}`,
    ...(sudoUid === null ? [] : [`sudo by ${sudoUid}`]),
    terminal === null ? 'no terminal' : 'at a terminal',
  ].join(', ')
}

// For an act that went through. If the machine cannot tell, the entry says so.
export function toldApartBy(maker: Origin | null, checker: Origin | null | undefined): string {
  return compareOrigins(maker, checker ?? null).by === 'login' ? 'log-in' : 'account name only'
}
