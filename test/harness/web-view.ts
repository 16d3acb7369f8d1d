import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { HashKey, PartnerUser, RegisteredUser } from '#contract/partner.gen.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { grantAssets } from './operator.ts'
import { ciOf, HASH, personOf, SIGNUP, signupOf } from './people.ts'
import type { TestPartner, TestService } from './service.ts'

export interface TestLink {
  partner: string
  partnerKey: string
  // A new hash key, as the partner fetches it.
  hashKey(): Promise<string>
}

interface NewLink {
  name?: string
  ci?: string
  holds?: Partial<Record<Asset, bigint>>
}

// A person whom nobody knew before, registered by a partner.
export async function addLink(
  service: TestService,
  partner: TestPartner,
  { name = '홍길동', ci = ciOf(randomUUID()), holds }: NewLink = {},
): Promise<TestLink> {
  const { code } = partner.partner
  const userInfo = { ...personOf(name), ci }
  const signup = await partner.post(SIGNUP, signupOf(code, name, { userInfo }))
  assert.equal(signup.status, 200)
  const { userKey }: RegisteredUser = signup.body
  const link: PartnerUser = { partner: code, partnerKey: userKey }
  if (holds) await grantAssets(service.database, { ...link, amounts: holds, actor: 'test' })
  return {
    ...link,
    async hashKey() {
      const answer = await partner.post(HASH, link)
      assert.equal(answer.status, 200)
      const { hashKey }: HashKey = answer.body
      return hashKey
    },
  }
}
