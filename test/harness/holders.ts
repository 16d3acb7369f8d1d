import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createMetrics } from '#app/metrics.ts'
import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { findGrantAccount, openHolding, postTransfers } from '#modules/ledger/store.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { grantAssets } from './operator.ts'
import { ASSET, SIGNUP, signupOf } from './people.ts'
import { TEST_RING_STORE } from './postgres.ts'
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

let accounts = 0

// An account of the holder's own, as if they had signed up on our pages: withdrawals are asked for there. Whoever logs in
// needs a member (test/harness/member.ts).
export async function addAccount(
  { database }: Pick<TestService, 'database'>,
  holderId: string,
  mdn = '01055550000',
): Promise<string> {
  accounts += 1
  const id = newId()
  const vault = (await openVaultKeeper(database, TEST_RING_STORE)).vault()
  const details = { name: '홍길동', birthday: '19900101', nationality: 'K', mdn, gender: 'M' }
  const place = { table: 'member_account', column: 'details', row: id }
  await database.pool.query(
    `insert into member_account (id, member_id, login_id, password, password_changed_at, details, created_at, logins_after)
     select $1, $2, $3, '$argon2id$none', long_ago, $4, long_ago, long_ago
       from (select service_now() - interval '1 year' as long_ago) t`,
    [id, holderId, `holder${accounts}`, vault.seal(place, JSON.stringify(details))],
  )
  await database.pool.query(
    `insert into member_consent (account_id, terms_id, agreed, at)
     select $1, unnest(array['service', 'privacy']), true, service_now()`,
    [id],
  )
  return id
}

// A worker may have counted the withdrawal on its day already.
const MOVE_FIGURE = `
  with counted as (
    select seoul_date(w.requested_at) as day, w.amount from withdrawal w join transfer t on t.group_id = w.id
     where w.id = $1 and t.kind = 'withdraw' and t.id <= (select through_id from figure_source where source = 'transfer')),
  left_over as (
    update withdrawal_day f set withdrawals = f.withdrawals - 1, won = f.won - c.amount
      from counted c where f.day = c.day and f.outcome = 'requested')
  insert into withdrawal_day (day, outcome, withdrawals, won) select day - 2, 'requested', 1, amount from counted
  on conflict (day, outcome) do update
     set withdrawals = withdrawal_day.withdrawals + 1, won = withdrawal_day.won + excluded.won`

// As if a withdrawal had been asked for two days before: what keeps its wait from being changed is turned off for this.
export async function endWait({ pool }: Pick<Database, 'pool'>, id: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(`select from figure_source where source = 'transfer' for update`)
    await client.query(MOVE_FIGURE, [id])
    await client.query('delete from withdrawal_day where withdrawals = 0')
    await client.query(
      `update withdrawal set requested_at = requested_at - interval '2 days',
              payable_after = payable_after - interval '2 days' where id = $1`,
      [id],
    )
    await client.query(
      `update transfer set at = at - interval '2 days' where group_id = $1 and kind = 'withdraw'`,
      [id],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

export async function assetsOf(partner: TestPartner, { userKey }: Holder) {
  return (await partner.post(ASSET, { partner: partner.partner.code, partnerKey: userKey })).body
}

export function testMetrics() {
  return createMetrics()
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
