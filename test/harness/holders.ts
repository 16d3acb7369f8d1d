import { newId } from '#base/ids.ts'
import { createMetrics } from '#base/metrics.ts'
import { grantAssets } from '#flows/grant-assets.ts'
import { findGrantAccount, openHolding, postTransfers } from '#modules/ledger/store.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { ASSET, SIGNUP, signupOf } from './people.ts'
import type { TestPartner, TestService } from './service.ts'

export interface Holder {
  userKey: string
  holderId: string
}

// Someone whom a partner has signed up, with something to hold.
export async function addHolder(
  service: TestService,
  partner: TestPartner,
  name: string,
  amounts: Partial<Record<Asset, bigint>> = {},
): Promise<Holder> {
  const { code } = partner.partner
  const { userKey } = (await partner.post(SIGNUP, signupOf(code, name))).body
  const { rows } = await service.database.pool.query(
    'select member_id from partner_user where partner_key = $1',
    [userKey],
  )
  if (Object.keys(amounts).length > 0) {
    await grantAssets(service.database, { partner: code, partnerKey: userKey, amounts, actor: 'test' })
  }
  return { userKey, holderId: rows[0].member_id }
}

export async function assetsOf(partner: TestPartner, { userKey }: Holder) {
  return (await partner.post(ASSET, { partner: partner.partner.code, partnerKey: userKey })).body
}

export function testMetrics() {
  return createMetrics(() => ({ total: 0, idle: 0, waiting: 0 }))
}

// Won in a member's deposit.
export async function giveDeposit(service: TestService, loginId: string, amount: bigint): Promise<void> {
  const { database } = service
  const { rows } = await database.pool.query('select member_id from member_account where login_id = $1', [
    loginId,
  ])
  await database.withTransaction(async (tx) => {
    const credit = await openHolding(tx, rows[0].member_id, 'KRW')
    const debit = await findGrantAccount(tx, 'KRW')
    await postTransfers(tx, 'grant', [{ groupId: newId<'grant'>(), cardId: null, debit, credit, amount }])
  })
}
