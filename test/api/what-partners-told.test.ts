import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import {
  generateKeyRing,
  type KeyRingFile,
  type KeyRingStore,
  parseKeyRing,
  withNewKeys,
} from '#base/crypto/key-ring.ts'
import { openDatabase } from '#base/db/db.ts'
import { createLog } from '#base/log.ts'
import { revealCancelReason } from '#flows/gift-cards/reveal-cancel-reason.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { newTerms } from '#modules/partners/rules.ts'
import { assertHides } from '#test/hidden.ts'
import { testMetrics } from '#test/holders.ts'
import { findByTrace, registerPartner, rotateKeys, showUser } from '#test/operator.ts'
import { personOf, SIGNUP, signupOf } from '#test/people.ts'
import { createTestDatabase, TEST_RING_STORE, TEST_SCHEMA } from '#test/postgres.ts'
import { assertBooks, BUY, PHONE, startService } from '#test/service.ts'

// Trace numbers, details that were replaced, reasons: kept sealed, found again, re-keyed, and forgotten in time.
const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner()
const { code } = partner.partner

async function dump(): Promise<string> {
  const tables = ['signup_trace', 'former_details', 'cancel_reason', 'audit_entry', 'partner_user']
  const rows = await Promise.all(tables.map((table) => database.pool.query(`select t::text from ${table} t`)))
  return JSON.stringify(rows.map((result) => result.rows))
}

test('a trace number is kept with the signup, and found again in the log, the audit log and user show', async () => {
  const traceNo = 'trace 010-4242-4242 홍길동'
  const call = () => partner.post(SIGNUP, signupOf(code, 'traced', { traceNo }))
  const { userKey } = (await call()).body
  assert.equal((await call()).body.traceNo, traceNo)
  const other = signupOf(code, 'traced', { traceNo: 'another' })
  assert.equal((await partner.post(SIGNUP, other)).status, 200)

  const { users: found } = await findByTrace({ database, keys }, { partner: code, traceNo })
  assert.deepEqual(
    found.map(({ partnerKey }) => partnerKey),
    [userKey],
  )
  const { traceId } = found[0]!
  const named = { partner: code, partnerKey: userKey, revealReason: undefined, actor: 'test' }
  const shown = await showUser(database, keys.vault(), named)
  assert.deepEqual(
    shown.traces.map((trace) => trace.traceNo),
    ['another', traceNo],
  )
  assert.equal(shown.traces[1]!.id, traceId)
  assert.deepEqual(shown.changes[0]!.details, { traceId })
  const lines = service.log.filter((line) => line.includes(SIGNUP)).map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map((line) => line.traceId),
    [traceId, traceId, shown.traces[0]!.id],
  )
  assertHides(service.log.join() + (await dump()), ['4242-4242', '홍길동'])
  const elsewhere = await service.addPartner()
  const there = await findByTrace({ database, keys }, { partner: elsewhere.partner.code, traceNo })
  assert.deepEqual(there.users, [])
})

test('details that a partner replaces keep their history: when, by whom, masked', async () => {
  const person = personOf('changes')
  const tell = (changes: object) =>
    partner.post(SIGNUP, signupOf(code, 'x', { userInfo: { ...person, ...changes } }))
  const { userKey } = (await tell({})).body
  await tell({ name: '새이름' })
  await tell({ name: '새이름' })
  await tell({ name: '새이름', mdn: '01011112222' })
  const named = { partner: code, partnerKey: userKey, actor: 'test' }
  const { former } = await showUser(database, keys.vault(), { ...named, revealReason: undefined })
  assert.deepEqual(
    former.map(({ name, mdn, replacedBy }) => [name, mdn, replacedBy]),
    [
      ['새*름', '010-****-5432', `partner:${code} key ${partner.keyId}`],
      ['c***s', '010-****-5432', `partner:${code} key ${partner.keyId}`],
    ],
  )
  const revealed = await showUser(database, keys.vault(), { ...named, revealReason: 'a dispute' })
  assert.deepEqual(
    revealed.former.map(({ name }) => name),
    ['새이름', 'changes'],
  )
  assert.ok(!(await dump()).includes('새이름'))
})

for (const reason of ['고객 010-9876-5432 요청', '900101-1234567', '471108152390', '홍길동 님이 취소']) {
  test(`a partner's reason is taken whatever it holds, and kept sealed: ${reason}`, async () => {
    const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 1000 })).body.data
    const cancel = () => partner.post(`${BUY}/${giftId}/cancel`, { reason })
    const first = await cancel()
    assert.equal(first.status, 200, first.text)
    assert.equal((await cancel()).text, first.text)
    const told = await dump()
    assert.ok(told.includes('(sealed)'))
    assertHides(told, [reason])
    const why = { cardId: giftId, reason: 'a dispute', actor: 'test' }
    assert.equal(await revealCancelReason(database, keys.vault(), why), reason)
    const { rows } = await database.pool.query(
      `select from audit_entry where action = 'card.reveal' and subject = $1`,
      [giftId],
    )
    assert.equal(rows.length, 1)
    assertHides(service.log.join(), [reason])
  })
}

