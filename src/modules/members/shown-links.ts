import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import type { LinkId, MemberId, PartnerUser } from './types.ts'

// A link as the operator sees it: with its partner and the partner's key for the person.
export interface ShownLink {
  id: LinkId
  partner: string
  partnerName: string
  partnerKey: string
  status: PartnerUser['status']
  confirmed: boolean
  registeredAt: Temporal.Instant
  registeredBy: string
  decidedAt: Temporal.Instant | null
}

const COLUMNS =
  sql.raw(`u.id, p.code as partner, p.name as "partnerName", u.partner_key as "partnerKey", u.status, u.confirmed,
  u.registered_at as "registeredAt", u.registered_by as "registeredBy", u.decided_at as "decidedAt"`)

// One for each partner that knows the person.
export async function listShownLinks(db: Db, memberId: string): Promise<ShownLink[]> {
  const { rows } = await sql<ShownLink>`
    select ${COLUMNS} from partner_user u join partner p on p.id = u.partner_id
     where u.member_id = ${memberId} order by u.registered_at, u.id`.execute(db)
  return rows
}

export interface ShownUser extends ShownLink {
  partnerId: number
  memberId: MemberId
  // Whose assets the link means.
  holderId: string
  details: Buffer
  detailsAt: Temporal.Instant
  now: Temporal.Instant
}

export async function findShownUser(db: Db, id: string): Promise<ShownUser | undefined> {
  const { rows } = await sql<ShownUser>`
    select ${COLUMNS}, u.partner_id as "partnerId", u.member_id as "memberId", u.details, u.details_at as "detailsAt",
           link_holder(u.confirmed, u.member_id, u.id) as "holderId", service_now() as now
      from partner_user u join partner p on p.id = u.partner_id where u.id = ${id}`.execute(db)
  return rows[0]
}
