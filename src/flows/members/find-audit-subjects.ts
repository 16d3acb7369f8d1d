import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { type NoPartner, refused } from '#flows/kit/outcome.ts'
import { findNamedMember, type NoMember } from '#flows/members/named-member.ts'
import { findPartner, listKeys } from '#modules/partners/store.ts'

export type SubjectsRefusal = NoMember | NoPartner

type SubjectsOutcome = { kind: 'found'; subjects: string[] } | SubjectsRefusal

// The names under which the audit log has a thing. An entry is about one card, key, link, account or withdrawal; a
// question about a member or a partner means all of theirs.
export async function findAuditSubjects(
  db: Db,
  { kind, id }: { kind: 'about' | 'member' | 'partner'; id: string },
): Promise<SubjectsOutcome> {
  if (kind === 'about') return { kind: 'found', subjects: [id] }
  if (kind === 'member') return subjectsOfMember(db, id)
  const partner = await findPartner(db, id)
  if (!partner) return refused('partner_not_found', { partner: id })
  const keys = await listKeys(db, partner.id)
  return { kind: 'found', subjects: [partner.code, ...keys.map((key) => key.id)] }
}

async function subjectsOfMember(db: Db, name: string): Promise<SubjectsOutcome> {
  const named = await findNamedMember(db, name)
  if (named.kind === 'refused') return named
  const { memberId } = named
  const { rows } = await sql<{ id: string }>`
    select id::text from member_account where member_id = ${memberId}
    union all select id::text from partner_user where member_id = ${memberId}
    union all select id::text from withdrawal where holder_id = ${memberId}`.execute(db)
  return { kind: 'found', subjects: [memberId, ...rows.map(({ id }) => id)] }
}
