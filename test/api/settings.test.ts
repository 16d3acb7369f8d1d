import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadSetting, readConfig } from '#app/config.ts'
import { ingot, temporaryFolder } from '#test/process.ts'

test('defaults', () => {
  const config = readConfig({})
  assert.deepEqual(
    [config.port, config.host, config.publicUrl, config.mode, config.roles, config.logLevel],
    [3000, '127.0.0.1', 'http://127.0.0.1:3000', 'sandbox', { api: true, worker: true }, 'info'],
  )
  assert.match(config.dataDir, /\/data$/)
  assert.equal(config.databaseUrl, undefined)
})

test('given', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '::1',
    PUBLIC_URL: 'https://gold.example/',
    INGOT_ROLES: 'worker',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  })
  assert.equal(config.publicUrl, 'https://gold.example')
  assert.deepEqual(config.roles, { api: false, worker: true })
  assert.ok(config.trustedProxies.has('10.2.3.4') && !config.trustedProxies.has('11.0.0.1'))
  assert.equal(readConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:3000')
})

const WRONG: [name: string, value: string][] = [
  ['PORT', 'eighty'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['HOST', 'a b'],
  ['PUBLIC_URL', 'gold.example'],
  ['PUBLIC_URL', 'ftp://gold.example'],
  ['PUBLIC_URL', 'https://gold.example/?x=1'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'localhost:5432'],
  ['INGOT_MODE', 'production'],
  ['INGOT_ROLES', 'api,web'],
  ['INGOT_ROLES', ','],
  ['LOG_LEVEL', 'loud'],
  ['TRUSTED_PROXIES', 'proxy.example'],
]
for (const [name, value] of WRONG) {
  test(`refused by name: ${name}=${value}`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof BadSetting && error.message.startsWith(`${name}: `),
    )
  })
}

test('live needs a key ring that was not made up by this process', () => {
  assert.throws(() => readConfig({ INGOT_MODE: 'live' }), /^Error: KEY_RING_FILE: is required in live mode/)
})

test('the process says which setting and why, and exits non-zero', async () => {
  const run = await ingot({ PORT: 'x' }, 'serve')
  assert.deepEqual([run.code, run.stderr], [1, 'ingot: PORT: is not a port (0 to 65535)\n'])
})

const UNUSABLE: [settings: Record<string, string>, says: RegExp][] = [
  [
    { DATA_DIR: '/dev/null' },
    /^ingot: DATA_DIR: \/dev\/null is not a folder this account can write to \(EEXIST\)/,
  ],
  [{ KEY_RING_FILE: '/dev/null/none' }, /^ingot: KEY_RING_FILE: cannot be read \(ENOTDIR\)/],
]
for (const [settings, says] of UNUSABLE) {
  test(`unusable: ${Object.keys(settings)}`, async () => {
    const folder = temporaryFolder()
    const run = await ingot({ DATA_DIR: folder.path, ...settings }, 'verify')
    folder.remove()
    assert.equal(run.code, 1)
    assert.match(run.stderr, says)
  })
}
