import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { StaffActs } from '#flows/staff/staff-acts.ts'
import { linkUrl } from '#modules/staff/secrets.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import type { BrowserDeps } from './browser.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'
import { ROLE } from './roles.ts'
import { email } from './sign-in.ts'

const moment = Type.String({ format: 'date-time' })
const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])

const StaffEntry = object('StaffMember', {
  id: uuid(),
  email: Type.String(),
  name: Type.String(),
  role: ROLE,
  partner: orNull(
    Type.String({ description: "The code of the partner whose staff it is; null: the operator's." }),
  ),
  status: choice('StaffStatus', ['active', 'suspended']),
  signsInWith: Type.Array(choice('StaffWay', ['passkey', 'password', 'single_sign_on'])),
  accounts: Type.Array(Type.String(), {
    description: 'Accounts of machines that are this person (`operator bind`).',
  }),
  seenAt: orNull(moment),
  createdAt: moment,
})

const reason = Type.String({ minLength: 1, maxLength: 500 })
const ReasonBody = object('StaffReason', { reason })
const ById = Type.Object({ staffId: uuid() })

const route = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Staff'],
})
const ACT = ['proof_required', 'not_found', 'conflict', ...STAFF_BODY] as const
const act = (operationId: string, summary: string, description?: string) => ({
  ...route(operationId, summary, description),
  params: ById,
  body: ReasonBody,
  response: { 200: StaffEntry, ...refusals(...ACT) },
})

const SCHEMAS = {
  list: {
    ...route('listStaff', 'The people who work in the console'),
    response: {
      200: object('StaffList', { staff: Type.Array(StaffEntry) }),
      ...refusals(...STAFF_ONLY),
    },
  },
  add: {
    ...route(
      'addStaff',
      'Add a person',
      'The link is good once, for a day. In live, a role that may approve waits for a second person: until then the person is a viewer.',
    ),
    body: object('NewStaff', {
      email,
      name: Type.String({ minLength: 1, maxLength: 100 }),
      role: ROLE,
      partner: Type.Optional(
        Type.String({ description: 'The code, for a role of its staff.', maxLength: 64 }),
      ),
    }),
    response: {
      200: object('InvitedStaff', {
        staff: StaffEntry,
        link: Type.String({ description: 'Shown once.' }),
        expiresAt: moment,
        waiting: Type.Boolean({ description: 'The role waits for a second person.' }),
      }),
      ...refusals('proof_required', 'conflict', ...STAFF_BODY),
    },
  },
  suspend: act('suspendStaff', 'Keep a person out', 'Their sessions end at once.'),
  resume: act('resumeStaff', 'Let a suspended person in again'),
  endSessions: act('endStaffSessions', "End a person's sessions"),
  role: {
    ...route('requestStaffRole', 'Ask for another role', 'Carried out when a second person approves.'),
    params: ById,
    body: object('StaffRoleRequest', { role: ROLE, reason }),
    response: {
      200: object('RequestedStaffRole', { waiting: Type.Literal(true), requestId: uuid() }),
      ...refusals(...ACT),
    },
  },
}

type Deps = BrowserDeps & { staffActs: StaffActs }

// One admin could add a second self and approve alone. So in live a role that may approve waits.
export function registerStaff(scope: Server, deps: Deps, access: ConsoleAccess): void {
  const { staffActs } = deps
  const change = { ...access.mayWithProof('staff.change', 'operator'), ...jsonBody }
  scope.get('/staff', { ...access.may('staff.read', 'operator'), schema: SCHEMAS.list }, async () => ({
    staff: (await staffActs.list()).map(toJson),
  }))
  scope.post('/staff', { ...change, schema: SCHEMAS.add }, async (request) => {
    const { partner, ...wanted } = request.body
    const maker = personOf(deps, request)
    const outcome = await staffActs.add({ ...wanted, partner, reason: null, ...maker })
    if (outcome.kind === 'refused') {
      // These are mistakes in the form, so the answer names the field.
      const field = FIELDS[outcome.reason]
      throw field ? badField(request, field, WORDS[outcome.reason] ?? 'is wrong') : refusedBy(outcome)
    }
    const { staff, link, expiresAt, waiting } = outcome
    return {
      // A new person has no way in yet: the link is for choosing one.
      staff: toJson({ ...staff, signsInWith: [], accounts: [], seenAt: null }),
      link: linkUrl(deps.publicUrl, link),
      expiresAt: instantText(expiresAt),
      waiting: waiting !== undefined,
    }
  })
  for (const name of ['suspend', 'resume', 'endSessions'] as const) {
    const url = `/staff/:staffId/${name === 'endSessions' ? 'end-sessions' : name}` as const
    scope.post(url, { ...change, schema: SCHEMAS[name] }, async (request) => {
      // The flows name people by email, as the command line does.
      const found = await staffActs.find(request.params.staffId)
      if (!found) throw new ApiError('not_found')
      const { actor } = staffOf(request)
      const outcome = await staffActs[name]({ email: found.email, actor, reason: request.body.reason })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      // Read again, so that the answer shows what the act changed.
      return toJson((await staffActs.find(found.id))!)
    })
  }
  scope.post('/staff/:staffId/role', { ...change, schema: SCHEMAS.role }, async (request) => {
    const found = await staffActs.find(request.params.staffId)
    if (!found) throw new ApiError('not_found')
    const maker = personOf(deps, request)
    const outcome = await staffActs.requestRole({ ...request.body, email: found.email, ...maker })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return { waiting: true as const, requestId: outcome.request.id }
  })
}

const FIELDS: Partial<Record<string, string>> = {
  bad_email: 'email',
  bad_name: 'name',
  role_of_other_tenant: 'role',
  partner_not_found: 'partner',
}
const WORDS: Partial<Record<string, string>> = {
  bad_email: 'must be an email address',
  bad_name: 'must be 1 to 100 characters',
  role_of_other_tenant: "must be a role of the operator, or of a partner's staff with its partner",
  partner_not_found: 'must be the code of a partner',
}

type Listed = Awaited<ReturnType<StaffActs['list']>>[number]

// The secrets of a way in stay out.
function toJson({
  createdAt,
  seenAt,
  ...staff
}: Pick<StaffMember, 'id' | 'email' | 'name' | 'role' | 'partner' | 'status' | 'createdAt'> &
  Pick<Listed, 'signsInWith' | 'accounts' | 'seenAt'>) {
  const { id, email: address, name, role, partner, status, signsInWith, accounts } = staff
  return {
    id,
    email: address,
    name,
    role,
    partner,
    status,
    signsInWith: [...signsInWith],
    accounts: [...accounts],
    seenAt: seenAt && instantText(seenAt),
    createdAt: instantText(createdAt),
  }
}
