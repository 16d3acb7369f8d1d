import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMember, BEHIND_PROXY, Browser, logIn, PASSWORD, verify } from '#test/member.ts'
import { startService } from '#test/service.ts'

const service = await startService({ ...BEHIND_PROXY, costlyPasswords: true })
const { database, url } = service
const WRONG = 'a wrong password'

const failures = async (): Promise<number> => {
  const { rows } = await database.pool.query(
    `select coalesce(sum(failures), 0)::int as n from guess_count where (kind, scope) = ('login', 'all')`,
  )
  return rows[0].n
}

test('while strangers log in by the hundred, a known device is served at once', async () => {
  const { browser, loginId } = await addMember(service)
  let answered = 0
  const storm = Array.from({ length: 120 }, async (_, i) => {
    const { status } = await logIn(new Browser(url), `stranger${i}`, WRONG)
    answered += 1
    return status
  })
  // One of them is being looked at, so that the queue is there.
  await Promise.race(storm)
  assert.equal((await logIn(browser, loginId)).status, 200)
  const before = answered
  const statuses = await Promise.all(storm)
  assert.ok(before < 60, `${before} of 120 strangers were answered before it`)
  // Late ones are told to come back.
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 401 && status !== 503),
    [],
  )
})

test("what strangers try at an id does not keep its owner's device out", async () => {
  const { browser, loginId, person } = await addMember(service)
  for (let i = 0; i < 10; i += 1) assert.equal((await logIn(new Browser(url), loginId, WRONG)).status, 401)
  assert.equal((await logIn(new Browser(url), loginId)).status, 429)
  assert.equal((await logIn(browser, loginId)).status, 200)
  await verify(browser, 'step_up', person)
  const next = { current: PASSWORD, next: 'another horse battery' }
  assert.equal((await browser.post('/password', next)).status, 204)
  // It has a count of its own.
  for (let i = 0; i < 10; i += 1) assert.equal((await logIn(browser, loginId, WRONG)).status, 401)
  assert.equal((await logIn(browser, loginId)).status, 429)
})

test('no password is looked at for those who have hung up', async () => {
  const before = await failures()
  const gone = new AbortController()
  const storm = Array.from({ length: 60 }, (_, i) =>
    fetch(`${url}/member/session`, {
      method: 'POST',
      signal: gone.signal,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.18.7.${i}` },
      body: JSON.stringify({ loginId: `leaver${i}`, password: WRONG }),
    }).then(
      () => true,
      () => false,
    ),
  )
  await Promise.race(storm)
  gone.abort()
  const answered = (await Promise.all(storm)).filter(Boolean).length
  // Served after whatever was still looked at.
  assert.equal((await logIn(new Browser(url), 'one.more', WRONG)).status, 401)
  const looked = (await failures()) - before - 1
  assert.ok(looked < answered + 10, `${looked} of 60 were looked at, ${answered} were answered`)
  assert.ok(looked < 50, `${looked} of 60`)
})
