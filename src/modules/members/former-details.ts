import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import type { LinkId } from './types.ts'

// Details of partners' users that later ones replaced.

const SHOWN = 50 // as for trace numbers

export interface FormerDetails {
  details: Buffer
  toldAt: Temporal.Instant
  replacedAt: Temporal.Instant
  replacedBy: string
}

export async function listFormerDetails(db: Db, id: LinkId): Promise<FormerDetails[]> {
  const { rows } = await sql<FormerDetails>`
    select details, told_at as "toldAt", replaced_at as "replacedAt", replaced_by as "replacedBy"
      from former_details where partner_user_id = ${id} order by replaced_at desc limit ${SHOWN}`.execute(db)
  return rows
}

// Five years, as the law has it for records of contracts.
export const deleteOldFormerDetails = deleteOld(
  'former_details',
  "replaced_at < service_now() - interval '5 years'",
)
