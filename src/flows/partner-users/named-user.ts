import type { Db, Tx } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { findUser, lockUser } from '#modules/members/store.ts'
import type { PartnerUser } from '#modules/members/types.ts'
import { storedKey } from '#modules/partners/rules.ts'
import { findPartner } from '#modules/partners/store.ts'

// A user as an operator names one: by the partner's code and the partner key.
export interface UserName {
  partner: string
  partnerKey: string
}

export async function findNamedUser(db: Db, name: UserName): Promise<PartnerUser> {
  const { id, key } = await stored(db, name)
  return orRefuse(name, await findUser(db, id, key))
}

export async function lockNamedUser(tx: Tx, name: UserName): Promise<PartnerUser> {
  const { id, key } = await stored(tx, name)
  return orRefuse(name, await lockUser(tx, id, key))
}

async function stored(db: Db, { partner, partnerKey }: UserName): Promise<{ id: number; key: string }> {
  const found = await findPartner(db, partner)
  if (!found) throw new Refused(`there is no partner ${partner}`)
  return { id: found.id, key: storedKey(found.keyFormat, partnerKey) }
}

function orRefuse({ partner }: UserName, user: PartnerUser | undefined): PartnerUser {
  if (!user) throw new Refused(`${partner} has no user with that key`)
  return user
}
