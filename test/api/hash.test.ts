import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { advanceClock, setUserStatusOf } from '#test/operator.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { startService } from '#test/service.ts'

const service = await startService({ environment: { PUBLIC_URL: 'https://ingot.example/gold' } })
const { database } = service
const mine = await service.addPartner()
const { code } = mine.partner
const { userKey } = (await mine.post(SIGNUP, signupOf(code, 'member'))).body
const issue = (partnerKey = userKey) => mine.post(HASH, { partner: code, partnerKey })

const stored = async (hashKey: string) => {
  const hash = createHash('sha256').update(hashKey).digest()
  const { rows } = await sql<{ seconds: number; left: number }>`
    select extract(epoch from expires_at - issued_at)::int as seconds,
           extract(epoch from expires_at - service_now())::int as left from hash_key where hash = ${hash}`.execute(
    database.db,
  )
  return rows[0]
}

test('a hash key: exactly the documented fields, 256 bits, one hour by the database’s clock', async () => {
  const { status, body, headers } = await issue()
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['hashKey', 'expiresAt', 'webViewUrl'])
  assert.match(body.hashKey, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(body.webViewUrl, `https://ingot.example/gold/webview/${body.hashKey}`)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal((await stored(body.hashKey))?.seconds, 3600)
})

test('the hour is counted on the service’s clock, also after a journey', async () => {
  await advanceClock(database, { seconds: 86_400, actor: 'test' })
  const { body } = await issue()
  const { now } = (await sql<{ now: Temporal.Instant }>`select service_now() as now`.execute(database.db))
    .rows[0]!
  const left = Temporal.Instant.from(body.expiresAt).since(now).total('seconds')
  assert.ok(left > 3590 && left <= 3600, `${left} s`)
})

test('every call issues a new one, and earlier ones stay', async () => {
  const issued = await Promise.all(Array.from({ length: 100 }, () => issue()))
  const keys = new Set(issued.map((answer) => answer.body.hashKey))
  assert.equal(keys.size, 100)
  for (const key of keys) assert.ok(await stored(key))
})

test('404: nobody has this key; 403: the user is suspended; nothing is written', async () => {
  const count = () =>
    sql<{ n: number }>`select count(*)::int as n from hash_key`
      .execute(database.db)
      .then(({ rows }) => rows[0]!.n)
  const before = await count()
  assert.deepEqual((await issue('nobody')).text, '{"error":"Not found"}')
  const command = { partner: code, partnerKey: userKey, reason: 'test', actor: 'test' }
  await setUserStatusOf(database, { ...command, status: 'suspended' })
  // In one batch with others that are fine.
  const other = (await mine.post(SIGNUP, signupOf(code, 'other'))).body.userKey
  const statuses = await Promise.all([issue(), issue(other), issue('nobody'), issue()])
  assert.deepEqual(
    statuses.map((answer) => answer.status),
    [403, 200, 404, 403],
  )
  await setUserStatusOf(database, { ...command, status: 'active' })
  assert.equal((await issue()).status, 200)
  assert.equal(await count(), before + 2)
})
