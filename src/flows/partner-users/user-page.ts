import { actEvents } from '#flows/kit/act-events.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import { requestEvents } from '#flows/kit/request-events.ts'
import {
  fewEvents,
  readTimeline,
  type TimelineCursor,
  type TimelineEvent,
  type TimelinePage,
  type TimelineSource,
} from '#flows/kit/timeline.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { listTransfersOfHolders, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { findShownUser, type ShownUser } from '#modules/members/shown-links.ts'
import { listTraces } from '#modules/members/signup-traces.ts'
import { listConsents } from '#modules/members/store.ts'
import type { Details } from '#modules/members/types.ts'
import { listHashKeys, type ShownHashKey } from '#modules/sessions/store.ts'

const TIMELINE_PAGE = 50
const SHOWN_TRANSFERS = 20
const SHOWN_KEYS = 20
const SHOWN_CONSENTS = 50

type Consents = Awaited<ReturnType<typeof listConsents>>

export interface UserPage {
  user: ShownUser
  // Masked.
  details: ReturnType<typeof maskDetails>
  consents: Consents
  hashKeys: ShownHashKey[]
  // Of what the link itself holds. Once the member has confirmed it, the member's page has them.
  transfers: ShownTransfer[]
  timeline: TimelinePage
}

// partnerId: of a partner's staff, for whom only their own partner's users exist. Null: the operator.
interface UserQuestion {
  id: string
  partnerId: number | null
}

// withWords: with what people typed into audit entries.
type TimelineQuestion = UserQuestion & { withWords: boolean }

export interface UserPages {
  find(question: UserQuestion): Promise<ShownUser | undefined>
  show(question: TimelineQuestion): Promise<UserPage | undefined>
  timeline(question: TimelineQuestion, cursor: TimelineCursor): Promise<TimelinePage | undefined>
}

// A member as one partner knows them.
export function createUserPages({ database, keys }: VaultDeps): UserPages {
  const { db } = database

  async function find({ id, partnerId }: UserQuestion): Promise<ShownUser | undefined> {
    const user = await findShownUser(db, id)
    return user && (partnerId === null || user.partnerId === partnerId) ? user : undefined
  }

  async function timelineOf(
    user: ShownUser,
    { partnerId, withWords }: TimelineQuestion,
    cursor: TimelineCursor,
  ): Promise<TimelinePage> {
    const isOwn = partnerId !== null
    const consents = (await listConsents(db, user.id)).slice(-SHOWN_CONSENTS)
    const traces = await listTraces(db, user.id)
    const isShown = (actor: string) => !isOwn || actor.startsWith(`partner:${user.partner} `)
    const sources: TimelineSource[] = [
      fewEvents('state', statesOf(user, consents, traces)),
      auditEvents(db, withWords ? keys.vault() : undefined, user.id, { isShown }),
      requestEvents(db, { kind: 'user', id: user.id }, { partnerId }),
      // What a person holds is not for a partner's staff.
      ...(isOwn ? [] : [actEvents(database, user.id)]),
    ]
    return readTimeline(sources, cursor, TIMELINE_PAGE)
  }

  return {
    find,
    async show(question) {
      const user = await find(question)
      if (!user) return undefined
      const isOwn = question.partnerId !== null
      const place = { table: 'partner_user', column: 'details', row: user.id }
      return {
        user,
        details: maskDetails(JSON.parse(keys.vault().open(place, user.details)) as Details),
        consents: (await listConsents(db, user.id)).slice(-SHOWN_CONSENTS),
        hashKeys: await listHashKeys(db, user.id, SHOWN_KEYS),
        transfers: isOwn
          ? []
          : await listTransfersOfHolders(database, [user.id], { before: undefined, limit: SHOWN_TRANSFERS }),
        timeline: await timelineOf(user, question, {}),
      }
    },
    async timeline(question, cursor) {
      const user = await find(question)
      return user && timelineOf(user, question, cursor)
    },
  }
}

function statesOf(
  user: ShownUser,
  consents: Consents,
  traces: readonly { id: string; at: Temporal.Instant }[],
): TimelineEvent[] {
  const about = { source: 'state' as const, by: null, from: {}, details: {}, object: null }
  const decided = user.status === 'refused' ? 'link.refused' : 'link.confirmed'
  const isDecided = user.decidedAt && (user.status === 'refused' || user.confirmed)
  return [
    { ...about, at: user.registeredAt, what: 'link.registered', by: user.registeredBy },
    ...(isDecided ? [{ ...about, at: user.decidedAt!, what: decided }] : []),
    ...consents.map(({ terms_id, agreed, at }) => ({
      ...about,
      at,
      what: agreed ? 'consent.given' : 'consent.withdrawn',
      details: { termsId: terms_id },
    })),
    // The partner's own number of the call stays sealed. This id is in its answer's log line.
    ...traces.map(({ id, at }) => ({ ...about, at, what: 'link.signup_call', details: { traceId: id } })),
  ]
}
