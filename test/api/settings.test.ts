import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { BadSetting, readConfig } from '#app/config.ts'
import { imprintOf } from '#app/messaging.ts'
import { LIVE_MESSAGING } from '#test/deliveries.ts'
import { NHN_MESSAGING } from '#test/messaged-service.ts'
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

const SOLAPI = { ...LIVE_MESSAGING }
const NHN = { ...SOLAPI, ...NHN_MESSAGING, MESSAGING: 'solapi,nhn' }
const live = { INGOT_MODE: 'live', KEY_RING_FILE: 'ring.json' }

test('messages: simulated in a sandbox, by providers in their order elsewhere', () => {
  assert.deepEqual(readConfig({}).messaging.providers, ['simulated'])
  const { solapi } = readConfig({ ...SOLAPI, SOLAPI_URL: '' }).messaging
  assert.deepEqual([solapi?.url, solapi?.sender], ['https://api.solapi.com', '0212345678'])
  assert.doesNotMatch(inspect(solapi), /SECRET0/)
  const { providers, nhn } = readConfig({ ...NHN, ...live }).messaging
  assert.deepEqual(providers, ['solapi', 'nhn'])
  assert.equal(nhn?.text.url, 'https://sms.api.nhncloudservice.com')
})

const WRONG_MESSAGING: [settings: Record<string, string>, name: string][] = [
  [{ MESSAGING: 'pigeon' }, 'MESSAGING'],
  [{ ...SOLAPI, MESSAGING: 'solapi,solapi' }, 'MESSAGING'],
  [{ ...live, MESSAGING: 'simulated' }, 'MESSAGING'],
  [{ MESSAGING: 'nhn' }, 'NHN_ALIMTALK_APPKEY'],
  ...Object.keys(LIVE_MESSAGING)
    .filter((name) => /^SOLAPI_(?!URL)/.test(name))
    .map((name): [Record<string, string>, string] => [{ ...SOLAPI, [name]: '' }, name]),
  ...Object.keys(NHN_MESSAGING).map((name): [Record<string, string>, string] => [
    { ...NHN, [name]: '' },
    name,
  ]),
  [{ ...SOLAPI, SOLAPI_URL: 'http://api.example' }, 'SOLAPI_URL'],
  [{ ...SOLAPI, SOLAPI_SENDER: '+82 2 123' }, 'SOLAPI_SENDER'],
  [{ ...SOLAPI, SOLAPI_WEBHOOK_SECRET: 'short' }, 'SOLAPI_WEBHOOK_SECRET'],
]
for (const [settings, name] of WRONG_MESSAGING) {
  test(`refused by name: ${name} (${settings.MESSAGING})`, () => {
    assert.throws(
      () => readConfig(settings),
      (error) => error instanceof BadSetting && error.message.startsWith(`${name}: `),
    )
  })
}

test('what stands in every message has to fit into it', () => {
  const config = (settings: Record<string, string>) => () => imprintOf(readConfig({ ...SOLAPI, ...settings }))
  assert.deepEqual(config({ PUBLIC_URL: 'https://gold.example' })(), {
    registerUrl: 'https://gold.example/',
    contact: '1544-0000',
  })
  assert.throws(config({ PUBLIC_URL: `https://gold.example/${'x'.repeat(100)}` }), /^Error: PUBLIC_URL: /)
  assert.throws(config({ SUPPORT_CONTACT: '☎️ 1544-0000' }), /^Error: SUPPORT_CONTACT: /)
  assert.throws(config({ SUPPORT_CONTACT: '1'.repeat(61) }), /^Error: SUPPORT_CONTACT: /)
  assert.throws(config({ ...live, SUPPORT_CONTACT: '' }), /^Error: SUPPORT_CONTACT: is required in live mode/)
})

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
