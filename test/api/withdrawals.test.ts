import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { createFindEarlierRequest } from '#flows/withdrawals/find-earlier-request.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import {
  createCancelWithdrawal,
  type SettleCommand,
  settleWithdrawal,
} from '#flows/withdrawals/settle-withdrawal.ts'
import { createListWithdrawals } from '#flows/withdrawals/show-withdrawals.ts'
import {
  findWithdrawal,
  listWithdrawals,
  openDestination,
  rekeyWithdrawals,
} from '#modules/withdrawals/store.ts'
import { addAccount, addHolder, endWait, type Holder, testMetrics } from '#test/holders.ts'
import { revealDestination } from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'
import { watchTransactions } from '#test/transactions.ts'

const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner()
const deps = { database, keys, metrics: testMetrics() }
// Two processes.
const withdraws = [createRequestWithdrawal(deps), createRequestWithdrawal(deps)] as const
const cancel = createCancelWithdrawal(deps)
const list = createListWithdrawals(deps)

const destination = { bank: '088', account: '110123456789', holder: '홍길동' }

const accounts = new Map<string, Promise<string>>()
function accountOf(holderId: string): Promise<string> {
  const account = accounts.get(holderId) ?? addAccount(service, holderId)
  accounts.set(holderId, account)
  return account
}

async function request(
  { holderId }: Holder,
  changes: Partial<{ requestId: string; amount: bigint; account: string; process: 0 | 1 }> = {},
) {
  const { account = destination.account, process = 0, ...rest } = changes
  const accountId = await accountOf(holderId)
  const command = { holderId, accountId, requestId: newId(), amount: 10_000n, deviceLabel: '', ...rest }
  return withdraws[process]({ ...command, destination: { ...destination, account } })
}

async function requested(holder: Holder, amount = 10_000n): Promise<string> {
  const outcome = await request(holder, { amount })
  assert.ok(outcome.kind === 'requested')
  return outcome.withdrawal.id
}

const SEEN = {
  machine: 'm',
  boot: 'b',
  userNamespace: 'u',
  uid: 1,
  loginUid: 7,
  sudoUid: null,
  terminal: null,
}

async function settle(
  id: string,
  act: SettleCommand['act'],
  actor: string,
  origin?: typeof SEEN,
): Promise<string> {
  const who = origin ? { actor, origin } : { actor }
  const outcome = await settleWithdrawal(database, { id, act, ...who, reason: 'test' })
  return outcome.kind === 'done' ? outcome.withdrawal.status : outcome.reason
}

async function depositOf({ holderId }: Holder): Promise<bigint> {
  const { rows } = await database.pool.query(
    `select balance from account where holder_id = $1 and asset = 'KRW'`,
    [holderId],
  )
  return rows[0]?.balance ?? 0n
}

test('won leave at once; the same request is the same withdrawal, another under its name a conflict', async () => {
  const someone = await addHolder(service, partner, '홍길동', { KRW: 30_000n })
  const requestId = newId()
  const first = await request(someone, { requestId })
  assert.ok(first.kind === 'requested')
  assert.deepEqual([first.withdrawal.account, first.withdrawal.status], ['········6789', 'requested'])
  const again = await request(someone, { requestId })
  assert.ok(again.kind === 'again' && again.withdrawal.id === first.withdrawal.id)
  // Before anything is asked of the member, too: a replay that reads only would vouch for what a failover may lose.
  const { holderId } = someone
  const command = {
    holderId,
    accountId: await accountOf(holderId),
    requestId,
    amount: 10_000n,
    deviceLabel: '',
  }
  const wrote = await watchTransactions(database, async () => {
    const earlier = await createFindEarlierRequest(deps)({ ...command, destination })
    assert.ok(earlier?.kind === 'again' && earlier.withdrawal.id === first.withdrawal.id)
  })
  assert.deepEqual(wrote, [true])
  assert.deepEqual(await request(someone, { requestId, amount: 9_999n }), {
    kind: 'refused',
    reason: 'conflict',
  })
  assert.deepEqual(await request(someone, { requestId, account: '110123456780' }), {
    kind: 'refused',
    reason: 'conflict',
  })
  assert.equal(await depositOf(someone), 20_000n)
  assert.deepEqual(await request(someone, { amount: 20_001n }), { kind: 'refused', reason: 'insufficient' })
  assert.deepEqual(
    (await list(someone.holderId)).map(({ id, amount }) => [id, amount]),
    [[first.withdrawal.id, 10_000n]],
  )
})

test('somebody without a deposit has nothing to withdraw', async () => {
  const someone = await addHolder(service, partner, '빈손')
  assert.deepEqual(await request(someone), { kind: 'refused', reason: 'insufficient' })
})

test('the account is sealed in its row; a reveal is recorded', async () => {
  const someone = await addHolder(service, partner, '봉인', { KRW: 10_000n })
  const id = await requested(someone)
  const { rows } = await database.pool.query('select * from withdrawal where id = $1', [id])
  assert.ok(!rows[0].destination.includes('110123456789') && !rows[0].destination.includes('홍길동'))
  const command = { id, reason: 'to pay it', actor: 'first' }
  const revealed = await revealDestination(database, keys.vault(), command)
  assert.deepEqual(revealed.destination, destination)
  const audit = await database.pool.query(
    'select action, actor, details from audit_entry where subject = $1',
    [id],
  )
  assert.deepEqual(audit.rows, [
    { action: 'withdrawal.reveal', actor: 'first', details: { reason: 'to pay it' } },
  ])
})

