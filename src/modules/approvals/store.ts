import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { Origin } from '#base/origin.ts'
import { hoursToDecide } from './rules.ts'
import type { ChangeKind, ChangeRequest, ChangeRequestId, Payload } from './types.ts'

const COLUMNS = sql.raw(`id, kind, subject, payload, basis, maker, maker_origin as "makerOrigin",
  maker_staff as "makerStaff", reason, created_at as "createdAt", expires_at as "expiresAt", status, checker,
  checker_origin as "checkerOrigin", checker_staff as "checkerStaff", single_person as "singlePerson",
  decided_at as "decidedAt", expires_at <= service_now() as "isExpired", payload_hash as hash`)

type Row = Omit<ChangeRequest, 'payload' | 'basis'> & { payload: string; basis: string; hash: Buffer }

function toRequest({ payload, basis, hash, ...row }: Row): ChangeRequest {
  assert(hash.equals(hashOf(payload)), 'the database refuses another hash')
  return { ...row, payload: JSON.parse(payload), basis: JSON.parse(basis) }
}

function hashOf(payload: string): Buffer {
  return createHash('sha256').update(payload).digest()
}

// The same values give the same text, in any order.
function textOf(payload: Payload): string {
  return JSON.stringify(Object.fromEntries(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1))))
}

function originJson(origin: Origin | undefined): string | null {
  return origin === undefined ? null : JSON.stringify(origin)
}

export interface NewRequest {
  kind: ChangeKind
  subject: string
  payload: Payload
  basis: Payload
  maker: string
  makerOrigin: Origin | undefined
  makerStaff: string | null
  reason: string
}

export async function insertRequest(tx: Tx, request: NewRequest): Promise<ChangeRequest> {
  const id = newId<'change request'>()
  const payload = textOf(request.payload)
  const { rows } = await sql<Row>`
    insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, maker_origin, maker_staff,
                                reason, created_at, expires_at)
    values (${id}, ${request.kind}, ${request.subject}, ${payload}, ${hashOf(payload)}, ${textOf(request.basis)},
            ${request.maker}, ${originJson(request.makerOrigin)}::jsonb, ${request.makerStaff}, ${request.reason}, service_now(),
            service_now() + ${hoursToDecide(request.kind)} * interval '1 hour')
    returning ${COLUMNS}`.execute(tx)
  return toRequest(rows[0]!)
}

// Two who decide at once: the second finds what the first did.
export async function lockRequest(tx: Tx, id: string): Promise<ChangeRequest | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from change_request where id = ${id} for update`.execute(tx)
  return rows[0] && toRequest(rows[0])
}

export async function listWaiting(db: Db, kinds: readonly ChangeKind[]): Promise<ChangeRequest[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from change_request
     where status = 'waiting' and expires_at > service_now() and kind = any(${kinds}::text[])
     order by created_at limit 500`.execute(db)
  return rows.map(toRequest)
}

export async function findRequest(db: Db, id: string): Promise<ChangeRequest | undefined> {
  const { rows } = await sql<Row>`select ${COLUMNS} from change_request where id = ${id}`.execute(db)
  return rows[0] && toRequest(rows[0])
}

// Newest first: approved, refused, and what nobody decided in time. `before`: where the page before ended.
export async function listDecided(
  db: Db,
  { before, limit }: { before?: Temporal.Instant | undefined; limit: number },
): Promise<ChangeRequest[]> {
  const until = before?.toString() ?? 'infinity'
  const { rows } = await sql<Row>`
    (select ${COLUMNS} from change_request where status <> 'waiting' and decided_at < ${until}::timestamptz
      order by decided_at desc limit ${limit})
    union all
    (select ${COLUMNS} from change_request
      where status = 'waiting' and expires_at <= service_now() and expires_at < ${until}::timestamptz
      order by expires_at desc limit ${limit})`.execute(db)
  const ended = ({ decidedAt, expiresAt }: ChangeRequest) => decidedAt ?? expiresAt
  const requests = rows.map(toRequest)
  return requests.sort((a, b) => Temporal.Instant.compare(ended(b), ended(a))).slice(0, limit)
}

// For the badge of the navigation.
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from change_request
     where status = 'waiting' and expires_at > service_now()`.execute(db)
  return rows[0]!.count
}

export async function listWaitingOf(db: Db, kind: ChangeKind, subject: string): Promise<ChangeRequest[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from change_request
     where status = 'waiting' and expires_at > service_now() and kind = ${kind} and subject = ${subject}
     order by created_at`.execute(db)
  return rows.map(toRequest)
}

// The hash is of what the caller has just carried out.
export async function markExecuted(
  tx: Tx,
  id: ChangeRequestId,
  { singlePerson, executed, ...checker }: Checker & { singlePerson: boolean; executed: Payload },
): Promise<void> {
  await sql`update change_request
               set status = 'executed', single_person = ${singlePerson}, executed_hash = ${hashOf(textOf(executed))},
                   ${decidedBy(checker)}
             where id = ${id}`.execute(tx)
}

export async function markRefused(tx: Tx, id: ChangeRequestId, checker: Checker): Promise<void> {
  await sql`update change_request set status = 'refused', ${decidedBy(checker)} where id = ${id}`.execute(tx)
}

interface Checker {
  actor: string
  origin: Origin | undefined
  staffId: string | null
}

function decidedBy({ actor, origin, staffId }: Checker) {
  return sql`checker = ${actor}, checker_origin = ${originJson(origin)}::jsonb, checker_staff = ${staffId},
             decided_at = service_now()`
}
