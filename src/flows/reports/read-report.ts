import { sql } from 'kysely'
import type { Database, Db } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { refused, withOutcome } from '#flows/kit/outcome.ts'
import { findNamedMember } from '#flows/members/named-member.ts'
import { readCiUse } from '#flows/reports/ci-use.ts'
import { readExpiryNotices } from '#flows/reports/expiry-notices.ts'
import { readOutstanding } from '#flows/reports/outstanding.ts'
import { readPersonTransactions } from '#flows/reports/person-transactions.ts'
import { readRefunds } from '#flows/reports/refunds.ts'
import {
  type Answer,
  Asking,
  OF_A_PERSON,
  type OpenReport,
  type Report,
  type ReportName,
  type ReportRefusal,
} from '#flows/reports/report.ts'
import { readFunds, readSafeguarding } from '#flows/reports/safeguarding.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { refuseDays } from '#modules/prepaid/rules.ts'
import type { Days } from '#modules/prepaid/types.ts'

interface Question {
  // Made of closed days: its last day has to be one of them.
  ofClosedDays: boolean
  read(asking: Asking, days: Days): Promise<Answer>
}

const QUESTIONS: Record<OpenReport, Question> = {
  outstanding: { ofClosedDays: true, read: readOutstanding },
  safeguarding: { ofClosedDays: true, read: readSafeguarding },
  'safeguarded-funds': { ofClosedDays: false, read: readFunds },
  refunds: { ofClosedDays: true, read: readRefunds },
  'expiry-notices': { ofClosedDays: false, read: readExpiryNotices },
  'ci-use': { ofClosedDays: false, read: readCiUse },
}

// Without days: the month of the last day that the report can cover, up to that day.
export interface DaysAsked {
  from?: string | undefined
  to?: string | undefined
}

export interface ReportDeps {
  database: Database
  // One at a time: some read a row for each card that expired.
  queue: WorkQueue
}

export function readReport(
  deps: ReportDeps,
  name: OpenReport,
  asked: DaysAsked,
): Promise<Report | ReportRefusal> {
  const { ofClosedDays, read } = QUESTIONS[name]
  return readOne(deps, { name, ofClosedDays, asked }, read)
}

export interface PersonCommand extends DaysAsked {
  // By login id, member id or account id.
  member: string
  reason: string
  actor: string
}

// What one person did. The audit entry is committed before anything is read.
export async function readPersonReport(
  deps: ReportDeps,
  { member, reason, actor, ...asked }: PersonCommand,
): Promise<Report | ReportRefusal> {
  const named = await withOutcome(deps.database, async (tx) => {
    const found = await findNamedMember(tx, member)
    if (found.kind === 'refused') return found
    const days = await chooseDays(tx, { ofClosedDays: false, asked })
    if (days.kind === 'refused') return days
    await insertAuditEntry(tx, {
      actor,
      action: 'report.person',
      subject: found.memberId,
      details: { reason, report: OF_A_PERSON, ...days.days },
    })
    return { ...found, days: days.days }
  })
  if (named.kind === 'refused') return named
  const { memberId, days } = named
  return readOne(deps, { name: OF_A_PERSON, ofClosedDays: false, asked: days }, (asking, within) =>
    readPersonTransactions(asking, within, memberId),
  )
}

interface Wanted {
  name: ReportName
  ofClosedDays: boolean
  asked: DaysAsked
}

// All queries of an answer see one snapshot.
function readOne(
  { database, queue }: ReportDeps,
  wanted: Wanted,
  read: Question['read'],
): Promise<Report | ReportRefusal> {
  const work = () =>
    database.withSnapshot(async (db): Promise<Report | ReportRefusal> => {
      const chosen = await chooseDays(db, wanted)
      if (chosen.kind === 'refused') return chosen
      const { days, at } = chosen
      const asking = new Asking(db)
      const answer = await read(asking, days)
      return {
        kind: 'report',
        name: wanted.name,
        days,
        at,
        closed: wanted.ofClosedDays ? await readClosed(db, days.to) : null,
        meters: [],
        figures: [],
        notes: [],
        complete: true,
        ...answer,
        sources: asking.sources,
      }
    })
  return queue('report', work)
}

async function chooseDays(
  db: Db,
  { ofClosedDays, asked }: Pick<Wanted, 'ofClosedDays' | 'asked'>,
): Promise<{ kind: 'days'; days: Days; at: Temporal.Instant } | ReportRefusal> {
  const { rows } = await sql<{
    at: Temporal.Instant
    today: string
    yesterday: string
    closed: string | null
  }>`
    select service_now() as at, seoul_date(service_now()) as today, seoul_date(service_now()) - 1 as yesterday,
           (select max(day) from closed_day) as closed`.execute(db)
  const { at, today, yesterday, closed } = rows[0]!
  if (ofClosedDays && closed === null) return refused('nothing_closed')
  const to = asked.to ?? (ofClosedDays ? closed! : yesterday)
  const days = { from: asked.from ?? `${to.slice(0, 8)}01`, to }
  const reason = refuseDays(days, today)
  if (reason) return refused(reason, { days, today })
  if (ofClosedDays && to > closed!) return refused('period_not_closed', { day: to, last: closed! })
  return { kind: 'days', days, at }
}

async function readClosed(db: Db, day: string): Promise<Report['closed']> {
  const { rows } = await sql<{ throughId: bigint; hash: Buffer }>`
    select through_id as "throughId", hash from closed_day where day = ${day}::date`.execute(db)
  const found = rows[0]
  return found ? { day, throughId: found.throughId, hash: found.hash.toString('hex') } : null
}
