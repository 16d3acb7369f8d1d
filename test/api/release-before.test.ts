import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { listMigrations, schemaVersion } from '#app/database/migration-files.ts'
import { functionsVersion, listFunctions, readFunction } from '#app/database/sql-functions.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { readVerification, verifyBooks } from '#flows/books/verify-books.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { BEHIND_PROXY, Browser, logIn, signUp } from '#test/member.ts'
import { issueApiKey } from '#test/operator.ts'
import { createTestDatabase, TEST_RING, TEST_RING_STORE, TEST_VAULT } from '#test/postgres.ts'
import { RECORDED, readReleaseBefore, restoreData } from '#test/release-recording.ts'
import { type Answer, BUY, call, startService, type TestService } from '#test/service.ts'

// The release before this one (tools/record-release.ts): its database is upgraded, and its statements go on working.
const release = readReleaseBefore()
const STAMP = stampOf('sandbox', TEST_RING)

const on = await createTestDatabase('empty')
const client = new pg.Client(on.connection)
await client.connect()
after(async () => {
  await client.end()
  await on.drop()
})
await migrate(on.connection, STAMP, {
  migrations: listMigrations().filter(({ version }) => version <= release.schemaVersion),
  functions: release.functions.map(({ name, sql }) => readFunction(name, sql)),
})
await restoreData(client, release)
await migrate(on.connection, STAMP)

const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows
const count = async (table: string) => Number((await query(`select count(*) from ${table}`))[0].count)

const start = (environment = {}) =>
  startService({ environment, beside: { on, companions: [] as TestService[] } as TestService })

test('the recording has data of every kind', () => {
  const empty = Object.entries(release.tables).flatMap(([name, rows]) => (rows.length > 0 ? [] : [name]))
  assert.deepEqual(empty, [])
  const states = (table: string, column = 'status') =>
    [...new Set(release.tables[table]?.map((row) => row[column]))].sort()
  assert.deepEqual(states('gift_card'), ['expired', 'issued', 'used', 'voided'])
  assert.deepEqual(states('withdrawal'), ['approved', 'cancelled', 'paid', 'refused', 'requested'])
  assert.deepEqual(states('change_request', 'kind'), [
    'credit_limit',
    'payment',
    'payment_reversal',
    'price',
    'terms',
  ])
  assert.deepEqual(states('change_request'), ['executed', 'refused', 'waiting'])
  assert.deepEqual(states('delivery'), ['accepted', 'delivered', 'failed', 'queued', 'unknown'])
  assert.deepEqual(states('identity_verification', 'purpose'), ['recover', 'sign_up', 'step_up'])
  for (const [table, column] of [
    ['api_key', 'revoked_at'],
    ['member_account', 'closed_at'],
    ['member_account', 'withdrawals_stopped_at'],
    ['member_freeze', 'thawed_at'],
    ['passkey', 'blocked_at'],
    ['withdrawal', 'stop_asked_at'],
  ] as const) {
    const found = states(table, column)
    assert.ok(found.includes(null) && found.length > 1, `${table}.${column}: both, with and without`)
  }
  assert.deepEqual(states('notice', 'purpose'), [
    'new_device',
    'passkey_added',
    'passkey_blocked',
    'passkey_removed',
    'password',
    'payout_account',
    'phone',
    'stopped',
    'withdrawal',
  ])
})

test('functions that changed since then are newer than its own', () => {
  const before = new Map(release.functions.map(({ name, sql }) => [name, readFunction(name, sql).checksum]))
  const now = listFunctions()
  const same = now.length === before.size && now.every(({ name, checksum }) => before.get(name) === checksum)
  const newer =
    schemaVersion() > release.schemaVersion || functionsVersion() > (release.functionsVersion ?? 0)
  assert.ok(same || newer, 'raise the version in db/functions.lock.json: see db/README.md')
})

// House accounts that migrations since have opened.
const OPENED: Record<string, number> = { account: 16 }

