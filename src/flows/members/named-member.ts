import { sql } from 'kysely'
import type { Db } from '#base/db.ts'
import { isUuid } from '#base/ids.ts'
import { Refused } from '#flows/kit/refused.ts'
import { findAccount, findAccountByLogin, findLastAccount } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'

export interface NamedMember {
  memberId: string
  // The account that was named, or else the last. A person whom only partners know has none.
  account: Account | undefined
}

// As an operator names a member: by login id, or by the id of the member or of the account. A login id has at most 30
// characters, so it never looks like the others.
export async function findNamedMember(db: Db, name: string): Promise<NamedMember> {
  const found = isUuid(name) ? await byId(db, name) : await byLogin(db, name)
  if (!found) throw new Refused(`there is no member with the id ${name}`)
  return found
}

async function byLogin(db: Db, name: string): Promise<NamedMember | undefined> {
  const account = await findAccountByLogin(db, name)
  return account && { memberId: account.memberId, account }
}

async function byId(db: Db, id: string): Promise<NamedMember | undefined> {
  const account = await findAccount(db, id)
  if (account) return { memberId: account.memberId, account }
  const { rows } = await sql`select from member where id = ${id}`.execute(db)
  return rows.length > 0 ? { memberId: id, account: await findLastAccount(db, id) } : undefined
}
