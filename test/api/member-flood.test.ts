import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newPerson, PASSWORD } from '#test/member.ts'
import { PHONE, startService } from '#test/service.ts'

const service = await startService({ costlyPasswords: true })
const partner = await service.addPartner()
const { url } = service

const post = (path: string, body: object) => () =>
  fetch(`${url}/member${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

// What anyone can ask without being anybody.
const FLOODS: Record<string, () => Promise<Response>> = {
  prices: () => fetch(`${url}/member/prices`),
  'history of a price': () => fetch(`${url}/member/prices/gold/history?period=1y`),
  'a new password': () => post('/recover', { verificationId: randomUUID(), password: PASSWORD })(),
  'a text': () => post('/identity', { purpose: 'sign_up', ...newPerson() })(),
  'a session': () => post('/login', { loginId: `someone${newPerson().mdn}`, password: PASSWORD })(),
  'a code': () => post(`/identity/${randomUUID()}/confirm`, { code: '123456' })(),
}

// How many wait for a connection, of which there are 12, looked at all the while.
function watchPool() {
  const { pool } = service.database
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, pool.waitingCount, pool.totalCount - pool.idleCount)
  }, 1)
  return () => {
    clearInterval(timer)
    return most
  }
}

for (const [what, ask] of Object.entries(FLOODS)) {
  test(`a flood of strangers who ask for ${what} leaves purchases their connections`, async () => {
    let over = false
    const flood = Array.from({ length: 100 }, async () => {
      while (!over) await (await ask()).arrayBuffer()
    })
    const most = watchPool()
    for (let i = 0; i < 10; i += 1) {
      assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 1_000 })).status, 200)
    }
    const taken = most()
    over = true
    await Promise.all(flood)
    assert.ok(taken <= 8, `${taken} connections were taken or waited for`)
  })
}
