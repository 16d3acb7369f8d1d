import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import {
  generateKeyRing,
  type KeyRingFile,
  type KeyRingStore,
  parseKeyRing,
  withNewKeys,
} from '#base/crypto/key-ring.ts'
import { openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import { createBuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import { createCheckCard } from '#flows/gift-cards/check-card.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { forgetOldKeys } from '#jobs/forget-old-keys.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { newTerms } from '#modules/partners/rules.ts'
import { testMetrics } from '#test/holders.ts'
import { writeSecrets } from '#test/installed-folder.ts'
import { addMember, newPerson, userInfoOf } from '#test/member.ts'
import { registerPartner, rotateKeys } from '#test/operator.ts'
import { personOf, SIGNUP, signupOf } from '#test/people.ts'
import { createTestDatabase, TEST_SCHEMA } from '#test/postgres.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { type Answer, assertBooks, BUY, call } from '#test/service.ts'

// An answer once given stands: a retry gets it, though the keys that protect people's data have changed since.
const on = await createTestDatabase()
const folder = temporaryFolder()
after(async () => {
  await on.drop()
  folder.remove()
})
const settings = { DATABASE_URL: on.url, DATA_DIR: folder.path, TRUSTED_PROXIES: '127.0.0.1' }
writeSecrets(settings.DATA_DIR)

async function run(...args: string[]): Promise<string> {
  const done = await ingot(settings, ...args)
  assert.equal(done.code, 0, done.stderr)
  return done.stdout
}

// The worker sends it in a moment.
async function pinOf(url: string, mdn: string): Promise<string> {
  for (;;) {
    const [message] = (await call(`${url}/dev/inbox.json?to=${mdn}`)).body
    if (message) return /PIN 번호: (\S{19})\n/.exec(message.body)![1]!
    await sleep(50)
  }
}

test('each write with a promise answers a retry as before, one and two rotations later', async () => {
  const server = await startServer(settings)
  await run('partner', 'add', 'acme', '--name', 'Acme')
  const { key } = JSON.parse(await run('key', 'issue', 'acme', '--json'))
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  const person = newPerson()
  const signup = signupOf('acme', 'x', { userInfo: userInfoOf(person) })
  const { userKey } = (await post(SIGNUP, signup)).body
  const { browser } = await addMember(server, person)
  await run('user', 'grant', 'acme', userKey, '--points', '100000', '--deposit', '50000')
  await post(BUY, { phoneNumber: person.mdn, amount: 7000 })
  const pin = await pinOf(server.url, person.mdn)
  const cancelled = (await post(BUY, { phoneNumber: '01011112222', amount: 500 })).body.data.giftId
  const quote = await browser.post('/quotes', { side: 'buy', metal: 'gold', won: 30000 })
  assert.equal(quote.status, 200, quote.text)

  const order = { quoteId: quote.body.quoteId }
  const withdrawal = { requestId: randomUUID(), amount: 1000, bank: '088', account: '110123456789' }
  const idempotent = { 'idempotency-key': 'order-1' }
  const writes: Record<string, () => Promise<Answer>> = {
    'a purchase with a key': () => post(BUY, { phoneNumber: person.mdn, amount: 100 }, idempotent),
    'a redemption': () => browser.post('/cards/redeem', { pin }),
    'an order': () => browser.post('/orders', order),
    'a withdrawal': () => browser.post('/withdrawals', withdrawal),
    'a cancellation': () => post(`${BUY}/${cancelled}/cancel`, { reason: 'no longer wanted' }),
    'a signup': () => post(SIGNUP, signup),
  }
  const first: Record<string, string> = {}
  for (const [what, write] of Object.entries(writes)) {
    const answer = await write()
    assert.equal(answer.status, 200, `${what}: ${answer.text}`)
    first[what] = answer.text
  }
  for (const rotation of ['one rotation', 'two rotations']) {
    await run('keys', 'rotate')
    for (const [what, write] of Object.entries(writes)) {
      const answer = await write()
      assert.equal(answer.status, 200, `${what} after ${rotation}: ${answer.text}`)
      // A repeated redemption says that it is one, and how many points there are by now.
      if (what === 'a redemption') assert.deepEqual([answer.body.amount, answer.body.again], [7000, true])
      else assert.equal(answer.text, first[what], `${what} after ${rotation}`)
    }
  }
  const { browser: stranger } = await addMember(server)
  const used = await stranger.post('/cards/redeem', { pin })
  const absent = await stranger.post('/cards/redeem', { pin: '0000-0000-0000-0000' })
  // Another verified member is told what became of the card, and gets nothing.
  assert.deepEqual(
    [used.status, used.body.code, absent.status, absent.body.code],
    [422, 'card_used', 422, 'card_not_registered'],
  )
  const verify = await ingot(settings, 'verify')
  assert.equal(verify.code, 0, verify.stdout)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('a redemption is recognised in the middle of a rotation, by its holder alone, for 30 days', async () => {
  const own = await createTestDatabase()
  const database = openDatabase({ connection: own.connection, maxConnections: 8, onIdleError: () => {} })
  let file: KeyRingFile = generateKeyRing(true)
  const ring: KeyRingStore = {
    read: () => parseKeyRing(JSON.stringify(file)),
    async renew() {
      file = withNewKeys(file)
      return { kind: 'renewed', ring: ring.read() }
    },
  }
  const keys = await openVaultKeeper(database, ring)
  const metrics = testMetrics()
  const acme = { code: 'acme', terms: { name: 'Acme', ...newTerms('sandbox') }, actor: 'test' }
  const partnerId = (await registerPartner(database, acme)).partner.id
  const signUp = createSignUpPartnerUser({ database, keys, metrics })
  const buy = createBuyGiftCard({ database, keys, numberKey: keys.numberKey, metrics })
  const redeem = createRedeemGiftCard({ database, keys })
  const check = createCheckCard({ database, keys })

  async function holderOf(name: string): Promise<string> {
    const { ci, nationality: _, gender: __, ...details } = personOf(name)
    await signUp({
      partnerId,
      partnerKey: undefined,
      ci,
      details: { ...details, nationality: 'K', gender: 'F' },
      consents: [],
      registeredBy: 'network',
      actor: 'test',
    })
    const found = 'select member_id from partner_user order by registered_at desc limit 1'
    return (await database.pool.query(found)).rows[0].member_id
  }
  async function buyPin() {
    const keyId = newId<'test'>()
    const bought = await buy({
      partnerId,
      keyId,
      phoneNumber: '+821012345678',
      amount: 1000n,
      idempotencyKey: undefined,
    })
    assert.ok(bought.kind === 'issued')
    const { giftId } = bought.card
    const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
    return parsePin(keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin))!
  }
  const someone = await holderOf('홍길동')
  const another = await holderOf('김철수')
  const pin = await buyPin()
  const open = await buyPin()

  async function look(holderId: string): Promise<string[]> {
    const redeemed = await redeem({ pin, holderId })
    const checked = await check({ pin, holderId })
    return [
      redeemed.kind === 'redeemed' ? `again ${redeemed.again}` : redeemed.reason,
      checked.kind === 'found' ? `again ${checked.again}` : checked.reason,
    ]
  }
  assert.deepEqual(await look(someone), ['again false', 'again true'])

  const looks: Promise<string[]>[] = []
  const onProgress = () => void looks.push(look(someone), look(another))
  for (let rotations = 0; rotations < 2; rotations += 1) {
    await rotateKeys({ database, keys, ring, actor: 'test', schemaVersion: TEST_SCHEMA.version, onProgress })
    assert.deepEqual(await look(someone), ['again true', 'again true'])
    assert.deepEqual(await look(another), ['used', 'used'])
  }
  assert.ok(looks.length > 4, `${looks.length} looks in the middle`)
  for (const [i, seen] of (await Promise.all(looks)).entries())
    assert.deepEqual(seen, i % 2 ? ['used', 'used'] : ['again true', 'again true'])

  // Nothing of a PIN that was not used is kept beside its index; what is kept of a used one goes after 30 days.
  assert.equal((await database.pool.query('select from redemption_key')).rowCount, 1)
  const log = createLog('silent')
  const travel = (days: number) =>
    database.pool.query(`update installation set clock_offset = clock_offset + interval '${days} days'`)
  await travel(29)
  await forgetOldKeys({ database, log })
  assert.deepEqual(await look(someone), ['again true', 'again true'])
  await travel(2)
  await forgetOldKeys({ database, log })
  assert.equal((await database.pool.query('select from redemption_key')).rowCount, 0)
  assert.deepEqual(await look(someone), ['absent', 'absent'])
  const last = await redeem({ pin: open, holderId: someone })
  assert.ok(last.kind === 'redeemed' && !last.again, 'a card that was not used is found as before')
  await assertBooks(database)
  await database.close()
  await own.drop()
})
