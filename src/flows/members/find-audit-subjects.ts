import { sql } from 'kysely'
import type { Db } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { findNamedMember } from '#flows/members/named-member.ts'
import { findPartner, listKeys } from '#modules/partners/store.ts'

// The names under which the audit log has a thing. An entry is about one card, key, link, account or withdrawal; a
// question about a member or a partner means all of theirs.
export async function findAuditSubjects(
  db: Db,
  { kind, id }: { kind: 'about' | 'member' | 'partner'; id: string },
): Promise<string[]> {
  if (kind === 'about') return [id]
  if (kind === 'member') return subjectsOfMember(db, id)
  const partner = await findPartner(db, id)
  if (!partner) throw new Refused(`there is no partner ${id}`)
  const keys = await listKeys(db, partner.id)
  return [partner.code, ...keys.map((key) => key.id)]
}

async function subjectsOfMember(db: Db, name: string): Promise<string[]> {
  const { memberId } = await findNamedMember(db, name)
  const { rows } = await sql<{ id: string }>`
    select id::text from member_account where member_id = ${memberId}
    union all select id::text from partner_user where member_id = ${memberId}
    union all select id::text from withdrawal where holder_id = ${memberId}`.execute(db)
  return [memberId, ...rows.map(({ id }) => id)]
}
