import { actEvents, withoutRepeats } from '#flows/kit/act-events.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import { memberRequestEvents, requestEvents } from '#flows/kit/request-events.ts'
import {
  fewEvents,
  type ObjectRef,
  readTimeline,
  type TimelineCursor,
  type TimelinePage,
  type TimelineSource,
} from '#flows/kit/timeline.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { memberEvents } from '#flows/members/member-events.ts'
import { type MemberReads, readMember } from '#flows/members/member-reads.ts'
import { findNamedMember } from '#flows/members/named-member.ts'
import { listTransfersOfHolders, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'

const TIMELINE_PAGE = 50
const TRANSFERS_PAGE = 20
const AUDITED_LINKS = 20 // a person with more partners than this is found by the link's own page

export interface TransfersPage {
  transfers: ShownTransfer[]
  next: string | null
}

// withWords: with what people typed into audit entries.
interface TimelineReader {
  withWords: boolean
}

export interface MemberPages {
  show(member: string, reader: TimelineReader): Promise<MemberPage | undefined>
  timeline(member: string, reader: TimelineReader, cursor: TimelineCursor): Promise<TimelinePage | undefined>
  transfers(member: string, before: bigint): Promise<TransfersPage | undefined>
}

export type MemberPage = MemberReads & { transfers: TransfersPage; timeline: TimelinePage }

// A member as the operator sees one, masked. Every part is bounded and read by an index, so that a member of many years
// costs what a new one does.
export function createMemberPages(deps: VaultDeps): MemberPages {
  const { database } = deps

  async function find(name: string) {
    const named = await findNamedMember(database.db, name)
    return named.kind === 'refused' ? undefined : readMember(deps, named.memberId, named.account)
  }

  async function transfersOf(holders: readonly string[], before: bigint | undefined): Promise<TransfersPage> {
    const found = await listTransfersOfHolders(database, holders, { before, limit: TRANSFERS_PAGE + 1 })
    const transfers = found.slice(0, TRANSFERS_PAGE)
    return {
      transfers,
      next: found.length > TRANSFERS_PAGE ? transfers.at(-1)!.id.toString() : null,
    }
  }

  async function timelineOf(
    reads: MemberReads,
    reader: TimelineReader,
    cursor: TimelineCursor,
  ): Promise<TimelinePage> {
    const page = await readTimeline(sourcesOf(deps, reads, reader), cursor, TIMELINE_PAGE)
    return { ...page, events: withoutRepeats(page.events) }
  }

  return {
    async show(member, reader) {
      const reads = await find(member)
      if (!reads) return undefined
      return {
        ...reads,
        transfers: await transfersOf(reads.holders, undefined),
        timeline: await timelineOf(reads, reader, {}),
      }
    },
    async timeline(member, reader, cursor) {
      const reads = await find(member)
      return reads && timelineOf(reads, reader, cursor)
    },
    async transfers(member, before) {
      const reads = await find(member)
      return reads && transfersOf(reads.holders, before)
    },
  }
}

function sourcesOf(
  { database, keys }: VaultDeps,
  reads: MemberReads,
  { withWords }: TimelineReader,
): TimelineSource[] {
  const { memberId, account, links, holders } = reads
  const vault = withWords ? keys.vault() : undefined
  const audit = (subject: string, object?: ObjectRef) =>
    auditEvents(database.db, vault, subject, object ? { object } : {})
  return [
    fewEvents('state', memberEvents(reads)),
    ...holders.slice(0, AUDITED_LINKS).map((holder) => actEvents(database, holder)),
    audit(memberId),
    ...(account ? [audit(account.id)] : []),
    ...links.slice(0, AUDITED_LINKS).map(({ id }) => audit(id, { kind: 'user', id })),
    memberRequestEvents(database.db, memberId),
    ...[{ kind: 'member' as const, id: memberId }, ...links.slice(0, AUDITED_LINKS).map(userOf)].map(
      (object) => requestEvents(database.db, object, { notOf: memberId }),
    ),
  ]
}

const userOf = ({ id }: { id: string }) => ({ kind: 'user' as const, id })
