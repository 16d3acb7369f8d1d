import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDecideLink } from '#flows/partner-users/decide-link.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { addMember, BEHIND_PROXY, newPerson, userInfoOf } from '#test/member.ts'
import { grantAssets } from '#test/operator.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { startService } from '#test/service.ts'

// What a link holds becomes its member's. In a sandbox, where links are confirmed at once, so it is taken back first.
const service = await startService(BEHIND_PROXY)
const { database } = service
const partner = await service.addPartner()
const { code } = partner.partner
const decide = createDecideLink(database)

async function heldByLink(holds: Partial<Record<Asset, bigint>>) {
  const { person } = await addMember(service, newPerson())
  const { userKey } = (await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))).body
  const { rows } = await database.pool.query(
    'update partner_user set confirmed = false where partner_key = $1 returning id, member_id',
    [userKey],
  )
  const [{ id: linkId, member_id: memberId }] = rows
  await grantAssets(database, { partner: code, partnerKey: userKey, amounts: holds, actor: 'test' })
  return { linkId, memberId, named: { partner: code, partnerKey: userKey } }
}

async function holdings(holder: string) {
  const { rows } = await database.pool.query(
    'select asset, balance::text, cost::text from account where holder_id = $1 and (balance > 0 or cost > 0) order by asset',
    [holder],
  )
  return rows.map(({ asset, balance, cost }) => [asset, balance, cost])
}

for (const decision of ['confirm', 'refuse'] as const) {
  test(`${decision}: everything moves, with what it cost, onto what is there`, async () => {
    const { linkId, memberId, named } = await heldByLink({ KRW_POINT: 5n, KRW: 7n, XAU: 30n })
    await database.pool.query(`update account set cost = 900 where holder_id = $1 and asset = 'XAU'`, [
      linkId,
    ])
    assert.deepEqual(await decide({ memberId, linkId, decision }), { kind: 'decided' })
    assert.deepEqual(await holdings(linkId), [])
    const moved = [
      ['KRW', '7', '0'],
      ['KRW_POINT', '5', '0'],
      ['XAU', '30', '900'],
    ]
    assert.deepEqual(await holdings(memberId), moved)
    const { rows } = await database.pool.query(
      `select count(*)::int as count, count(distinct t.group_id)::int as groups from transfer t
         join account a on a.id = t.debit_account where t.kind = 'join' and a.holder_id = $1`,
      [linkId],
    )
    assert.deepEqual(rows, [{ count: 3, groups: 1 }])
    // What is granted to a decided link is the member's.
    await grantAssets(database, { ...named, amounts: { KRW: 1n }, actor: 'test' })
    assert.deepEqual((await holdings(memberId))[0], ['KRW', '8', '0'])
    assert.deepEqual(await decide({ memberId, linkId, decision }), { kind: 'decided' })
    // No order tells of that cost, and the books are looked at in the end.
    await database.pool.query('update account set cost = 0 where holder_id = $1', [memberId])
  })
}

test('an order that opens an account while the member decides: all of it goes along', async () => {
  const { linkId, memberId } = await heldByLink({ XAU: 100n })
  const client = await database.pool.connect()
  try {
    // As a sale does: what is sold is held, and what it brings has no account yet.
    await client.query('begin')
    await client.query('select from account where holder_id = $1 for no key update', [linkId])
    const decided = decide({ memberId, linkId, decision: 'confirm' })
    await sleep(200)
    await client.query(
      `with opened as (insert into account (kind, asset, floor, holder_id) values ('holding', 'KRW', 0, $1) returning id)
       select from opened`,
      [linkId],
    )
    await client.query(
      `select post_transfers('grant', service_now(), array[gen_random_uuid()], array[null::uuid],
         array[g.id], array[a.id], array[40::bigint])
         from account a, account g
        where a.holder_id = $1 and a.asset = 'KRW' and g.kind = 'sandbox_grants' and g.asset = 'KRW'`,
      [linkId],
    )
    await client.query('commit')
    assert.deepEqual(await decided, { kind: 'decided' })
  } finally {
    client.release()
  }
  assert.deepEqual(
    [await holdings(linkId), await holdings(memberId)],
    [
      [],
      [
        ['KRW', '40', '0'],
        ['XAU', '100', '0'],
      ],
    ],
  )
})
