import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { until } from '#test/patience.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

// The oldest PostgreSQL we promise to run on, where the machine has it (Debian's place for it).
const BINARIES = '/usr/lib/postgresql/15/bin'
const skip = existsSync(join(BINARIES, 'postgres')) ? false : 'PostgreSQL 15 is not on this machine'

test('the same code on PostgreSQL 15', { skip }, async () => {
  const folder = temporaryFolder()
  const home = join(folder.path, 'pg')
  mkdirSync(home, { mode: 0o700 })
  const account = process.geteuid?.() === 0 ? unprivilegedAccounts()[0] : undefined
  if (account) chownSync(home, account.uid, account.gid)
  const as = { cwd: '/', ...(account ? { uid: account.uid, gid: account.gid } : {}) }
  execFileSync(
    join(BINARIES, 'initdb'),
    ['-D', join(home, 'data'), '-U', 'ingot', '-A', 'trust', '--no-sync'],
    {
      ...as,
      stdio: 'ignore',
    },
  )
  const arguments_ = ['-D', join(home, 'data'), '-k', home, '-c', 'listen_addresses=', '-c', 'fsync=off']
  const postgres = spawn(join(BINARIES, 'postgres'), arguments_, { ...as, stdio: 'ignore' })
  const ended = once(postgres, 'close')
  try {
    const query = new URLSearchParams({ host: home, user: 'ingot' })
    const settings = {
      DATABASE_URL: `postgresql:///postgres?${query}`,
      DATA_DIR: join(folder.path, 'data'),
      LOG_LEVEL: 'warn',
    }
    await untilReachable(settings.DATABASE_URL)
    const server = await startServer(settings)
    await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme')
    const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'k',
    }
    const body = JSON.stringify({ phoneNumber: PHONE, amount: 1000 })
    const [bought, replayed] = [
      await call(`${server.url}${BUY}`, { method: 'POST', headers, body }),
      await call(`${server.url}${BUY}`, { method: 'POST', headers, body }),
    ]
    assert.equal(bought.status, 200, bought.text)
    assert.equal(replayed.text, bought.text)
    const { giftId } = bought.body.data
    assert.equal((await call(`${server.url}${BUY}/${giftId}`, { headers })).body.data.amount, 1000)
    assert.equal((await ingot(settings, 'card', 'void', giftId, '--reason', 'test')).code, 0)
    const usage = await call(`${server.url}/v2/partner/usage?startDate=2026-1-1&endDate=2030-1-1`, {
      headers,
    })
    assert.equal(usage.body.totalIssued, 0)
    const verified = await ingot(settings, 'verify')
    assert.equal(verified.code, 0, verified.stdout)
    assert.equal(await server.kill('SIGTERM'), 0)
  } finally {
    postgres.kill('SIGINT')
    await ended
    folder.remove()
  }
})

async function untilReachable(connectionString: string): Promise<void> {
  await until(async () => {
    const client = new pg.Client({ connectionString })
    const reached = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    return reached
  }, 'PostgreSQL 15 starts')
}