test('its database is upgraded: the books hold, nothing is lost, its cards are found and redeemed', async () => {
  for (const [name, rows] of Object.entries(release.tables)) {
    if (name !== 'schema_migration') assert.equal(await count(name), rows.length + (OPENED[name] ?? 0), name)
  }
  const service = await start()
  const keys = await openVaultKeeper(service.database, TEST_RING_STORE)
  const broken = (await verifyBooks(service.database, keys.vault())).filter((result) => result.broken > 0)
  assert.deepEqual(broken, [])
  const [card] = await query(`
    select g.id, g.tx_id, g.number::text, g.amount::int, g.pin, p.code from gift_card g join partner p on p.id = g.partner_id
     where g.status = 'issued' and g.issued_at <= service_now() and g.expires_on >= seoul_date(service_now()) and p.status = 'active'
     order by g.issued_at desc limit 1`)
  const { key } = await issueApiKey(service.database, { code: card.code, mode: 'test', actor: 'test' })
  for (const id of [card.id, card.tx_id, card.number]) {
    const found = await fetch(`${service.url}/v2/partner/metal/giftcard/buy/${id}`, {
      headers: { authorization: `Bearer ${key.reveal()}` },
    })
    const { data } = (await found.json()) as { data: Record<string, unknown> }
    assert.deepEqual(
      [String(data.giftId), data.amount, data.used, data.valid],
      [card.number, card.amount, false, true],
    )
  }
  const pin = keys.vault().open({ table: 'gift_card', column: 'pin', row: card.id }, card.pin)
  const [holder] = await query(
    `select member_id as id from partner_user where status = 'active' and confirmed limit 1`,
  )
  const redeemed = await createRedeemGiftCard({ database: service.database, keys })({
    pin: parsePin(pin)!,
    holderId: holder.id,
  })
  assert.equal(redeemed.kind, 'redeemed')
  await service.stop()
})

test('its idempotency keys stand for 30 days, its verification of the books is known', async () => {
  const service = await start()
  const [bought] = await query(`
    select p.code, k.card_id from idempotency_key k join partner p on p.id = k.partner_id order by k.created_at desc limit 1`)
  const { key } = await issueApiKey(service.database, { code: bought.code, mode: 'test', actor: 'test' })
  const buy = (idempotencyKey: string) =>
    call(service.url + BUY, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.reveal()}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(RECORDED.purchase),
    })
  const outcomeOf = ({ status, body, headers }: Answer) => [
    status,
    body.data.giftId === bought.card_id,
    headers.get('idempotency-replayed'),
  ]
  assert.deepEqual(outcomeOf(await buy(RECORDED.key)), [200, true, 'true'])
  assert.deepEqual(outcomeOf(await buy(RECORDED.oldKey)), [200, false, null])
  const verification = await readVerification(service.database, TEST_VAULT)
  assert.deepEqual([verification?.ok, verification?.isSigned, verification?.brokenChecks], [true, true, 0])
  await service.stop()
})

test('its member logs in, has the passkey, and the statement is genuine; its sign-ups go on', async () => {
  const service = await start({ ...BEHIND_PROXY.environment, PUBLIC_URL: RECORDED.origin })
  const browser = new Browser(service.url)
  assert.equal((await logIn(browser, RECORDED.loginId)).status, 200)
  const { passkeys: listed } = (await browser.get('/passkeys')).body
  const idsOf = (rows: { id?: string | null }[] = []) => rows.map(({ id }) => id).sort()
  assert.deepEqual(idsOf(listed), idsOf(release.tables.passkey))
  const issued = await browser.get(`/statements/${release.tables.issued_statement?.[0]?.number}`)
  const { number, code, closing } = issued.body
  const checked = await new Browser(service.url).post('/statements/check', { number, code })
  assert.deepEqual([checked.status, checked.body.closing], [200, closing])

  const [begun, proven] = await query('select id from identity_verification order by created_at desc limit 2')
  const confirmed = await browser.post(`/identity/${begun.id}/confirm`, { code: SIMULATED_CODE })
  assert.deepEqual([confirmed.status, confirmed.body.purpose], [200, 'sign_up'], confirmed.text)
  const joined = await signUp(new Browser(service.url), proven.id, 'proven')
  assert.equal(joined.status, 200, joined.text)
  await service.stop()
})

