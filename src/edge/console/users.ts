import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { showUser } from '#flows/partner-users/show-user.ts'
import type { setUserStatusOf } from '#flows/partner-users/suspend-user.ts'
import type { UserPage, UserPages } from '#flows/partner-users/user-page.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import { LINK, MaskedPerson, RevealAnswer } from './member-schemas.ts'
import {
  actRefusals,
  cursorOf,
  maybeMoment,
  maybeText,
  moment,
  orNotFound,
  ReasonBody,
  readerOf,
  readRefusals,
  Timeline,
  Transfer,
  textOf,
  timelineJson,
  timelineSchema,
  transferJson,
} from './object-parts.ts'

export interface UserDeps {
  userPages: UserPages
  setUserStatus(command: Parameters<typeof setUserStatusOf>[1]): ReturnType<typeof setUserStatusOf>
  revealUser(command: Parameters<typeof showUser>[2]): ReturnType<typeof showUser>
}

const HIDE_AFTER_SECONDS = 300 // as for a member

const UserAnswer = object(
  'UserPage',
  {
    ...LINK,
    memberId: Type.Union([Type.String(), Type.Null()], {
      description: "The member behind it. Null for a partner's staff.",
    }),
    person: MaskedPerson,
    detailsAt: moment,
    now: moment,
    consents: Type.Array(
      object('UserConsent', { termsId: Type.String(), agreed: Type.Boolean(), at: moment }),
    ),
    hashKeys: Type.Array(
      object('UserHashKey', { issuedAt: moment, expiresAt: moment, usedAt: maybeMoment }),
      { description: 'Of the last day. The keys themselves are stored nowhere.' },
    ),
    transfers: Type.Array(Transfer, { description: 'Of what the link itself holds, until it is confirmed.' }),
    timeline: Timeline,
  },
  { description: 'A member as one partner knows them, masked.' },
)

const params = Type.Object({ userId: uuid() })
const tags = ['Partners']
const StatusAnswer = object('UserStatus', { id: Type.String(), status: maybeText })

const SCHEMAS = {
  show: {
    params,
    tags,
    operationId: 'user',
    summary: 'One user of a partner, masked',
    response: { 200: UserAnswer, ...readRefusals },
  },
  timeline: timelineSchema({ tags, params }, 'userTimeline'),
  suspend: {
    params,
    tags,
    operationId: 'suspendUser',
    summary: "Close a user's link",
    description: 'Its hash keys and sessions end at once.',
    body: ReasonBody,
    response: { 200: StatusAnswer, ...actRefusals },
  },
  resume: {
    params,
    tags,
    operationId: 'resumeUser',
    summary: "Open a suspended user's link again",
    body: ReasonBody,
    response: { 200: StatusAnswer, ...actRefusals },
  },
  reveal: {
    params,
    tags,
    operationId: 'revealUser',
    summary: 'Show what a partner told of a user',
    body: ReasonBody,
    response: { 200: RevealAnswer, ...actRefusals },
  },
} as const

export function registerUsers(scope: Server, deps: UserDeps, access: ConsoleAccess): void {
  const seen = access.may('users.read', 'own')

  scope.get('/users/:userId', { ...seen, schema: SCHEMAS.show }, async (request) => {
    const question = { id: request.params.userId, ...readerOf(staffOf(request), 'users.change') }
    return userJson(orNotFound(await deps.userPages.show(question)), question.partnerId !== null)
  })

  scope.get('/users/:userId/timeline', { ...seen, schema: SCHEMAS.timeline }, async (request) => {
    const question = { id: request.params.userId, ...readerOf(staffOf(request), 'users.change') }
    return timelineJson(orNotFound(await deps.userPages.timeline(question, cursorOf(request.query.below))))
  })

  // The flows name a user as the command line does: by partner and key.
  async function named(id: string) {
    // Null, because these acts are the operator's, for users of any partner.
    const { partner, partnerKey } = orNotFound(await deps.userPages.find({ id, partnerId: null }))
    return { partner, partnerKey }
  }

  for (const [act, status] of [
    ['suspend', 'suspended'],
    ['resume', 'active'],
  ] as const) {
    scope.post(
      `/users/:userId/${act}`,
      { ...access.may('users.change', 'operator'), schema: SCHEMAS[act], ...jsonBody },
      async (request) => {
        const id = request.params.userId
        const command = { status, reason: request.body.reason, actor: staffOf(request).actor }
        const outcome = await deps.setUserStatus({ ...(await named(id)), ...command })
        if (outcome.kind === 'refused') throw refusedBy(outcome)
        return { id, status: outcome.user.status }
      },
    )
  }

  scope.post(
    '/users/:userId/reveal',
    { ...access.mayWithProof('members.reveal', 'operator'), schema: SCHEMAS.reveal, ...jsonBody },
    async (request, reply) => {
      const command = { revealReason: request.body.reason, actor: staffOf(request).actor }
      const outcome = await deps.revealUser({ ...(await named(request.params.userId)), ...command })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      const { name, birthday, gender, mdn } = outcome.details
      reply.header('cache-control', 'no-store')
      return { person: { name, birthday, gender, mdn }, hideAfterSeconds: HIDE_AFTER_SECONDS }
    },
  )
}

// A partner's staff learn nothing of the member: the link may not be confirmed, and other partners know the same person.
function userJson({ user, details, consents, hashKeys, transfers, timeline }: UserPage, isOwn: boolean) {
  return {
    id: user.id,
    partner: user.partner,
    partnerName: user.partnerName,
    partnerKey: user.partnerKey,
    // That the operator froze the member is not for the partner.
    status: isOwn && user.status === 'frozen' ? ('suspended' as const) : user.status,
    confirmed: user.confirmed,
    registeredAt: instantText(user.registeredAt),
    registeredBy: user.registeredBy,
    decidedAt: textOf(user.decidedAt),
    memberId: isOwn ? null : user.memberId,
    person: { name: details.name, birthday: details.birthday, gender: details.gender, mdn: details.mdn },
    detailsAt: instantText(user.detailsAt),
    now: instantText(user.now),
    consents: consents.map(({ terms_id, agreed, at }) => ({
      termsId: terms_id,
      agreed,
      at: instantText(at),
    })),
    hashKeys: hashKeys.map(({ issuedAt, expiresAt, usedAt }) => ({
      issuedAt: instantText(issuedAt),
      expiresAt: instantText(expiresAt),
      usedAt: textOf(usedAt),
    })),
    transfers: transfers.map(transferJson),
    timeline: timelineJson(timeline),
  }
}
