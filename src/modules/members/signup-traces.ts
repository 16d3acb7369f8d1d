import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import type { LinkId } from './types.ts'

// The trace numbers that partners sent with signups.

export const tracePlace = (row: string) => ({ table: 'signup_trace', column: 'trace_no', row })

// Trace numbers of two partners have nothing in common.
export const traceIndex = (partnerId: number, traceNo: string) =>
  ['trace no', `${partnerId}\0${traceNo}`] as const

const SHOWN = 50 // a partner that calls at every log-in has many

export interface Trace {
  id: string
  traceNo: Buffer
  at: Temporal.Instant
}

export async function listTraces(db: Db, id: LinkId): Promise<Trace[]> {
  const { rows } = await sql<Trace>`
    select id, trace_no as "traceNo", at from signup_trace where partner_user_id = ${id}
     order by at desc limit ${SHOWN}`.execute(db)
  return rows
}

export interface TracedUser {
  traceId: string
  partnerKey: string
  at: Temporal.Instant
}

// Materialized: one number has few traces. Otherwise the planner may walk all traces from the newest until it meets enough.
export async function findTraced(db: Db, hashes: readonly Buffer[]): Promise<TracedUser[]> {
  const { rows } = await sql<TracedUser>`
    with traced as materialized (
      select id, partner_user_id, at from signup_trace where hash = any(${hashes}::bytea[]))
    select t.id as "traceId", u.partner_key as "partnerKey", t.at
      from traced t join partner_user u on u.id = t.partner_user_id
     order by t.at desc limit ${SHOWN}`.execute(db)
  return rows
}

// Five years, as the law has it for records of contracts.
export const deleteOldTraces = deleteOld('signup_trace', "at < service_now() - interval '5 years'")
