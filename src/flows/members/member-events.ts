import type { TimelineEvent } from '#flows/kit/timeline.ts'
import type { MemberReads } from '#flows/members/member-reads.ts'

// What happened to a member and is stored in few rows: states, decisions, payouts, notices. Movements and audit entries
// are sources of their own.
export function memberEvents(reads: MemberReads): TimelineEvent[] {
  const { account, links, freezes, consents, notices, withdrawals, passkeys } = reads
  return [
    ...at('state', account?.createdAt, 'member.joined', { accountId: account?.id }),
    ...at('state', account?.closedAt, 'member.closed', { accountId: account?.id }),
    ...at('state', account?.passwordChangedAt, 'member.password_changed'),
    ...links.flatMap(({ id, partner, status, registeredAt, registeredBy, decidedAt, confirmed }) => {
      const object = { kind: 'user' as const, id }
      const decided = status === 'refused' ? 'link.refused' : confirmed ? 'link.confirmed' : 'link.undecided'
      return [
        ...at('state', registeredAt, 'link.registered', { partner }, { by: registeredBy, object }),
        ...at('state', decidedAt, decided, { partner }, { object }),
      ]
    }),
    ...freezes.flatMap(({ frozenAt, frozenBy, thawedAt, thawedBy }) => [
      ...at('state', frozenAt, 'member.frozen', {}, { by: frozenBy }),
      ...at('state', thawedAt, 'member.thawed', {}, { by: thawedBy }),
    ]),
    ...consents.flatMap(({ termsId, version, agreed, at: moment }) =>
      at('state', moment, agreed ? 'consent.given' : 'consent.withdrawn', { termsId, version }),
    ),
    ...passkeys.flatMap(({ id, createdAt, blockedAt }) => [
      ...at('state', createdAt, 'passkey.added', { passkeyId: id }),
      ...at('state', blockedAt, 'passkey.blocked', { passkeyId: id }),
    ]),
    ...withdrawals.flatMap(({ id, status, amount, settledAt, settledBy, stopAskedAt }) => {
      const object = { kind: 'withdrawal' as const, id }
      const details = { amount: amount.toString() }
      return [
        ...at('state', stopAskedAt, 'withdrawal.stop_asked', details, { object }),
        ...at('state', settledAt, `withdrawal.${status}`, details, { by: settledBy, object }),
      ]
    }),
    ...notices.flatMap(({ at: moment, purpose, status, reason }) =>
      at('message', moment, 'notice.written', { purpose, status, reason }),
    ),
  ]
}

function at(
  source: TimelineEvent['source'],
  moment: Temporal.Instant | null | undefined,
  what: string,
  details: TimelineEvent['details'] = {},
  more: Partial<Pick<TimelineEvent, 'by' | 'object'>> = {},
): TimelineEvent[] {
  return moment ? [{ at: moment, source, what, by: null, from: {}, details, object: null, ...more }] : []
}
