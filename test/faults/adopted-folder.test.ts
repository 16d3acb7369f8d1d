import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TEMPLATES } from '#modules/deliveries/messages/templates.ts'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { ingot, type ServerProcess, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call } from '#test/service.ts'

// A live folder with messages still to be sent is copied: the copy sends none of them before somebody says that it is
// the one that counts.
const folder = temporaryFolder()
test.after(() => folder.remove())
const ring = join(folder.path, 'ring.json')
await ingot({}, 'keys', 'generate', ring)
const standIns = await startStandIns('http://127.0.0.1:9', { nhn: false, reports: false })
const settingsOf = (name: string, roles = 'api,worker') => ({
  ...LIVE_PROVIDERS,
  ...messagingSettings(standIns),
  DATA_DIR: join(folder.path, name),
  INGOT_MODE: 'live',
  INGOT_ROLES: roles,
  KEY_RING_FILE: ring,
  PUBLIC_URL: 'https://gold.example',
})
const original = settingsOf('data', 'api')
const copy = settingsOf('copy')

async function command(settings: Record<string, string>, ...words: string[]) {
  const run = await ingot(settings, ...words, '--json')
  assert.equal(run.code, 0, run.stderr)
  return JSON.parse(run.stdout)
}

// Commands beside it find its PostgreSQL running. It has no worker: its messages wait.
const first = await startServer(original)
await command(original, 'partner', 'add', 'acme', '--name', 'Acme')
// A command takes a second: what is sent here is one message in one language.
for (const { name, purpose, language, version } of TEMPLATES) {
  if (purpose !== 'gift' || language !== 'ko' || version === 1) continue
  await command(original, 'template', 'set', 'solapi', purpose, language, name)
}
const { key } = await command(original, 'key', 'issue', 'acme')

const buy = ({ url }: ServerProcess) =>
  call(`${url}${BUY}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ phoneNumber: '010-1234-5678', amount: 50_000 }),
  })

const readiness = async ({ url }: ServerProcess) => {
  const answer = await call(`${url}/readyz`)
  return [answer.status, answer.body.worker]
}
const metricsOf = async ({ url }: ServerProcess) => (await call(`${url}/metrics`)).text

test('a copied live folder serves and sends nothing until it is adopted, then begins by itself', async () => {
  assert.equal((await buy(first)).status, 200)
  assert.equal(await first.kill('SIGTERM'), 0)
  assert.equal(spawnSync('cp', ['-a', original.DATA_DIR, copy.DATA_DIR]).status, 0)

  const second = await startServer(copy)
  assert.deepEqual(await readiness(second), [200, 'paused'])
  assert.match(await metricsOf(second), /^ingot_worker_status\{status="paused"\} 1$/m)
  assert.match(second.output(), /"event":"worker paused"/)
  assert.equal((await buy(second)).status, 200, 'the API works meanwhile')
  assert.equal(await second.kill('SIGTERM'), 0)

  const again = await startServer(copy)
  assert.deepEqual(await readiness(again), [200, 'paused'], 'a restart adopts nothing')
  assert.equal(standIns.solapi.phones.all.length, 0)
  const moved = await ingot(copy, 'move', '--to', join(folder.path, 'elsewhere'))
  assert.equal(moved.code, 1)
  assert.match(moved.stderr, /run `ingot adopt`, and then move/, 'the target would not wait')
  assert.deepEqual(await command(copy, 'adopt'), { adopted: true })
  assert.deepEqual(await command(copy, 'adopt'), { adopted: false })
  const { entries } = await command(copy, 'audit', 'list', '--action', 'installation.adopt')
  assert.equal(entries.length, 1)
  assert.match(entries[0].actor, /^cli:/)
  assert.equal(entries[0].from.by, 'command line')
  await until(async () => (await readiness(again))[1] === 'running', 'the worker begins')
  await until(() => standIns.solapi.phones.all.length >= 4, 'two cards, two messages each')
  assert.equal(await again.kill('SIGTERM'), 0)
})

test('a moved one too; one that stayed where it was does not wait', async () => {
  const stayed = await startServer({ ...original, INGOT_ROLES: 'api,worker' })
  assert.deepEqual(await readiness(stayed), [200, 'running'])
  assert.equal(await stayed.kill('SIGTERM'), 0)
  rmSync(copy.DATA_DIR, { recursive: true })
  renameSync(original.DATA_DIR, copy.DATA_DIR)
  const moved = await startServer(copy)
  assert.deepEqual(await readiness(moved), [200, 'paused'])
  assert.equal(await moved.kill('SIGTERM'), 0)
})
