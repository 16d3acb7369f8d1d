import { wonFromJson } from '#base/money.ts'
import { isCleanText } from '#base/text/text.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { createRate } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { setMessageTemplate } from '#flows/deliveries/set-message-template.ts'
import type { changePartner } from '#flows/partners/change-partner.ts'
import type { issueApiKey } from '#flows/partners/issue-api-key.ts'
import type { PartnerPages } from '#flows/partners/partner-page.ts'
import type { registerPartner } from '#flows/partners/register-partner.ts'
import { newTerms, whyNoKeyMatch } from '#modules/partners/rules.ts'
import type { PartnerTerms } from '#modules/partners/types.ts'
import type { Staff } from '#modules/staff/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import {
  actRefusals,
  cursorOf,
  orNotFound,
  readerOf,
  readRefusals,
  timelineJson,
  timelineSchema,
} from './object-parts.ts'
import {
  ChangedAnswer,
  PartnerAnswer,
  PartnerList,
  PatternAnswer,
  PatternBody,
  partnerJson,
  partnerPageJson,
  RegisterBody,
  RegisteredAnswer,
  TemplateBody,
  TermsBody,
} from './partner-schemas.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

export interface PartnerDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies' | 'takeToken'> {
  partnerPages: PartnerPages
  changePartner(command: Parameters<typeof changePartner>[1]): ReturnType<typeof changePartner>
  registerPartner(command: Parameters<typeof registerPartner>[1]): ReturnType<typeof registerPartner>
  issueApiKey(command: Parameters<typeof issueApiKey>[1]): ReturnType<typeof issueApiKey>
  setMessageTemplate(command: Parameters<typeof setMessageTemplate>[1]): ReturnType<typeof setMessageTemplate>
}

const params = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) })
const tags = ['Partners']

const SCHEMAS = {
  list: {
    tags,
    operationId: 'partners',
    summary: 'All partners',
    response: { 200: PartnerList, ...refusals(...STAFF_ONLY) },
  },
  show: {
    tags,
    params,
    operationId: 'partner',
    summary: 'One partner',
    response: { 200: PartnerAnswer, ...readRefusals },
  },
  timeline: timelineSchema({ tags, params }, 'partnerTimeline'),
  register: {
    tags,
    operationId: 'registerPartner',
    summary: 'Register a partner, with its first API key',
    description: 'In live, its credit waits for a second person. Until then it buys what it paid for before.',
    body: RegisterBody,
    response: { 200: RegisteredAnswer, ...actRefusals },
  },
  change: {
    tags,
    params,
    operationId: 'changePartner',
    summary: "Change a partner's terms",
    description: 'In live, more credit waits for a second person. The rest holds at once.',
    body: TermsBody,
    response: { 200: ChangedAnswer, ...actRefusals },
  },
  pattern: {
    tags,
    operationId: 'testKeyPattern',
    summary: 'Whether a user key matches a key pattern',
    body: PatternBody,
    response: { 200: PatternAnswer, ...refusals(...STAFF_BODY) },
  },
  template: {
    tags,
    params,
    operationId: 'setTemplate',
    summary: "Record a provider's id of an approved template",
    body: TemplateBody,
    response: { 200: Type.Null(), ...actRefusals },
  },
} as const

// Finance changes terms, and a partner's staff manage its keys.
const partnerReader = (staff: Staff) => readerOf(staff, 'partners.change', 'keys.manage')

