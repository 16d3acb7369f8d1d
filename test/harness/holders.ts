import { createMetrics } from '#base/metrics.ts'
import { grantAssets } from '#flows/grant-assets.ts'
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
