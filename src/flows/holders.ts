import type { Db } from '#base/db.ts'

// Whose what was asked for under these names is: a member's own, and that of the links which the member has confirmed.
export async function holdersOf(db: Db, holderId: string): Promise<string[]> {
  const links = await db
    .selectFrom('partner_user')
    .select('id')
    .where('member_id', '=', holderId)
    .where('confirmed', '=', true)
    .execute()
  return [holderId, ...links.map(({ id }) => id)]
}

// Who holds now what a link held: the link itself, or its member once that has confirmed it.
export async function presentHolder(db: Db, holderId: string): Promise<string> {
  const link = await db
    .selectFrom('partner_user')
    .select('member_id')
    .where('id', '=', holderId)
    .where('confirmed', '=', true)
    .executeTakeFirst()
  return link?.member_id ?? holderId
}