const CAN_BE_PREPARED = /^\s*(?:with|select|insert|update|delete|values|table)\b/i

test('every statement of it is understood', async () => {
  const refused: string[] = []
  const statements = release.statements.filter((text) => CAN_BE_PREPARED.test(text))
  assert.ok(statements.length > 250)
  for (const text of statements) {
    const outcome = await client.query(`prepare said_before as ${text}`).catch((error) => error as Error)
    if (outcome instanceof Error) refused.push(`${outcome.message}: ${text}`)
    else await client.query('deallocate said_before')
  }
  assert.deepEqual(refused, [])
})

// The one statement of the release that says this.
function statementWith(words: string): string {
  const found = release.statements.filter((text) => text.includes(words))
  assert.equal(found.length, 1, words)
  return found[0]!
}

test('its processes go on writing: signup, purchase, redemption, order, hash key, session', async () => {
  const [hash, otherHash] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const [a, b, c, d] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
  const sealed = Buffer.from('\x02e1 nobody opens it')
  const [{ epoch, index, partner }] = await query(`
    select key_epoch as epoch, index_key as index, (select min(p.id) from partner p join account a on a.partner_id = p.id
      where p.status = 'active' and a.balance - a.floor > 1000000) as partner from installation`)
  const outcomeOf = async (text: string, values: unknown[]) => (await query(text, values))[0]?.outcome
  await query('begin')
  try {
    const signUp = statementWith('from sign_up_partner_users(')
    const person = [
      [a],
      [b],
      [sealed],
      [hash],
      [null],
      [sealed],
      [hash],
      [null],
      ['key'],
      ['key:x'],
      [1],
      ['t'],
      [true],
    ]
    const trace = [[c], [sealed], [hash], [null]]
    assert.equal(await outcomeOf(signUp, [epoch, [partner], ['a key'], [false], ...person, ...trace]), 'new')
    const buy = statementWith('from buy_gift_cards(')
    const card = [[sealed], [hash], [sealed], [otherHash], [hash], [hash]]
    const bought = [partner, [a], [b], [9_007_199_254_740_000], [5_000], ['key'], index, ...card, epoch]
    assert.equal(await outcomeOf(buy, bought), 'issued')
    assert.equal(await outcomeOf(buy, bought.with(1, [c])), 'replayed')
    const redeem = statementWith('from redeem_gift_cards(')
    const use = [epoch, [otherHash], [null], [b], [d], [hash]]
    assert.equal(await outcomeOf(redeem, use), 'redeemed')
    assert.equal(await outcomeOf(redeem, use), 'again')
    await query(
      `insert into trade_quote (id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps, metal_won, fee, total,
                                rounding, created_at, expires_at, price_at, price_source)
       select $1, $2, 'buy', 'XAU', 1, 1000, 1000, 0, 0, 1, 0, 1, 0, service_now(), service_now() + interval '1 minute',
              service_now(), 'test'`,
      [c, b],
    )
    // Its operator had stopped trading.
    await query(`insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by)
      select metal, spread_bps, fee_bps, max_age_seconds, service_now(), 'test' from trading_terms
       where metal = 'XAU' order by id desc limit 1`)
    const order = statementWith('from place_orders(')
    assert.equal(await outcomeOf(order, [[c], [b], [d]]), 'placed')
    assert.equal(await outcomeOf(order, [[c], [b], [a]]), 'again')
    const issue = statementWith('from issue_hash_keys(')
    assert.equal(await outcomeOf(issue, [[partner], ['a key'], [hash]]), 'issued')
    const enter = statementWith('insert into web_session (hash, partner_user_id')
    const [entered] = await query(enter, [hash, otherHash, [], [], 'a browser', false, hash])
    assert.deepEqual([entered.refusal, entered.device], [null, hash])
  } finally {
    await query('rollback')
  }
})
