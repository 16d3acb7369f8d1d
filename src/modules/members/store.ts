import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Database, Db, Tx } from '#base/db/db.ts'
import type { Consent, LinkId, MemberId, PartnerUser, SignupOutcome, SignupRefusal } from './types.ts'

// A signup with everything it will be stored as; sealed before it joins a batch.
export interface SealedSignup {
  partnerId: number
  // The one the partner told, or the one issued for a new user.
  partnerKey: string
  custom: boolean
  // The row that `details` is sealed for.
  linkId: LinkId
  memberId: MemberId
  ci: Buffer
  ciHash: { current: Buffer; next: Buffer | null }
  details: Buffer
  detailsHash: { current: Buffer; next: Buffer | null }
  registeredBy: string
  actor: string
  consents: readonly Consent[]
  trace: SealedTrace | null
}

// The partner's trace number of the call, sealed for the row of its id.
interface SealedTrace {
  id: string
  value: Buffer
  hash: { current: Buffer; next: Buffer | null }
}

// The person is known and the details are others: they must be sealed for the row that is there.
export type SignupAnswer = SignupOutcome | { kind: 'reseal'; linkId: LinkId }

const SIGN_UP = {
  name: 'sign_up_partner_users',
  text: `select outcome, link_id, partner_key, registered_at, trace_id from sign_up_partner_users(
    $1::int, $2::int[], $3::text[], $4::bool[], $5::uuid[], $6::uuid[], $7::bytea[], $8::bytea[], $9::bytea[],
    $10::bytea[], $11::bytea[], $12::bytea[], $13::text[], $14::text[], $15::int[], $16::text[], $17::bool[],
    $18::uuid[], $19::bytea[], $20::bytea[], $21::bytea[])`,
}

interface SignUpRow {
  outcome: 'new' | 'known' | 'reseal' | 'stale_keys' | SignupRefusal
  link_id: LinkId
  partner_key: string
  registered_at: Temporal.Instant
  trace_id: string | null
}

// One round trip, one transaction, one answer per signup in order.
export async function insertSignups(
  database: Database,
  epoch: number,
  batch: readonly SealedSignup[],
): Promise<SignupAnswer[] | 'stale_keys'> {
  const consents = batch.flatMap((s, i) => s.consents.map((consent) => ({ of: i + 1, ...consent })))
  const rows = await database.writeOnce<SignUpRow>(SIGN_UP, [
    epoch,
    batch.map((s) => s.partnerId),
    batch.map((s) => s.partnerKey),
    batch.map((s) => s.custom),
    batch.map((s) => s.linkId),
    batch.map((s) => s.memberId),
    batch.map((s) => s.ci),
    batch.map((s) => s.ciHash.current),
    batch.map((s) => s.ciHash.next),
    batch.map((s) => s.details),
    batch.map((s) => s.detailsHash.next ?? s.detailsHash.current),
    batch.map((s) => (s.detailsHash.next ? s.detailsHash.current : null)),
    batch.map((s) => s.registeredBy),
    batch.map((s) => s.actor),
    consents.map((consent) => consent.of),
    consents.map((consent) => consent.termsId),
    consents.map((consent) => consent.agreed),
    batch.map((s) => s.trace?.id ?? null),
    batch.map((s) => s.trace?.value ?? null),
    batch.map((s) => s.trace?.hash.next ?? s.trace?.hash.current ?? null),
    batch.map((s) => (s.trace?.hash.next ? s.trace.hash.current : null)),
  ])
  if (rows[0]?.outcome === 'stale_keys') return 'stale_keys'
  return rows.map(toAnswer)
}

function toAnswer({ outcome, link_id, partner_key, registered_at, trace_id }: SignUpRow): SignupAnswer {
  assert(outcome !== 'stale_keys', 'a batch is of one epoch')
  if (outcome === 'reseal') return { kind: 'reseal', linkId: link_id }
  if (outcome !== 'new' && outcome !== 'known') return { kind: 'refused', reason: outcome }
  return {
    kind: outcome,
    linkId: link_id,
    userKey: partner_key,
    registeredAt: registered_at,
    traceId: trace_id,
  }
}

function selectUser(db: Db, partnerId: number, partnerKey: string) {
  return db
    .selectFrom('partner_user')
    .select(['id', 'member_id', 'partner_id', 'partner_key', 'status', 'confirmed', 'registered_at'])
    .select(['registered_by', 'details', 'details_at'])
    .select(sql<string>`link_holder(confirmed, member_id, id)`.as('holder_id'))
    .where('partner_id', '=', partnerId)
    .where('partner_key', '=', partnerKey)
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUser>['executeTakeFirstOrThrow']>>

function toUser(row: UserRow): PartnerUser {
  return {
    id: row.id as LinkId,
    memberId: row.member_id as MemberId,
    holderId: row.holder_id,
    partnerId: row.partner_id,
    partnerKey: row.partner_key,
    status: row.status as PartnerUser['status'],
    confirmed: row.confirmed,
    registeredAt: row.registered_at,
    registeredBy: row.registered_by,
    details: row.details,
    detailsAt: row.details_at,
  }
}

export async function findUser(
  db: Db,
  partnerId: number,
  partnerKey: string,
): Promise<PartnerUser | undefined> {
  const row = await selectUser(db, partnerId, partnerKey).executeTakeFirst()
  return row && toUser(row)
}

export async function lockUser(
  tx: Tx,
  partnerId: number,
  partnerKey: string,
): Promise<PartnerUser | undefined> {
  const row = await selectUser(tx, partnerId, partnerKey).forNoKeyUpdate().executeTakeFirst()
  return row && toUser(row)
}

// Hash keys and sessions from before this moment open nothing, now or after the user is let in again.
// Returns what the database made of it: a link of a frozen member becomes frozen, not active.
export async function setUserStatus(
  tx: Tx,
  id: LinkId,
  status: PartnerUser['status'],
): Promise<PartnerUser['status']> {
  const row = await tx
    .updateTable('partner_user')
    .set({ status, logins_after: sql<Temporal.Instant>`service_now()` })
    .where('id', '=', id)
    .returning('status')
    .executeTakeFirstOrThrow()
  return row.status as PartnerUser['status']
}

export function listConsents(db: Db, id: LinkId) {
  return db
    .selectFrom('consent')
    .select(['terms_id', 'agreed', 'at'])
    .where('partner_user_id', '=', id)
    .orderBy('id')
    .execute()
}

export async function countLinks(db: Db, memberId: MemberId): Promise<number> {
  const { count } = await db
    .selectFrom('partner_user')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
