import { wonToJson } from '#base/money.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { PartnerPage } from '#flows/partners/partner-page.ts'
import {
  KEY_FORMATS,
  MESSAGE_LANGUAGES,
  PARTNER_STATUSES,
  type Partner,
  SCOPES,
} from '#modules/partners/types.ts'
import { COMMISSION_BASES } from '#modules/settlement/types.ts'
import {
  maybeMoment,
  maybeText,
  moment,
  reason,
  Timeline,
  textOf,
  timelineJson,
  won,
} from './object-parts.ts'

const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const SCOPE = choice('Scope', SCOPES)

// What can be agreed with a partner. The flow checks what a schema cannot.
const TERMS = {
  name: Type.String({ maxLength: 400 }),
  status: choice('PartnerStatus', PARTNER_STATUSES),
  keyFormat: choice('KeyFormat', KEY_FORMATS),
  keyPattern: Type.Union([Type.String({ maxLength: 400 }), Type.Null()]),
  amountMin: amount,
  amountMax: amount,
  validityMonths: Type.Integer(),
  creditLimit: amount,
  rateLimit: Type.Integer({ description: 'Requests a second; 0 for no limit.' }),
  keyless: Type.Boolean({ description: 'Whether calls without a key are allowed in live.' }),
  // One more than the flow allows, so that the flow refuses it with a reason of its own.
  networks: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 101 }),
  singleUseHashKeys: Type.Boolean(),
  frameAncestors: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 21 }),
  senderName: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
  messageLanguage: choice('MessageLanguage', MESSAGE_LANGUAGES),
}

