import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { countedAddress } from '#edge/http/forwarding.ts'
import type { Person } from '#modules/approvals/types.ts'
import { staffOf } from './access.ts'

// A browser tells nothing of a machine's account. Here the staff member is who counts.
const NOTHING_OF_THE_MACHINE = {
  machine: null,
  boot: null,
  userNamespace: null,
  uid: null,
  loginUid: null,
  sudoUid: null,
  terminal: null,
}

// Who acts, as the flows of two people know them: the staff member, and the browser's address.
export function personOf(
  deps: Pick<HttpDeps, 'keyMode' | 'trustedProxies'>,
  request: FastifyRequest,
): Person {
  const { actor, staffId, singlePerson } = staffOf(request)
  const address = countedAddress(deps, request)
  const origin = { ...NOTHING_OF_THE_MACHINE, ...(address === undefined ? {} : { address }) }
  return { actor, staffId, singlePerson, origin }
}

// These say what became of the object, and mean another thing of another object.
const OF_THE_OBJECT = new Set([
  ...['executed', 'refused', 'expired', 'requested', 'approved', 'paid', 'cancelled'],
  ...['waits', 'frozen', 'may_have_left'],
])

// A flow's refusal as an answer: its stable code is the detail, which the page puts into words. `of`: a request or a
// withdrawal, whose states would be taken for those of what it is about.
export function refusedBy(
  { reason, retryAfterSeconds }: { reason: string; retryAfterSeconds?: number | undefined },
  of?: 'request' | 'withdrawal',
): ApiError {
  // Flows name what is missing in their own way, such as `partner_not_found`.
  if (/(?:^|_)not_found$/.test(reason)) return new ApiError('not_found')
  // The flow reads the role again under its lock: it may have changed since the request began.
  if (reason === 'not_permitted') return new ApiError('forbidden').because('role_missing')
  const detail = of && OF_THE_OBJECT.has(reason) ? `${of}_${reason}` : reason
  return new ApiError('conflict', [{ pointer: '#', detail }], retryAfterSeconds)
}
