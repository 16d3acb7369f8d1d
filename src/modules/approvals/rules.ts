import type { Origin } from '#base/origin.ts'
import type { ChangeKind, ChangeRequest, DecideRefusal } from './types.ts'

// A price grows stale, so a request for one does too.
const HOURS: Record<ChangeKind, number> = {
  price: 1,
  terms: 24,
  credit_limit: 24,
  payment: 24,
  payment_reversal: 24,
  adjustment: 24,
  card_void: 24,
  refund: 24,
  refund_policy: 24,
  staff_role: 24,
  bullion: 24,
  commission_rate: 24,
  safeguard: 24,
}

export function hoursToDecide(kind: ChangeKind): number {
  return HOURS[kind]
}

// Of two acts that take two people: who did the first, and who does the second.
export interface FirstPerson {
  actor: string | null
  origin: Origin | null
  staffId: string | null
}

export interface SecondPerson extends FirstPerson {
  actor: string
  // What this person may do at this moment. undefined: no staff member is known.
  mayDecide: boolean | undefined
  isLive: boolean
}

// Whether this person may be the second of two. A name that the machine cannot tell would differ from every other, so it
// may not. In live it is a staff member: an account that nobody is bound to could be anybody's.
export function refuseSecond(
  first: FirstPerson,
  second: SecondPerson,
): 'unknown_person' | 'same_person' | 'unbound_account' | 'not_permitted' | 'same_login' | undefined {
  if (second.actor.endsWith('unknown')) return 'unknown_person'
  if (second.actor === first.actor) return 'same_person'
  if (second.staffId !== null && second.staffId === first.staffId) return 'same_person'
  if (second.mayDecide === undefined && second.isLive) return 'unbound_account'
  if (second.mayDecide === false) return 'not_permitted'
  return compareOrigins(first.origin, second.origin).kind === 'same' ? 'same_login' : undefined
}

// They are one person, and the sandbox declares that one is enough.
export function isDeclaredSingle(
  refusal: string | undefined,
  {
    isLive,
    mayDecide,
    singlePerson,
  }: Pick<SecondPerson, 'isLive' | 'mayDecide'> & { singlePerson?: boolean | undefined },
): boolean {
  if (isLive || mayDecide === false || !singlePerson) return false
  return refusal === 'same_person' || refusal === 'same_login'
}

// Whether the request can be decided at all. Who decides is compared after that: the maker may take it back.
export function refuseUndecided(
  request: Pick<ChangeRequest, 'status' | 'isExpired'> | undefined,
): DecideRefusal | undefined {
  if (!request) return 'not_found'
  if (request.status !== 'waiting') return request.status
  return request.isExpired ? 'expired' : undefined
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
  if (origin.address !== undefined) return `a browser at ${origin.address}`
  const { uid, loginUid, sudoUid, terminal } = origin
  return [
    `uid ${uid ?? 'unknown'}`,
    loginUid === null ? 'no login' : `login ${loginUid}`,
    ...(sudoUid === null ? [] : [`sudo by ${sudoUid}`]),
    terminal === null ? 'no terminal' : 'at a terminal',
  ].join(', ')
}

// For an act that went through. If the machine cannot tell, the entry says so.
export function toldApartBy(first: FirstPerson, second: FirstPerson): string {
  if (first.staffId !== null && second.staffId !== null) return 'staff members'
  return compareOrigins(first.origin, second.origin).by === 'login' ? 'log-in' : 'account name only'
}