test('what was kept long enough goes; the last price of each day and the first of all stay', async () => {
  const own = await startService()
  const other = await own.addPartner()
  const { giftId } = (await other.buy({ phoneNumber: PHONE, amount: 1000 })).body.data
  await other.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })
  for (const name of ['하나', '둘'])
    await other.post(SIGNUP, signupOf(other.partner.code, 'y', { userInfo: { ...personOf('y'), name } }))
  const { pool } = own.database
  await pool.query(
    `update delivery set status = 'failed', reason = 'x', retryable = false, settled_at = service_now()`,
  )
  await pool.query(`insert into delivery_event (delivery_id, attempt, at, status)
                    select id, 1, service_now(), 'failed' from delivery`)
  await pool.query('delete from metal_price')
  await pool.query(`insert into metal_price (metal, at, won_per_gram, source)
                    select 'XAU', service_now() + n * interval '7 hours', 100000 + n, 'test' from generate_series(0, 23) n`)
  await assert.rejects(pool.query('delete from delivery_event'), /not allowed/)
  await assert.rejects(pool.query(`update delivery_event set status = 'queued'`), /not allowed/)

  const tables = ['signup_trace', 'former_details', 'cancel_reason', 'delivery_event', 'metal_price']
  const counts = async () => {
    const each = await Promise.all(
      tables.map((table) => pool.query(`select count(*)::int as n from ${table}`)),
    )
    return each.map(({ rows }) => rows[0].n)
  }
  // The last price of each day, and the first of all.
  const kept = await pool.query(`
    select count(*)::int as n from metal_price p
     where at = (select min(at) from metal_price)
        or not exists (select from metal_price q where seoul_date(q.at) = seoul_date(p.at) and q.at > p.at)`)
  const forget = () => forgetOldRecords({ database: own.database, log: createLog('silent') })
  const travel = (time: string) =>
    pool.query(`update installation set clock_offset = clock_offset + interval '${time}'`)
  await forget()
  // Two messages of the gift, and two that it was cancelled.
  assert.deepEqual(await counts(), [1, 1, 1, 4, 24])
  await travel('5 years 30 days')
  await forget()
  assert.deepEqual(await counts(), [0, 0, 0, 4, kept.rows[0].n])
  await travel('1 year')
  await forget()
  assert.deepEqual(await counts(), [0, 0, 0, 0, kept.rows[0].n])
  await own.stop()
})

test('a rotation seals all of it anew, also what is told while it runs', async () => {
  const on = await createTestDatabase()
  const db = openDatabase({ connection: on.connection, maxConnections: 8, onIdleError: () => {} })
  let file: KeyRingFile = generateKeyRing(true)
  const ring: KeyRingStore = {
    read: () => parseKeyRing(JSON.stringify(file)),
    async renew() {
      file = withNewKeys(file)
      return { kind: 'renewed', ring: ring.read() }
    },
  }
  const keeper = await openVaultKeeper(db, ring)
  const terms = { name: 'Acme', ...newTerms('sandbox') }
  const { partner: acme } = await registerPartner(db, { code: 'acme', terms, actor: 'test' })
  const signUp = createSignUpPartnerUser({ database: db, keys: keeper, metrics: testMetrics() })
  const tell = (who: string, name: string, traceNo: string) => {
    const { ci, birthday, mdn } = personOf(who)
    const details = { name, birthday, mdn, nationality: 'K', gender: 'F' } as const
    const rest = {
      partnerId: acme.id,
      partnerKey: undefined,
      consents: [],
      registeredBy: 'network',
      actor: 'test',
    }
    return signUp({ ...rest, ci, details, traceNo })
  }
  for (let i = 0; i < 6; i += 1) await tell(`${i}`, '하나', `trace ${i}`)
  for (let i = 0; i < 3; i += 1) await tell(`${i}`, '둘', `trace ${i}`)
  const during: Promise<unknown>[] = []
  const onProgress = () => {
    const n = during.length
    during.push(tell(`${n % 6}`, `이름 ${n}`, `trace ${n % 6}`))
  }
  await rotateKeys({
    database: db,
    keys: keeper,
    ring,
    actor: 'test',
    schemaVersion: TEST_SCHEMA.version,
    onProgress,
  })
  await Promise.all(during)
  assert.ok(during.length > 2)
  await assertBooks(db)
  await rotateKeys({
    database: db,
    keys: keeper,
    ring,
    actor: 'test',
    schemaVersion: TEST_SCHEMA.version,
    onProgress() {},
  })
  await assertBooks(db)
  const trace = { partner: 'acme', traceNo: 'trace 0' }
  const { users: found } = await findByTrace({ database: db, keys: keeper }, trace)
  assert.ok(found.length >= 1)
  const named = { partner: 'acme', partnerKey: found[0]!.partnerKey, revealReason: 'a test', actor: 'test' }
  const shown = await showUser(db, keeper.vault(), named)
  assert.deepEqual([shown.former.at(-1)!.name, shown.traces[0]!.traceNo], ['하나', 'trace 0'])
  await db.close()
  await on.drop()
})
