import { serviceNow } from '#base/time/service-clock.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import {
  fewEvents,
  readTimeline,
  type TimelineCursor,
  type TimelineEvent,
  type TimelinePage,
  type TimelineSource,
} from '#flows/kit/timeline.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { listMasked } from '#flows/partners/contacts.ts'
import { listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest } from '#modules/approvals/types.ts'
import { listTemplateUses } from '#modules/deliveries/template-ids.ts'
import type { Contact } from '#modules/partners/contacts.ts'
import { findPartner, listKeys, listPartners } from '#modules/partners/store.ts'
import type { Partner } from '#modules/partners/types.ts'
import { type ListedPayment, listPayments } from '#modules/payments/store.ts'
import { findLegalDetails, listRates } from '#modules/settlement/store.ts'
import type { CommissionRate, LegalDetails } from '#modules/settlement/types.ts'
import { listUsageMonths, type UsageMonth } from '#modules/usage/months.ts'

const TIMELINE_PAGE = 50
const SHOWN_MONTHS = 13 // this month, and the same of last year
const SHOWN_PAYMENTS = 50
const AUDITED_KEYS = 50 // the newest
const WAITING = ['credit_limit', 'commission_rate', 'payment', 'payment_reversal'] as const

export interface PartnerPage {
  partner: Partner
  now: Temporal.Instant
  keys: Awaited<ReturnType<typeof listKeys>>
  months: UsageMonth[]
  payments: ListedPayment[]
  legal: LegalDetails | undefined
  // Masked.
  contacts: Contact[]
  rates: CommissionRate[]
  waiting: ChangeRequest[]
  templates: Awaited<ReturnType<typeof listTemplateUses>>
  timeline: TimelinePage
}

// Of a partner's staff only their own partner exists. partnerId: theirs; null: the operator.
interface PartnerQuestion {
  code: string
  partnerId: number | null
}

// withWords: with what people typed into audit entries.
type TimelineQuestion = PartnerQuestion & { withWords: boolean }

export interface PartnerPages {
  list(partnerId: number | null): Promise<{ partners: Partner[]; now: Temporal.Instant }>
  find(question: PartnerQuestion): Promise<Partner | undefined>
  show(question: TimelineQuestion): Promise<PartnerPage | undefined>
  timeline(question: TimelineQuestion, cursor: TimelineCursor): Promise<TimelinePage | undefined>
}

export function createPartnerPages({ database, keys }: VaultDeps): PartnerPages {
  const { db } = database

  async function find({ code, partnerId }: PartnerQuestion): Promise<Partner | undefined> {
    const partner = await findPartner(db, code)
    return partner && (partnerId === null || partner.id === partnerId) ? partner : undefined
  }

  async function sourcesOf(
    partner: Partner,
    { partnerId, withWords }: TimelineQuestion,
  ): Promise<TimelineSource[]> {
    const isOwn = partnerId !== null
    const vault = withWords ? keys.vault() : undefined
    const apiKeys = (await listKeys(db, partner.id)).slice(-AUDITED_KEYS)
    const payments = await listPayments(db, partner.id, SHOWN_PAYMENTS)
    // Who of the operator acted, and why, is not told to a partner.
    const isShown = (actor: string) => !isOwn || actor.startsWith(`partner:${partner.code} `)
    return [
      fewEvents(
        'state',
        payments.flatMap((payment) => paymentEvents(payment, isOwn)),
      ),
      auditEvents(db, vault, partner.code, { isShown }),
      ...apiKeys.map(({ id }) => auditEvents(db, vault, id, { object: { kind: 'key', id }, isShown })),
    ]
  }

  return {
    async list(partnerId) {
      const all = await listPartners(db)
      const partners = partnerId === null ? all : all.filter(({ id }) => id === partnerId)
      return { partners, now: await serviceNow(database) }
    },
    find,
    async show(question) {
      const partner = await find(question)
      if (!partner) return undefined
      const isOwn = question.partnerId !== null
      const templates = await listTemplateUses(db)
      const requests = await Promise.all(WAITING.map((kind) => listWaitingOf(db, kind, partner.code)))
      return {
        partner,
        now: await serviceNow(database),
        keys: await listKeys(db, partner.id),
        months: await listUsageMonths(database, partner.id, SHOWN_MONTHS),
        payments: await listPayments(db, partner.id, SHOWN_PAYMENTS),
        legal: await findLegalDetails(db, partner.id),
        contacts: await listMasked({ tx: db, vault: keys.vault() }, partner.id),
        rates: await listRates(db, partner.id),
        waiting: isOwn ? [] : requests.flat(),
        // The partner's own, and those that hold for every partner.
        templates: templates.filter((use) => use.partner === null || use.partner === partner.code),
        timeline: await readTimeline(await sourcesOf(partner, question), {}, TIMELINE_PAGE),
      }
    },
    async timeline(question, cursor) {
      const partner = await find(question)
      if (!partner) return undefined
      return readTimeline(await sourcesOf(partner, question), cursor, TIMELINE_PAGE)
    },
  }
}

function paymentEvents(payment: ListedPayment, isOwn: boolean): TimelineEvent[] {
  const { id, reference, amount, at, reversedAt, askedBy, approvedBy, reversedBy } = payment
  const by = (people: string | null) => (isOwn ? null : people)
  const about = {
    source: 'money' as const,
    from: {},
    details: { reference, amount: amount.toString() },
    object: isOwn ? null : { kind: 'request' as const, id },
  }
  const booked = approvedBy === null ? askedBy : `${askedBy}, ${approvedBy}`
  return [
    { ...about, at, what: 'partner.paid', by: by(booked) },
    ...(reversedAt
      ? [{ ...about, at: reversedAt, what: 'partner.payment_reversed', by: by(reversedBy) }]
      : []),
  ]
}