test('one person approves, another pays', async () => {
  const someone = await addHolder(service, partner, '두 사람', { KRW: 10_000n })
  const id = await requested(someone)
  assert.equal(await settle(id, 'pay', 'second'), 'requested')
  assert.equal(await settle(id, 'approve', 'first', SEEN), 'approved')
  assert.equal(await settle(id, 'approve', 'second'), 'approved')
  assert.equal(await settle(id, 'pay', 'first'), 'same_person')
  // One person with a second account.
  assert.equal(await settle(id, 'pay', 'second', { ...SEEN, uid: 2 }), 'same_login')
  assert.equal((await cancel({ id, holderId: someone.holderId })).kind, 'refused')
  assert.ok((await listWithdrawals(database.db, undefined, 100)).some((one) => one.id === id))
  assert.equal(await settle(id, 'pay', 'second'), 'waits')
  await endWait(database, id)
  assert.equal(await settle(id, 'pay', 'second'), 'paid')
  assert.equal(await settle(id, 'pay', 'third'), 'paid')
  assert.equal(await settle(id, 'refuse', 'third'), 'paid')
  assert.equal(await settle(newId(), 'pay', 'first'), 'not_found')
  const { rows } = await database.pool.query(
    'select action, actor from audit_entry where subject = $1 order by id',
    [id],
  )
  assert.deepEqual(
    rows.map(({ action, actor }) => `${action} ${actor}`),
    ['withdrawal.approve first', 'withdrawal.pay second'],
  )
  // Behind the service's back, too.
  await assert.rejects(
    database.pool.query('update withdrawal set settled_by = approved_by where id = $1', [id]),
    { code: '23514' },
  )
})

test('refused or taken back, the won return, once', async () => {
  const someone = await addHolder(service, partner, '되돌림', { KRW: 20_000n })
  const { holderId } = someone
  const refused = await requested(someone)
  await settle(refused, 'approve', 'first')
  assert.equal(await settle(refused, 'refuse', 'first'), 'refused')
  assert.equal(await settle(refused, 'refuse', 'first'), 'refused')
  const cancelled = await requested(someone)
  const stranger = await addHolder(service, partner, '남')
  assert.deepEqual(await cancel({ id: cancelled, holderId: stranger.holderId }), {
    kind: 'refused',
    reason: 'not_found',
  })
  for (let i = 0; i < 2; i += 1) {
    const outcome = await cancel({ id: cancelled, holderId })
    assert.ok(outcome.kind === 'done' && outcome.withdrawal.status === 'cancelled')
  }
  assert.equal(await depositOf(someone), 20_000n)
})

test('a whole deposit asked for 30 times at once: one is granted; a request sent 30 times is one', async () => {
  const someone = await addHolder(service, partner, '서두름', { KRW: 10_000n })
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, i) => request(someone, { process: i % 2 ? 1 : 0 })),
  )
  assert.equal(all.filter(({ kind }) => kind === 'requested').length, 1)
  const other = await addHolder(service, partner, '되풀이', { KRW: 100_000n })
  const requestId = newId()
  const same = await Promise.all(
    Array.from({ length: 30 }, (_, i) => request(other, { requestId, process: i % 2 ? 1 : 0 })),
  )
  assert.equal(same.filter(({ kind }) => kind === 'requested').length, 1)
  assert.equal(same.filter(({ kind }) => kind === 'again').length, 29)
  assert.equal(await depositOf(other), 90_000n)
})

test('taken back and approved at the same time: one of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const someone = await addHolder(service, partner, `겨룸 ${round}`, { KRW: 10_000n })
    const id = await requested(someone)
    const [approved, taken] = await Promise.all([
      settle(id, 'approve', 'first'),
      cancel({ id, holderId: someone.holderId }),
    ])
    assert.ok((approved === 'approved') !== (taken.kind === 'done'), approved)
  }
})

test('destinations are sealed anew with the rest', async () => {
  const vault = keys.vault()
  const next = { ...vault, sealKeyId: 'e2', seal: () => Buffer.from('\u0002e2 sealed') }
  const first = { after: '00000000-0000-0000-0000-000000000000', limit: 2 }
  class Undo extends Error {}
  await assert.rejects(
    database.withTransaction(async (tx) => {
      let count = 0
      for (let chunk = await rekeyWithdrawals(tx, next, first); chunk; ) {
        count += chunk.count
        chunk = await rekeyWithdrawals(tx, next, { ...first, after: chunk.last })
      }
      const { rows } = await tx
        .selectFrom('withdrawal')
        .select('destination')
        .execute()
        .then((all) => ({ rows: all }))
      assert.equal(count, rows.length)
      assert.ok(rows.every(({ destination: sealed }) => sealed?.toString().startsWith('\u0002e2')))
      throw new Undo()
    }),
    Undo,
  )
  const [one] = await listWithdrawals(database.db, undefined, 1)
  const found = (await findWithdrawal(database.db, one!.id))!
  assert.deepEqual(openDestination(vault, found), destination)
})
