import { randomBytes, randomUUID } from 'node:crypto'
import { createVault } from '#base/vault.ts'
import { newHashKey } from '#modules/web-view/rules.ts'
import { TEST_RING } from './postgres.ts'
import type { TestPartner, TestService } from './service.ts'

export interface TestLink {
  id: string
  partnerKey: string
  // A new hash key, as the partner fetches it.
  hashKey(): Promise<string>
}

const vault = createVault(TEST_RING, { epoch: 1, encryption: 'e1', index: 'i1', nextIndex: null })

type Holdings = Partial<Record<'KRW_POINT' | 'KRW' | 'XAU' | 'XAG', bigint>>

// A person known to a partner, by SQL: signing up is tested elsewhere.
export async function addLink(
  service: TestService,
  { partner }: TestPartner,
  person: { name?: string; holds?: Holdings } = {},
): Promise<TestLink> {
  const { pool } = service.database
  const id = randomUUID()
  const memberId = randomUUID()
  const partnerKey = randomUUID()
  const details = { name: person.name ?? '홍길동', birthday: '19900131', nationality: 'K' }
  const sealed = vault.seal(
    { table: 'partner_user', column: 'details', row: id },
    JSON.stringify({ ...details, mdn: '01012345678', gender: 'F' }),
  )
  await pool.query(`insert into member (id, ci, created_at) values ($1, $2, service_now())`, [
    memberId,
    Buffer.alloc(1),
  ])
  await pool.query(
    `insert into partner_user (id, partner_id, partner_key, member_id, confirmed, registered_at, registered_by,
                               logins_after, details, details_hash, index_key, details_at)
     values ($1, $2, $3, $4, true, service_now(), 'test', service_now() - interval '1 microsecond', $5, $6, 'i1',
             service_now())`,
    [id, partner.id, partnerKey, memberId, sealed, randomBytes(32)],
  )
  for (const [asset, amount] of Object.entries(person.holds ?? {})) {
    await pool.query(
      `with held as (insert into account (kind, asset, member_id, floor) values ('holding', $1, $2, 0) returning id)
       insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
       select gen_random_uuid(), 'grant', $1, $3, source.id, held.id, service_now()
         from held, account source where source.kind = 'sandbox_grants' and source.asset = $1`,
      [asset, memberId, amount],
    )
    await pool.query(
      `update account set balance = balance + case when kind = 'holding' then $3 else -$3::bigint end
        where asset = $1 and (member_id = $2 or kind = 'sandbox_grants')`,
      [asset, memberId, amount],
    )
  }
  return {
    id,
    partnerKey,
    async hashKey() {
      const { key, hash } = newHashKey()
      await pool.query('select * from issue_hash_keys($1, $2, $3)', [[partner.id], [partnerKey], [hash]])
      return key.reveal()
    },
  }
}
