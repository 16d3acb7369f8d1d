import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { Origin } from '#base/origin.ts'
import { hoursToDecide } from './rules.ts'
import type { ChangeKind, ChangeRequest, ChangeRequestId, Payload } from './types.ts'

const COLUMNS =
  sql.raw(`id, kind, subject, payload, basis, maker, maker_origin as "makerOrigin", reason, created_at as "createdAt",
  expires_at as "expiresAt", status, checker, expires_at <= service_now() as "isExpired", payload_hash as hash`)

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
  reason: string
}

export async function insertRequest(tx: Tx, request: NewRequest): Promise<ChangeRequest> {
  const id = newId<'change request'>()
  const payload = textOf(request.payload)
  const { rows } = await sql<Row>`
    insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, maker_origin, reason,
                                created_at, expires_at)
    values (${id}, ${request.kind}, ${request.subject}, ${payload}, ${hashOf(payload)}, ${textOf(request.basis)},
            ${request.maker}, ${originJson(request.makerOrigin)}::jsonb, ${request.reason}, service_now(),
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
  { checker, origin, executed }: { checker: string; origin: Origin | undefined; executed: Payload },
): Promise<void> {
  await sql`update change_request
               set status = 'executed', checker = ${checker}, checker_origin = ${originJson(origin)}::jsonb, decided_at = service_now(),
                   executed_hash = ${hashOf(textOf(executed))}
             where id = ${id}`.execute(tx)
}

export async function markRefused(tx: Tx, id: ChangeRequestId, checker: string): Promise<void> {
  await sql`update change_request set status = 'refused', checker = ${checker}, decided_at = service_now()
             where id = ${id}`.execute(tx)
}
