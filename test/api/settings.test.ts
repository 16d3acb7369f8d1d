import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createMetrics } from '#app/metrics.ts'
import { createIdentity } from '#app/ports/identity.ts'
import { imprintOf } from '#app/ports/messaging.ts'
import { createPriceFeed } from '#app/ports/prices.ts'
import { BadSetting, readConfig } from '#app/settings/config.ts'
import { createLog } from '#base/log.ts'
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
  assert.equal(config.metricsAddress, undefined)
  const metricsAt = (text: string) => readConfig({ METRICS_ADDRESS: text }).metricsAddress
  assert.deepEqual(metricsAt('10.0.0.5:9464'), { host: '10.0.0.5', port: 9464 })
  assert.deepEqual(metricsAt('[::1]:9464'), { host: '::1', port: 9464 })
  assert.deepEqual(metricsAt('localhost:9464'), { host: 'localhost', port: 9464 })
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
  ['INGOT_PROCESSES', '-1'],
  ['INGOT_PROCESSES', '1.5'],
  ['INGOT_PROCESSES', 'all'],
  ['INGOT_PROCESSES', '257'],
  ['LOG_LEVEL', 'loud'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['METRICS_ADDRESS', '9464'],
  ['METRICS_ADDRESS', ':9464'],
  ['METRICS_ADDRESS', '127.0.0.1'],
  ['METRICS_ADDRESS', '127.0.0.1:'],
  ['METRICS_ADDRESS', '127.0.0.1:65536'],
  ['METRICS_ADDRESS', '::1:9464'],
  ['METRICS_ADDRESS', '[::1'],
  ['METRICS_ADDRESS', '[localhost]:9464'],
  ['METRICS_ADDRESS', 'http://127.0.0.1:9464'],
  ['METRICS_ADDRESS', 'a b:9464'],
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

const PORTONE = {
  IDENTITY: 'portone',
  PORTONE_API_SECRET: 'SECRET0SECRET1',
  PORTONE_STORE_ID: 'store-1',
  PORTONE_CHANNEL_KEY: 'channel-key-1',
}
const GOLDAPI = { PRICES: 'goldapi', GOLDAPI_TOKEN: 'SECRET0-io' }

test('identities and prices: simulated in a sandbox, by a provider where one is named', () => {
  const sandbox = readConfig({})
  assert.deepEqual([sandbox.identity.provider, sandbox.prices.feed], ['simulated', 'simulated'])
  for (const mode of [{}, live]) {
    const { identity, prices } = readConfig({ ...mode, ...PORTONE, ...GOLDAPI })
    assert.deepEqual([identity.provider, prices.feed], ['portone', 'goldapi'])
    const { url, storeId, channelKey } = identity.portone!
    assert.deepEqual([url, storeId, channelKey], ['https://api.portone.io', 'store-1', 'channel-key-1'])
    assert.equal(prices.goldapi?.url, 'https://www.goldapi.io')
    assert.doesNotMatch(inspect([identity, prices]), /SECRET0/)
  }
})

const WRONG_PROVIDERS: [settings: Record<string, string>, name: string][] = [
  [{ IDENTITY: 'pass' }, 'IDENTITY'],
  [{ IDENTITY: 'portone,simulated' }, 'IDENTITY'],
  [{ ...live, IDENTITY: 'simulated' }, 'IDENTITY'],
  [{ ACCOUNT_HOLDER: 'bank' }, 'ACCOUNT_HOLDER'],
  [{ ACCOUNT_HOLDER: 'portone' }, 'PORTONE_API_SECRET'],
  [{ ...live, ACCOUNT_HOLDER: 'simulated' }, 'ACCOUNT_HOLDER'],
  [{ ...PORTONE, PORTONE_API_SECRET: '' }, 'PORTONE_API_SECRET'],
  [{ ...PORTONE, PORTONE_API_SECRET: 'two words' }, 'PORTONE_API_SECRET'],
  [{ ...PORTONE, PORTONE_STORE_ID: '' }, 'PORTONE_STORE_ID'],
  [{ ...PORTONE, PORTONE_CHANNEL_KEY: '' }, 'PORTONE_CHANNEL_KEY'],
  [{ ...PORTONE, PORTONE_URL: 'http://api.example' }, 'PORTONE_URL'],
  [{ PRICES: 'rumour' }, 'PRICES'],
  [{ ...live, PRICES: 'simulated' }, 'PRICES'],
  [{ ...GOLDAPI, GOLDAPI_TOKEN: '' }, 'GOLDAPI_TOKEN'],
  [{ ...GOLDAPI, GOLDAPI_URL: 'goldapi.io' }, 'GOLDAPI_URL'],
]
for (const [settings, name] of WRONG_PROVIDERS) {
  test(`refused by name: ${name}=${settings[name] ?? ''} (${settings.INGOT_MODE ?? 'sandbox'})`, () => {
    assert.throws(
      () => readConfig(settings),
      (error) => error instanceof BadSetting && error.message.startsWith(`${name}: `),
    )
  })
}

test('live can be configured without them, for commands, and not served', async () => {
  const [log, metrics] = [createLog('silent'), createMetrics()]
  const bare = readConfig(live)
  assert.throws(
    () => createIdentity(bare, log, metrics),
    /^Error: IDENTITY: is required in live mode: portone/,
  )
  assert.throws(
    () => createPriceFeed(bare, log, metrics),
    /^Error: PRICES: is required in live mode: goldapi/,
  )
  const given = readConfig({ ...live, ...PORTONE, ...GOLDAPI })
  const made = await Promise.all([createIdentity(given, log, metrics), createPriceFeed(given, log, metrics)])
  assert.deepEqual(
    made.map(({ name }) => name),
    ['portone', 'goldapi'],
  )
  await Promise.all(made.map((one) => one.close()))
})

test('what providers are asked is measured', async () => {
  const [log, metrics] = [createLog('silent'), createMetrics()]
  const nowhere = { PORTONE_URL: 'http://127.0.0.1:9', GOLDAPI_URL: 'http://127.0.0.1:9' }
  for (const settings of [{}, { ...PORTONE, ...GOLDAPI, ...nowhere }]) {
    const config = readConfig(settings)
    const [identity, prices] = await Promise.all([
      createIdentity(config, log, metrics),
      createPriceFeed(config, log, metrics),
    ])
    await identity.resend('idv-1')
    await prices.read('XAU', Temporal.Now.instant())
    await Promise.all([identity.close(), prices.close()])
  }
  const text = await metrics.registry.metrics()
  for (const labels of [
    'provider="simulated",call="resend",outcome="status_200"',
    'provider="simulated",call="read",outcome="status_200"',
    'provider="portone",call="resend",outcome="not_sent"',
    'provider="goldapi",call="read",outcome="not_sent"',
  ]) {
    assert.ok(text.includes(`ingot_provider_request_seconds_count{${labels}} 1`), labels)
  }
})

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

test('every wrong setting is named at once, also of several providers', () => {
  const wrong = {
    PORT: 'x',
    INGOT_ROLES: 'cook',
    MESSAGING: 'solapi',
    PRICES: 'goldapi',
    SOLAPI_URL: 'ftp://x',
  }
  const expected = [
    'PORT',
    'INGOT_ROLES',
    'SOLAPI_URL',
    'SOLAPI_API_KEY',
    'SOLAPI_API_SECRET',
    'SOLAPI_SENDER',
  ]
  const rest = ['SOLAPI_CHANNEL_ID', 'SOLAPI_WEBHOOK_SECRET', 'GOLDAPI_TOKEN']
  assert.throws(
    () => readConfig(wrong),
    (error) => {
      assert.ok(error instanceof BadSetting)
      assert.deepEqual(
        error.settings.map(({ name }) => name),
        [...expected, ...rest],
      )
      return true
    },
  )
})

test('serve names what live requires with everything else that is wrong', async () => {
  const { code, stderr } = await ingot({ INGOT_MODE: 'live', PORT: 'x' }, 'serve')
  const named = stderr.replace(/^ingot: /, '').match(/^[A-Z_]+(?=: )/gm)
  assert.deepEqual(
    [code, named?.slice(0, 8), named?.slice(8).every((name) => name.startsWith('OPERATOR_')), named?.length],
    [
      1,
      [
        'PORT',
        'KEY_RING_FILE',
        'MESSAGING',
        'IDENTITY',
        'ACCOUNT_HOLDER',
        'PUBLIC_URL',
        'SUPPORT_CONTACT',
        'PRICES',
      ],
      true,
      19,
    ],
  )
})

test('a secret from a file: its last line break is none of it; two sources, no file and an open one are refused', () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string, mode = 0o600) => {
    const path = `${folder.path}/${name}`
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }
  const { GOLDAPI_TOKEN: _, ...goldapi } = GOLDAPI
  const tokenOf = (settings: Record<string, string>) =>
    readConfig({ ...goldapi, ...settings }).prices.goldapi?.token.reveal()
  for (const [name, text] of [
    ['line', 'top-secret\n'],
    ['windows', 'top-secret\r\n'],
    ['plain', 'top-secret'],
  ] as const) {
    assert.equal(tokenOf({ GOLDAPI_TOKEN_FILE: file(name, text, 0o444) }), 'top-secret')
  }
  for (const [settings, says] of [
    [{ GOLDAPI_TOKEN: 'x', GOLDAPI_TOKEN_FILE: file('a', 'y') }, /set beside GOLDAPI_TOKEN/],
    [{ GOLDAPI_TOKEN_FILE: `${folder.path}/none` }, /cannot be read \(ENOENT\)/],
    [{ GOLDAPI_TOKEN_FILE: folder.path }, /is not a file/],
    [{ GOLDAPI_TOKEN_FILE: file('empty', '\n') }, /is empty/],
    [{ GOLDAPI_TOKEN_FILE: file('open', 'y', 0o666) }, /changed by other accounts/],
  ] as const) {
    assert.throws(() => tokenOf(settings), new RegExp(`GOLDAPI_TOKEN_FILE: .*${says.source}`))
  }
  folder.remove()
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
