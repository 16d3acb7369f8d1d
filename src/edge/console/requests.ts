import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { ShowRequest } from '#flows/requests/show-request.ts'
import { KEPT_DAYS } from '#modules/requests/rules.ts'
import { type KeptRequest, REQUEST_AUDIENCES } from '#modules/requests/types.ts'
import { isAllowed } from '#modules/staff/permissions.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { maybeRef, maybeText, moment, orNotFound, readRefusals } from './object-parts.ts'

const RequestAnswer = object(
  'ApiRequest',
  {
    id: Type.String({ description: 'As the answer had it in `X-Request-Id`.' }),
    at: moment,
    audience: choice('RequestAudience', REQUEST_AUDIENCES, {
      description: 'Whose API it was. `none`: a path that no API has.',
    }),
    method: Type.String(),
    route: Type.String({ description: 'The pattern of the path, never what stood in it.' }),
    status: Type.Integer({ description: '499: the caller hung up before the answer.' }),
    code: Type.Union([Type.String(), Type.Null()], { description: 'Of the refusal.' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Which cause, or which fields were bad. The caller was told less.',
    }),
    ms: Type.Integer({ description: 'From the request to the last byte of its answer.' }),
    partner: maybeText,
    partnerName: maybeText,
    keyId: maybeText,
    staff: Type.Union([Type.String(), Type.Null()], { description: 'Email of who asked, in the console.' }),
    memberId: Type.Union([Type.String(), Type.Null()], { description: 'Whose session it was.' }),
    object: maybeRef,
    keptDays: Type.Integer({ description: 'After so many days the record is deleted.' }),
  },
  {
    description: 'One request of an API: what was asked and answered. No body and no address of it is kept.',
  },
)

const SCHEMA = {
  operationId: 'apiRequest',
  summary: 'One request of an API',
  description: 'Of those that change something, were refused or failed.',
  tags: ['Search'],
  params: Type.Object({ apiRequestId: Type.String({ pattern: '^req_\\w{8,40}$' }) }),
  response: { 200: RequestAnswer, ...readRefusals },
} as const

// A partner's staff follow the requests of their own partner, hence the tenant `own`.
export function registerRequests(
  scope: Server,
  deps: { showRequest: ShowRequest },
  access: ConsoleAccess,
): void {
  const seen = access.may('requests.read', 'own')
  scope.get('/requests/:apiRequestId', { ...seen, schema: SCHEMA }, async (request) => {
    const { partnerId, role } = staffOf(request)
    // The record names a member only to those who may see members.
    const maySeeMembers = isAllowed(role, 'members.read')
    const found = await deps.showRequest({ id: request.params.apiRequestId, partnerId, maySeeMembers })
    return requestJson(orNotFound(found))
  })
}

function requestJson({ at, partner, object, partnerId: _, staffId: _staff, ...request }: KeptRequest) {
  return {
    ...request,
    at: instantText(at),
    partner: partner?.code ?? null,
    partnerName: partner?.name ?? null,
    // A change request is called a request everywhere else.
    object: object && {
      kind: object.kind === 'approval' ? ('request' as const) : object.kind,
      id: object.id,
    },
    keptDays: KEPT_DAYS,
  }
}
