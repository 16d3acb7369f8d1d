import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { distrustDevices, endMemberSessions } from '#flows/members/end-access.ts'
import type { FreezeCommand, FreezeRefusal, Frozen } from '#flows/members/freeze-member.ts'
import type { MemberPages } from '#flows/members/member-page.ts'
import type { showMember } from '#flows/members/show-member.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import {
  DistrustAnswer,
  EndedAnswer,
  FreezeAnswer,
  MemberAnswer,
  type MemberGuess,
  memberJson,
  RevealAnswer,
  transfersJson,
} from './member-schemas.ts'
import {
  actRefusals,
  cursorOf,
  orNotFound,
  ReasonBody,
  readerOf,
  readRefusals,
  reason,
  Transfers,
  timelineJson,
  timelineSchema,
} from './object-parts.ts'

export interface MemberDeps {
  memberPages: MemberPages
  guessesOf(page: { accountId: string | null; loginId: string | null }): Promise<MemberGuess[]>
  revealMember(command: {
    member: string
    revealReason: string
    actor: string
  }): ReturnType<typeof showMember>
  freezeMember(command: FreezeCommand): Promise<Frozen | FreezeRefusal>
  thawMember(command: FreezeCommand): Promise<Frozen | FreezeRefusal>
  endSessions(command: Parameters<typeof endMemberSessions>[1]): ReturnType<typeof endMemberSessions>
  distrustDevices(command: Parameters<typeof distrustDevices>[1]): ReturnType<typeof distrustDevices>
}

// Time to read it out on the telephone, not to leave it on a screen.
const HIDE_AFTER_SECONDS = 300

const params = Type.Object({
  memberId: Type.String({ description: 'Member id, account id or login id.', minLength: 1, maxLength: 36 }),
})
const tags = ['Members']
const READ = { params, tags }
const ACT = { ...READ, body: ReasonBody }

const SCHEMAS = {
  show: {
    ...READ,
    operationId: 'member',
    summary: 'One member, masked',
    response: { 200: MemberAnswer, ...readRefusals },
  },
  timeline: timelineSchema(READ, 'memberTimeline'),
  transfers: {
    ...READ,
    operationId: 'memberTransfers',
    summary: 'What moved for a member, further back',
    querystring: Type.Object({ before: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
    response: { 200: Transfers, ...readRefusals },
  },
  reveal: {
    ...ACT,
    operationId: 'revealMember',
    summary: 'Show who a member is',
    description: 'Every look is an audit entry with its reason.',
    response: { 200: RevealAnswer, ...actRefusals },
  },
  freeze: {
    ...ACT,
    operationId: 'freezeMember',
    summary: 'Stop a member at once',
    response: { 200: FreezeAnswer, ...actRefusals },
  },
  thaw: {
    ...ACT,
    operationId: 'thawMember',
    summary: 'End a freeze',
    response: { 200: FreezeAnswer, ...actRefusals },
  },
  endSessions: {
    ...ACT,
    operationId: 'endMemberSessions',
    summary: 'End one session of a member, or all',
    body: object('EndSessions', { reason, session: Type.Optional(uuid()) }),
    response: { 200: EndedAnswer, ...actRefusals },
  },
  distrust: {
    ...ACT,
    operationId: 'distrustDevices',
    summary: 'Trust one browser of a member no longer, or none',
    body: object('DistrustDevices', {
      reason,
      device: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' })),
    }),
    response: { 200: DistrustAnswer, ...actRefusals },
  },
} as const

// Masked for everybody. Showing who it is takes an act with a proof and a reason.
export function registerMembers(scope: Server, deps: MemberDeps, access: ConsoleAccess): void {
  const seen = access.may('members.read', 'operator')

  scope.get('/members/:memberId', { ...seen, schema: SCHEMAS.show }, async (request) => {
    const reader = readerOf(staffOf(request), 'members.reveal')
    const page = orNotFound(await deps.memberPages.show(request.params.memberId, reader))
    const { account } = page
    // So support can tell a member why a log-in is refused for a while.
    const guesses = await deps.guessesOf({
      accountId: account?.id ?? null,
      loginId: account?.loginId ?? null,
    })
    return memberJson(page, guesses)
  })

  scope.get('/members/:memberId/timeline', { ...seen, schema: SCHEMAS.timeline }, async (request) => {
    const reader = readerOf(staffOf(request), 'members.reveal')
    const cursor = cursorOf(request.query.below)
    return timelineJson(orNotFound(await deps.memberPages.timeline(request.params.memberId, reader, cursor)))
  })

  scope.get('/members/:memberId/transfers', { ...seen, schema: SCHEMAS.transfers }, async (request) => {
    const before = BigInt(request.query.before)
    return transfersJson(orNotFound(await deps.memberPages.transfers(request.params.memberId, before)))
  })

  scope.post(
    '/members/:memberId/reveal',
    { ...access.mayWithProof('members.reveal', 'operator'), schema: SCHEMAS.reveal, ...jsonBody },
    async (request, reply) => {
      const { actor } = staffOf(request)
      const command = { member: request.params.memberId, revealReason: request.body.reason, actor }
      const outcome = await deps.revealMember(command)
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      const { details } = outcome
      reply.header('cache-control', 'no-store')
      return {
        person: details && {
          name: details.name,
          birthday: details.birthday,
          gender: details.gender,
          mdn: details.mdn,
        },
        hideAfterSeconds: HIDE_AFTER_SECONDS,
      }
    },
  )

  registerActs(scope, deps, access)
}

function registerActs(scope: Server, deps: MemberDeps, access: ConsoleAccess): void {
  // One person may freeze: it has to be quick, and it moves nothing (decisions/0044).
  const freezes = access.mayWithProof('members.freeze', 'operator')
  // These only take access away, so they need no proof.
  const changes = access.may('members.change', 'operator')

  for (const act of ['freeze', 'thaw'] as const) {
    scope.post(
      `/members/:memberId/${act}`,
      { ...freezes, schema: SCHEMAS[act], ...jsonBody },
      async (request) => {
        const command = {
          member: request.params.memberId,
          reason: request.body.reason,
          actor: staffOf(request).actor,
        }
        const outcome = await (act === 'freeze' ? deps.freezeMember(command) : deps.thawMember(command))
        if (outcome.kind === 'refused') throw refusedBy(outcome)
        const { memberId, sessionsEnded, withdrawalsHeld } = outcome
        return { memberId, sessionsEnded, withdrawalsHeld }
      },
    )
  }

  scope.post(
    '/members/:memberId/end-sessions',
    { ...changes, schema: SCHEMAS.endSessions, ...jsonBody },
    async (request) => {
      const { reason: why, session } = request.body
      const { actor } = staffOf(request)
      const outcome = await deps.endSessions({ member: request.params.memberId, session, reason: why, actor })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return { ended: outcome.ended }
    },
  )

  scope.post(
    '/members/:memberId/distrust-devices',
    { ...changes, schema: SCHEMAS.distrust, ...jsonBody },
    async (request) => {
      const { reason: why, device } = request.body
      const { actor } = staffOf(request)
      const outcome = await deps.distrustDevices({
        member: request.params.memberId,
        device,
        reason: why,
        actor,
      })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return { devices: outcome.devices, sessions: outcome.sessions }
    },
  )
}