export function registerPartners(scope: Server, deps: PartnerDeps, access: ConsoleAccess): void {
  const seen = access.may('partners.read', 'own')

  // A partner's staff get a list of one.
  scope.get('/partners', { ...seen, schema: SCHEMAS.list }, async (request) => {
    const { partners, now } = await deps.partnerPages.list(staffOf(request).partnerId)
    return { partners: partners.map(partnerJson), now: now.toString() }
  })

  scope.get('/partners/:code', { ...seen, schema: SCHEMAS.show }, async (request) => {
    const question = { code: request.params.code, ...partnerReader(staffOf(request)) }
    return partnerPageJson(orNotFound(await deps.partnerPages.show(question)), question.partnerId !== null)
  })

  scope.get('/partners/:code/timeline', { ...seen, schema: SCHEMAS.timeline }, async (request) => {
    const question = { code: request.params.code, ...partnerReader(staffOf(request)) }
    const cursor = cursorOf(request.query.below)
    return timelineJson(orNotFound(await deps.partnerPages.timeline(question, cursor)))
  })

  // Says what the service itself would say of such a key. Compiling the worst pattern takes the process a tenth of a second, in
  // which it does nothing else.
  const count = createRate(deps.takeToken, 'key pattern', { perSecond: 1, burst: 10 })
  scope.post(
    '/partners/test-key-pattern',
    { ...seen, schema: SCHEMAS.pattern, ...jsonBody },
    async (request) => {
      await count(staffOf(request).staffId)
      const { key } = request.body
      const why = isCleanText(key) ? whyNoKeyMatch(request.body, key) : ('not_plain_text' as const)
      return { matches: why === null, why }
    },
  )

  registerChanges(scope, deps, access)
}

function registerChanges(scope: Server, deps: PartnerDeps, access: ConsoleAccess): void {
  const changes = access.mayWithProof('partners.change', 'operator')

  scope.post('/partners', { ...changes, schema: SCHEMAS.register, ...jsonBody }, async (request) => {
    const maker = personOf(deps, request)
    const { code, terms } = request.body
    const mode = deps.keyMode === 'live' ? 'live' : 'sandbox'
    const registered = await deps.registerPartner({
      code,
      terms: { ...newTerms(mode), ...termsOf(terms), name: terms.name },
      // In live all credit waits for a second person: whoever registers a partner sees its first key.
      creditOfOne: 0n,
      ...maker,
    })
    if (registered.kind === 'refused') throw refusedBy(registered)
    // Its own transaction: if it fails, the partner is there without a key, and its page issues one.
    const issued = await deps.issueApiKey({
      code,
      mode: deps.keyMode,
      label: 'first key',
      actor: maker.actor,
    })
    if (issued.kind === 'refused') throw refusedBy(issued)
    const { waiting } = registered
    return {
      code,
      keyId: issued.id,
      key: issued.key.reveal(),
      waiting: waiting !== undefined,
      requestId: waiting?.id ?? null,
    }
  })

  scope.post(
    '/partners/:code/terms',
    { ...changes, schema: SCHEMAS.change, ...jsonBody },
    async (request) => {
      const { code } = request.params
      const { changes: given, reason } = request.body
      const command = { code, changes: termsOf(given), reason, ...personOf(deps, request) }
      const outcome = await deps.changePartner(command)
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      const { partner, waiting } = outcome
      return { ...partnerJson(partner), waiting: waiting !== undefined, requestId: waiting?.id ?? null }
    },
  )

  scope.post(
    '/partners/:code/templates',
    { ...changes, schema: SCHEMAS.template, ...jsonBody },
    async (request) => {
      const { code } = request.params
      const command = { ...request.body, partner: code, actor: staffOf(request).actor }
      const outcome = await deps.setMessageTemplate(command)
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return null
    },
  )
}

type GivenTerms = Partial<
  Omit<PartnerTerms, 'amountMin' | 'amountMax' | 'creditLimit' | 'networks' | 'frameAncestors'> & {
    amountMin: number
    amountMax: number
    creditLimit: number
    networks: string[]
    frameAncestors: string[]
  }
>

// Only what was given: the rest of the terms stays as it is.
function termsOf({ amountMin, amountMax, creditLimit, ...rest }: GivenTerms): Partial<PartnerTerms> {
  return {
    ...rest,
    // The service issues these keys, so a pattern of the partner means nothing.
    ...(rest.keyFormat === 'uuid' ? { keyPattern: null } : {}),
    ...(amountMin === undefined ? {} : { amountMin: wonFromJson(amountMin) }),
    ...(amountMax === undefined ? {} : { amountMax: wonFromJson(amountMax) }),
    ...(creditLimit === undefined ? {} : { creditLimit: wonFromJson(creditLimit) }),
  }
}
