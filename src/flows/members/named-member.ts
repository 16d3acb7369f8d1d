import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { isUuid } from '#base/ids.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { findAccount, findAccountByLogin, findLastAccount } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'

// member: as the operator named it.
export type NoMember = Refusal<'member_not_found', { member: string }>

interface NamedMember {
  kind: 'found'
  memberId: string
  // The account that was named, or else the last. A person whom only partners know has none.
  account: Account | undefined
}

// As an operator names a member: by login id, or by the id of the member or of the account. A login id has at most 30
// characters, so it never looks like the others.
export async function findNamedMember(db: Db, name: string): Promise<NamedMember | NoMember> {
  const found = isUuid(name) ? await byId(db, name) : await byLogin(db, name)
  return found ?? refused('member_not_found', { member: name })
}

async function byLogin(db: Db, name: string): Promise<NamedMember | undefined> {
  const account = await findAccountByLogin(db, name)
  return account && { kind: 'found', memberId: account.memberId, account }
}

async function byId(db: Db, id: string): Promise<NamedMember | undefined> {
  const account = await findAccount(db, id)
  if (account) return { kind: 'found', memberId: account.memberId, account }
  const { rows } = await sql`select from member where id = ${id}`.execute(db)
  return rows.length > 0 ? { kind: 'found', memberId: id, account: await findLastAccount(db, id) } : undefined
}
