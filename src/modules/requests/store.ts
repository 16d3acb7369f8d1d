import { type RawBuilder, sql } from 'kysely'
import { asciiArray, bigintArray, intArray, uuidArray } from '#base/db/binary-arrays.ts'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { KEPT_DAYS } from './rules.ts'
import type { KeptRequest, RequestObject, RequestRecord } from './types.ts'

// The database's clock, less how long ago each one came. A batch whose answer was lost is sent again.
const INSERT = {
  name: 'insert_api_requests',
  text: `with clock as materialized (select service_now() as now)
    insert into api_request (id, at, audience, method, route, status, code, reason, ms, partner_id, key_id, staff_id, member_id,
                             object_kind, object_id)
    select r.id, clock.now - r.age * interval '1 microsecond', r.audience, r.method, r.route, r.status, r.code, r.reason, r.ms,
           r.partner_id, r.key_id, r.staff_id, r.member_id, r.object_kind, r.object_id
      from clock, unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::int[],
                         $10::int[], $11::text[], $12::uuid[], $13::uuid[], $14::text[], $15::text[])
             as r (id, age, audience, method, route, status, code, reason, ms, partner_id, key_id, staff_id, member_id,
                   object_kind, object_id)
    on conflict (id) do nothing`,
}

export async function insertRequests(
  database: Database,
  records: readonly RequestRecord[],
  nowMs: number,
): Promise<void> {
  await database.writeOnce(INSERT, [
    asciiArray(records, (r) => r.id),
    bigintArray(records, (r) => BigInt(Math.round((nowMs - r.receivedAt) * 1000))),
    asciiArray(records, (r) => r.audience),
    asciiArray(records, (r) => r.method),
    asciiArray(records, (r) => r.route),
    intArray(records, (r) => r.status),
    asciiArray(records, (r) => r.code),
    asciiArray(records, (r) => r.reason),
    intArray(records, (r) => Math.round(r.ms)),
    intArray(records, (r) => r.partnerId),
    asciiArray(records, (r) => r.keyId),
    uuidArray(records, (r) => r.staffId),
    uuidArray(records, (r) => r.memberId),
    asciiArray(records, (r) => r.object?.kind ?? null),
    asciiArray(records, (r) => r.object?.id ?? null),
  ])
}

interface Row extends Omit<KeptRequest, 'object' | 'partner'> {
  partnerCode: string | null
  partnerName: string | null
  objectKind: RequestObject['kind'] | null
  objectId: string | null
}

const COLUMNS = sql`
  r.id, r.at, r.audience, r.method, r.route, r.status, r.code, r.reason, r.ms, r.partner_id as "partnerId", r.key_id as "keyId",
  r.staff_id as "staffId", r.member_id as "memberId", r.object_kind as "objectKind", r.object_id as "objectId",
  p.code as "partnerCode", p.name as "partnerName", s.email as staff`
const OTHERS = sql`left join partner p on p.id = r.partner_id left join staff s on s.id = r.staff_id`

function toRequest({ partnerCode, partnerName, objectKind, objectId, ...request }: Row): KeptRequest {
  return {
    ...request,
    partner: partnerCode === null ? null : { code: partnerCode, name: partnerName! },
    object: objectKind === null ? null : { kind: objectKind, id: objectId! },
  }
}

export async function findApiRequest(db: Db, id: string): Promise<KeptRequest | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from api_request r ${OTHERS} where r.id = ${id}`.execute(db)
  return rows[0] && toRequest(rows[0])
}

export interface RequestsPage {
  // In microseconds: those that came before.
  before: string | undefined
  limit: number
  // Of these only, by whom they were asked.
  partnerId?: number | null
}

// Requests about an object, newest first, by index. `notOf`: those of this member's own sessions are left out.
export function listRequestsAbout(
  db: Db,
  { object, notOf = null }: { object: RequestObject; notOf?: string | null },
  page: RequestsPage,
): Promise<KeptRequest[]> {
  const isWanted = sql`r.object_id = ${object.id} and r.object_kind = ${object.kind}
    and (${notOf}::uuid is null or r.member_id is distinct from ${notOf}::uuid)`
  return listNewest(db, isWanted, page)
}

// Requests of a member's own sessions.
export function listRequestsOfMember(db: Db, memberId: string, page: RequestsPage): Promise<KeptRequest[]> {
  return listNewest(db, sql`r.member_id = ${memberId}`, page)
}

async function listNewest(
  db: Db,
  isWanted: RawBuilder<unknown>,
  { before, limit, partnerId = null }: RequestsPage,
): Promise<KeptRequest[]> {
  const isBefore =
    before === undefined
      ? sql`true`
      : sql`r.at < timestamptz 'epoch' + ${before}::bigint * interval '1 microsecond'`
  const { rows } = await sql<Row>`
    select ${COLUMNS} from api_request r ${OTHERS}
     where ${isWanted} and ${isBefore} and (${partnerId}::int is null or r.partner_id = ${partnerId}::int)
     order by r.at desc limit ${limit}`.execute(db)
  return rows.map(toRequest)
}

export const deleteOldRequests = deleteOld('api_request', `at < service_now() - interval '${KEPT_DAYS} days'`)

// With a member's erasure: what their sessions asked, and what was asked about the account.
export async function deleteRequestsOf(tx: Tx, memberId: string): Promise<void> {
  await sql`delete from api_request where member_id = ${memberId}`.execute(tx)
  await sql`delete from api_request where object_id = ${memberId} and object_kind = 'member'`.execute(tx)
}
