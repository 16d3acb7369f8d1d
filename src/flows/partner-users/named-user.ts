import type { Db, Tx } from '#base/db/db.ts'
import { type NoPartner, type Refusal, refused } from '#flows/kit/outcome.ts'
import { findUser, lockUser } from '#modules/members/store.ts'
import type { PartnerUser } from '#modules/members/types.ts'
import { storedKey } from '#modules/partners/rules.ts'
import { findPartner } from '#modules/partners/store.ts'

// A user as an operator names one: by the partner's code and the partner key.
export interface UserName {
  partner: string
  partnerKey: string
}

export type NoUser = NoPartner | Refusal<'user_not_found', { partner: string }>

type NamedUser = { kind: 'found'; user: PartnerUser } | NoUser

export function findNamedUser(db: Db, name: UserName): Promise<NamedUser> {
  return byName(db, name, (partnerId, key) => findUser(db, partnerId, key))
}

export function lockNamedUser(tx: Tx, name: UserName): Promise<NamedUser> {
  return byName(tx, name, (partnerId, key) => lockUser(tx, partnerId, key))
}

async function byName(
  db: Db,
  { partner, partnerKey }: UserName,
  read: (partnerId: number, key: string) => Promise<PartnerUser | undefined>,
): Promise<NamedUser> {
  const found = await findPartner(db, partner)
  if (!found) return refused('partner_not_found', { partner })
  const user = await read(found.id, storedKey(found.keyFormat, partnerKey))
  return user ? { kind: 'found', user } : refused('user_not_found', { partner })
}
