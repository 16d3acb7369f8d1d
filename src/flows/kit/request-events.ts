import type { Db } from '#base/db/db.ts'
import type { PlacedEvent, TimelineSource } from '#flows/kit/timeline.ts'
import { listRequestsAbout, listRequestsOfMember, type RequestsPage } from '#modules/requests/store.ts'
import type { KeptRequest, RequestObject } from '#modules/requests/types.ts'

// What was asked of the APIs about one object, as a source of its timeline. `partnerId`: of a partner's staff, who see what their
// partner asked. `notOf`: without those of this member's own sessions.
export function requestEvents(
  db: Db,
  object: RequestObject,
  { partnerId = null, notOf = null }: { partnerId?: number | null; notOf?: string | null } = {},
): TimelineSource {
  return source(`request ${object.id}`, (page) =>
    listRequestsAbout(db, { object, notOf }, { ...page, partnerId }),
  )
}

// What a member asked for, whatever the object.
export function memberRequestEvents(db: Db, memberId: string): TimelineSource {
  return source('request', (page) => listRequestsOfMember(db, memberId, page))
}

function source(name: string, list: (page: RequestsPage) => Promise<KeptRequest[]>): TimelineSource {
  return {
    name,
    async read(before, limit) {
      return (await list({ before, limit })).map(placed)
    },
  }
}

// By its moment, which is as fine as a clock goes: two requests about one object do not share it.
function placed(request: KeptRequest): PlacedEvent {
  const { id, at, method, route, status, code, reason } = request
  return {
    place: (at.epochNanoseconds / 1000n).toString(),
    event: {
      at,
      source: 'request',
      what: `request.${outcomeOf(status)}`,
      by: callerOf(request),
      from: {},
      details: { call: `${method} ${route}`, answer: String(status), code, cause: reason },
      object: { kind: 'api_request', id },
    },
  }
}

function outcomeOf(status: number): string {
  if (status < 400) return 'done'
  if (status === 499) return 'hung_up'
  return status < 500 ? 'refused' : 'failed'
}

// As audit entries name them.
function callerOf({ audience, partner, keyId, staff }: KeptRequest): string | null {
  if (staff !== null) return `staff:${staff}`
  if (partner) return `partner:${partner.code}${keyId === null ? '' : ` key ${keyId}`}`
  return audience === 'member' ? 'member' : null
}
