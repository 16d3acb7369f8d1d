import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { addAccount, addHolder, endWait, testMetrics } from '#test/holders.ts'
import { TEST_RING_FILE, TEST_RING_STORE } from '#test/postgres.ts'
import { ingot, temporaryFolder } from '#test/process.ts'
import { startService } from '#test/service.ts'

// Prices and withdrawals from the command line, beside a running server.
const service = await startService()
const folder = temporaryFolder()
const ring = join(folder.path, 'ring.json')
writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
const settings = { DATABASE_URL: service.on.url, DATA_DIR: folder.path, KEY_RING_FILE: ring }
test.after(() => folder.remove())

async function json(...args: string[]) {
  const { code, stdout, stderr } = await ingot(settings, ...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await ingot(settings, ...args)
  assert.notEqual(code, 0)
  return stderr
}

const why = ['--reason', 'test'] as const

const shown = async () => (await json('price', 'show'))[0]

test('one operator cannot give metal away: a price by hand and better terms wait for another', async () => {
  const before = await shown()
  const terms = ['--spread-bps', '0', '--fee-bps', '0', '--max-age', '86400'] as const
  await json('price', 'terms', 'gold', ...terms, ...why)
  const { id } = await json('price', 'set', 'gold', '100000', '--force', ...why)
  const { ageSeconds: _, ...after } = await shown()
  assert.deepEqual({ ...after, ageSeconds: before.ageSeconds }, before)
  assert.match(await refused('price', 'approve', id), /another person/)
  assert.deepEqual((await json('price', 'pending')).length, 2)
  assert.equal((await json('price', 'refuse', id)).status, 'refused')
  assert.match(await refused('price', 'approve', id, '--as', 'second'), /it was refused/)
})

test('two people set a price and better terms; one is enough for caution', async () => {
  const set = await json('price', 'set', 'gold', '200000', ...why)
  assert.deepEqual([set.status, set.wonPerGram], ['waiting', 200_000])
  const approved = await json('price', 'approve', set.id, '--as', 'second')
  assert.deepEqual([approved.status, approved.checker.endsWith(' as second')], ['executed', true])
  const asked = await json('price', 'terms', 'gold', '--spread-bps', '50', '--fee-bps', '0', ...why)
  assert.deepEqual([asked.status, asked.spreadBps, asked.maxAgeSeconds], ['waiting', 50, 300])
  await json('price', 'approve', asked.id, '--as', 'second', ...why)
  const cautious = await json('price', 'terms', 'gold', '--max-age', '60', ...why)
  assert.deepEqual(cautious, { metal: 'gold', spreadBps: 50, feeBps: 0, maxAgeSeconds: 60 })
  assert.deepEqual(await json('price', 'stop', ...why), { stopped: true })
  const [gold, silver] = await json('price', 'show')
  assert.deepEqual([gold.trading, silver.trading], ['stopped', 'stopped'])
  assert.deepEqual([gold.reference, gold.ask, gold.bid, gold.spreadBps], [200_000, 200_500, 199_500, 50])
  assert.deepEqual([gold.source, silver.source], ['operator', 'seed'])
  assert.deepEqual(await json('price', 'resume', ...why), { stopped: false })
  assert.match(await refused('price', 'set', 'tin', '1', ...why), /gold or silver/)
  assert.match(await refused('price', 'set', 'gold', '1'), /--reason/)
  assert.match(await refused('price', 'terms', 'gold', ...why), /what to change/)
  assert.match(await refused('price', 'approve', 'x'), /named by its id/)
  assert.match(await refused('partner', 'approve', set.id), /no such request/)
  const { rows } = await service.database.pool.query(
    `select action from audit_entry where subject in ('XAU', 'trading') order by id`,
  )
  assert.deepEqual(rows.map(({ action }) => action).slice(2), [
    ...['price.request', 'price.set', 'trading.terms.request', 'trading.terms', 'trading.terms'],
    ...['trading.stop', 'trading.resume'],
  ])
})

test('a withdrawal is listed, revealed, approved by one and paid by another', async () => {
  const { database } = service
  const partner = await service.addPartner()
  const { holderId } = await addHolder(service, partner, '홍길동', { KRW: 50_000n })
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const destination = { bank: '088', account: '110123456789', holder: '홍길동' }
  const accountId = await addAccount(service, holderId)
  const command = { holderId, accountId, requestId: newId(), amount: 10_000n, destination, deviceLabel: '' }
  const outcome = await createRequestWithdrawal({ database, keys, metrics: testMetrics() })(command)
  assert.ok(outcome.kind === 'requested')
  const { id } = outcome.withdrawal
  const [listed] = await json('withdrawal', 'list')
  assert.deepEqual([listed.id, listed.amount, listed.account], [id, 10_000, '········6789'])
  assert.match(await refused('withdrawal', 'show', id, '--reveal'), /--reason/)
  const shown = await json('withdrawal', 'show', id, '--reveal', ...why)
  assert.deepEqual([shown.account, shown.holder], ['110123456789', '홍길동'])
  const told = shown.notices.map(({ purpose, status }: Record<string, string>) => [purpose, status])
  assert.deepEqual(told, [['payout_account', 'queued']])
  assert.equal((await json('withdrawal', 'approve', id, ...why)).status, 'approved')
  assert.match(await refused('withdrawal', 'pay', id, ...why), /another person/)
  assert.match(await refused('withdrawal', 'pay', id, '--as', 'second', ...why), /it waits.* until \d{4}-/)
  await endWait(database, id)
  assert.equal((await json('withdrawal', 'pay', id, '--as', 'second', ...why)).status, 'paid')
  assert.match(await refused('withdrawal', 'refuse', id, ...why), /paid already/)
  assert.equal((await json('withdrawal', 'list', '--status', 'paid')).length, 1)
  assert.deepEqual(await json('withdrawal', 'list'), [])
})

test('in a sandbox the second person may be named in the same call', async () => {
  const set = await json('price', 'set', 'silver', '2500', '--force', ...why, '--as', 'second')
  assert.equal(set.status, 'executed')
  const terms = await json('price', 'terms', 'silver', '--spread-bps', '10', ...why, '--as', 'second')
  assert.equal(terms.spreadBps, 10)
  const silver = (await json('price', 'show'))[1]
  assert.deepEqual([silver.reference, silver.spreadBps], [2_500, 10])
  const pending: { subject: string }[] = await json('price', 'pending')
  assert.ok(pending.every(({ subject }) => subject !== 'XAG'))
})
