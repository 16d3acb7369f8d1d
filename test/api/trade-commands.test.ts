import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { createRequestWithdrawal } from '#flows/request-withdrawal.ts'
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

test('prices are shown, set and stopped; terms are changed', async () => {
  assert.equal((await json('price', 'set', 'gold', '200000', ...why)).wonPerGram, 200_000)
  const terms = await json(
    'price',
    'terms',
    'gold',
    '--spread-bps',
    '50',
    '--fee-bps',
    '0',
    '--max-age',
    '60',
    ...why,
  )
  assert.deepEqual(terms, { metal: 'gold', spreadBps: 50, feeBps: 0, maxAgeSeconds: 60 })
  assert.deepEqual(await json('price', 'stop', ...why), { stopped: true })
  const [gold, silver] = await json('price', 'show')
  assert.deepEqual([gold.trading, silver.trading], ['stopped', 'stopped'])
  assert.deepEqual([gold.reference, gold.ask, gold.bid, gold.spreadBps], [200_000, 200_500, 199_500, 50])
  assert.deepEqual(await json('price', 'resume', ...why), { stopped: false })
  assert.match(await refused('price', 'set', 'tin', '1', ...why), /gold or silver/)
  assert.match(await refused('price', 'set', 'gold', '1'), /--reason/)
  assert.match(await refused('price', 'terms', 'gold', ...why), /what to change/)
  const { rows } = await service.database.pool.query(
    `select action from audit_entry where action like 'trading.%' or action like 'price.%' order by id`,
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['price.set', 'trading.terms', 'trading.stop', 'trading.resume'],
  )
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
  assert.equal((await json('withdrawal', 'approve', id, ...why)).status, 'approved')
  assert.match(await refused('withdrawal', 'pay', id, ...why), /another person/)
  assert.match(await refused('withdrawal', 'pay', id, '--as', 'second', ...why), /it waits.* until \d{4}-/)
  await endWait(database, id)
  assert.equal((await json('withdrawal', 'pay', id, '--as', 'second', ...why)).status, 'paid')
  assert.match(await refused('withdrawal', 'refuse', id, ...why), /paid already/)
  assert.equal((await json('withdrawal', 'list', '--status', 'paid')).length, 1)
  assert.deepEqual(await json('withdrawal', 'list'), [])
})
