import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import type { MemberId } from './types.ts'

// Under the shared lock of the keys: the hash is by the index key in force.
export async function findMemberByCi(db: Db, hash: Buffer): Promise<MemberId | undefined> {
  const { rows } = await sql<{ id: MemberId }>`
    select c.member_id as id from installation i
      join member_ci c on c.key_id = i.index_key and c.hmac = ${hash}`.execute(db)
  return rows[0]?.id
}

export interface FreshMember {
  id: MemberId
  ci: Buffer
  ciHash: { current: Buffer; next: Buffer | null }
}

// The person of this CI, or a new member. As in sign_up_partner_users, the second of two inserts nothing and gets the
// member of the first. While a rotation runs, the person is indexed under both keys. Undefined if the first has just
// been rolled back: the transaction starts again.
export async function findOrMakeMember(tx: Tx, fresh: FreshMember): Promise<MemberId | undefined> {
  const { current, next } = fresh.ciHash
  const made = await sql`
    insert into member_ci (key_id, hmac, member_id)
    select index_key, ${current}, ${fresh.id} from installation
    on conflict do nothing`.execute(tx)
  const isNew = made.numAffectedRows === 1n
  const id = isNew ? fresh.id : await findMemberByCi(tx, current)
  if (id === undefined) return undefined
  if (isNew)
    await sql`insert into member (id, ci, created_at) values (${id}, ${fresh.ci}, service_now())`.execute(tx)
  if (next) {
    await sql`insert into member_ci (key_id, hmac, member_id)
      select next_index_key, ${next}, ${id} from installation where next_index_key is not null
      on conflict do nothing`.execute(tx)
  }
  return id
}