const OPTIONAL_TERMS = Object.fromEntries(
  Object.entries(TERMS).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { [Name in keyof typeof TERMS]: ReturnType<typeof Type.Optional<(typeof TERMS)[Name]>> }

export const TermsBody = object('PartnerTermsChange', {
  changes: object('PartnerTermsChanges', OPTIONAL_TERMS),
  reason,
})

export const RegisterBody = object('PartnerRegistration', {
  code: Type.String({ maxLength: 64 }),
  terms: object('NewPartnerTerms', { ...OPTIONAL_TERMS, name: TERMS.name }),
})

const PARTNER = {
  code: Type.String(),
  ...TERMS,
  owed: Type.Integer({ description: 'Won that the partner owes now; negative: prepaid.' }),
}

export const PartnerList = object('PartnerList', {
  partners: Type.Array(object('PartnerLine', PARTNER)),
  now: Type.String({ description: 'The moment of these figures.' }),
})

const ApiKey = object('ApiKey', {
  id: Type.String(),
  label: Type.String(),
  scopes: Type.Array(SCOPE),
  networks: Type.Array(Type.String()),
  createdAt: moment,
  expiresAt: maybeMoment,
  revokedAt: Type.Union([moment, Type.Null()], { description: 'May lie ahead: the end of an overlap.' }),
  lastUsedAt: Type.Union([moment, Type.Null()], { description: 'To the minute.' }),
})

const PartnerContact = object('PartnerContact', {
  id: Type.String(),
  name: Type.String(),
  phone: maybeText,
  email: maybeText,
})

const LegalDetails = object(
  'PartnerLegal',
  {
    legalName: Type.String(),
    businessNumber: maybeText,
    representative: maybeText,
    address: maybeText,
  },
  { description: 'The partner as a company, for its statements.' },
)

export const CommissionRate = object('CommissionRate', {
  effectiveFrom: Type.String({ format: 'date' }),
  bps: Type.Integer({ description: 'Hundredths of a percent.' }),
  base: choice('CommissionBase', COMMISSION_BASES),
})

export const PartnerAnswer = object(
  'PartnerPage',
  {
    ...PARTNER,
    now: Type.String({ description: 'The moment of these figures.' }),
    keys: Type.Array(ApiKey),
    months: Type.Array(object('UsageMonth', { month: Type.String(), issued: won, used: won }), {
      description: 'Won of cards that were issued and used, by month in Seoul, newest first.',
    }),
    payments: Type.Array(
      object('PartnerPayment', {
        id: Type.String(),
        reference: Type.String(),
        amount: won,
        at: moment,
        reversedAt: maybeMoment,
        by: Type.Union([Type.String(), Type.Null()], { description: "Null for a partner's staff." }),
      }),
    ),
    contacts: Type.Array(PartnerContact, { description: 'Who is told. Masked.' }),
    legal: Type.Union([LegalDetails, Type.Null()]),
    rates: Type.Array(CommissionRate, { description: 'By the day from which each holds, oldest first.' }),
    waiting: Type.Array(
      object('WaitingChange', {
        id: Type.String(),
        kind: Type.String(),
        maker: Type.String(),
        createdAt: moment,
      }),
      { description: 'Changes that wait for a second person.' },
    ),
    templates: Type.Array(
      object('TemplateUse', {
        partner: Type.Union([Type.String(), Type.Null()], { description: 'Null: for every partner.' }),
        provider: Type.String(),
        purpose: Type.String(),
        language: Type.String(),
        version: Type.Integer(),
        templateId: Type.String(),
      }),
    ),
    timeline: Timeline,
  },
  { description: 'A partner: terms, debt, keys, usage, templates.' },
)

export function partnerJson(partner: Partner) {
  // The row's number stays inside. Outside a partner is named by its code.
  const { id: _, ...terms } = partner
  return {
    ...terms,
    networks: [...terms.networks],
    frameAncestors: [...terms.frameAncestors],
    amountMin: wonToJson(terms.amountMin),
    amountMax: wonToJson(terms.amountMax),
    creditLimit: wonToJson(terms.creditLimit),
    owed: wonToJson(terms.owed),
  }
}

export function partnerPageJson(page: PartnerPage, isOwn: boolean) {
  return {
    ...partnerJson(page.partner),
    now: instantText(page.now),
    keys: page.keys.map((key) => ({
      id: key.id,
      label: key.label,
      scopes: key.scopes as (typeof SCOPES)[number][],
      networks: key.networks,
      createdAt: instantText(key.created_at),
      expiresAt: textOf(key.expires_at),
      revokedAt: textOf(key.revoked_at),
      lastUsedAt: textOf(key.last_used_at),
    })),
    months: page.months.map(({ month, issued, used }) => ({
      month,
      issued: wonToJson(issued),
      used: wonToJson(used),
    })),
    payments: page.payments.map(({ id, reference, amount: paid, at, reversedAt, askedBy, approvedBy }) => ({
      id,
      reference,
      amount: wonToJson(paid),
      at: instantText(at),
      reversedAt: textOf(reversedAt),
      // A partner is not told who of the operator acted.
      by: isOwn ? null : [askedBy, approvedBy].filter((name) => name !== null).join(', '),
    })),
    contacts: page.contacts,
    legal: page.legal ?? null,
    rates: page.rates,
    waiting: page.waiting.map(({ id, kind, maker, createdAt }) => ({
      id,
      kind,
      maker,
      createdAt: instantText(createdAt),
    })),
    templates: page.templates,
    timeline: timelineJson(page.timeline),
  }
}

const CREDIT_WAITS = {
  waiting: Type.Boolean({ description: 'True: part of it waits for a second person.' }),
  requestId: maybeText,
}

export const ChangedAnswer = object('PartnerChanged', { ...PARTNER, ...CREDIT_WAITS })

export const RegisteredAnswer = object('PartnerRegistered', {
  code: Type.String(),
  keyId: Type.String(),
  key: Type.String({ description: 'The first API key. Shown this once.' }),
  ...CREDIT_WAITS,
})

export const PatternBody = object('KeyPatternTest', {
  keyFormat: TERMS.keyFormat,
  keyPattern: TERMS.keyPattern,
  key: Type.String({ maxLength: 400 }),
})

export const PatternAnswer = object('KeyPatternTested', {
  matches: Type.Boolean(),
  why: Type.Union(
    [
      choice('NoMatch', [
        'pattern_invalid',
        'key_empty',
        'key_too_long',
        'not_plain_text',
        'no_match',
        'not_a_uuid',
      ]),
      Type.Null(),
    ],
    { description: 'Null if it matches.' },
  ),
})

export const TemplateBody = object('TemplateIdOf', {
  provider: choice('TemplateProvider', ['solapi', 'nhn']),
  purpose: choice('TemplatePurpose', ['gift', 'reminder', 'cancellation']),
  language: TERMS.messageLanguage,
  version: Type.Integer({ minimum: 1, maximum: 1_000 }),
  templateId: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description: 'Null removes it.' }),
})
