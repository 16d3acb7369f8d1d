import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/patience.ts'
import { call, PHONE, startService } from '#test/service.ts'

const service = await startService()
const partner = await service.addPartner()
const { pool } = service.database
const ready = () => call(`${service.url}/readyz`)
const buy = () => partner.buy({ phoneNumber: PHONE, amount: 1_000 })

// As PostgreSQL says it: the disk is full, the disk fails, the server was demoted.
for (const sqlState of ['53100', '58030', '25006']) {
  test(`writes that fail with ${sqlState} are said by /readyz, until one succeeds`, async () => {
    await pool.query(`
      create or replace function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'no room' using errcode = '${sqlState}'; end $$`)
    await pool.query('create trigger no_room before insert on gift_card execute function no_room()')
    assert.equal((await ready()).status, 200, 'it is learned from a write, not asked for')
    assert.equal((await buy()).status, 503)
    const told = await ready()
    assert.deepEqual([told.status, told.headers.get('x-not-ready')], [503, 'writes'])
    assert.match((await call(`${service.url}/metrics`)).text, /^ingot_writes_failing 1$/m)
    const line = JSON.parse(service.log.findLast((text) => text.includes('"event":"not ready"')) ?? '{}')
    assert.deepEqual([line.sqlState, line.reason], [sqlState, 'writes'])

    await pool.query('drop trigger no_room on gift_card')
    assert.equal((await buy()).status, 200)
    assert.equal((await ready()).status, 200)
    assert.match((await call(`${service.url}/metrics`)).text, /^ingot_writes_failing 0$/m)
  })
}

test('taken out of service, with no purchase to learn from, it is ready again after a while', async () => {
  await pool.query('create trigger no_room before insert on gift_card execute function no_room()')
  await buy()
  assert.equal((await ready()).status, 503)
  await pool.query('drop trigger no_room on gift_card')
  await until(async () => (await ready()).status === 200)
})

test('what only one request is refused for says nothing about writes', async () => {
  await pool.query(`
    create or replace function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '23514'; end $$`)
  await pool.query('create trigger no_room before insert on gift_card execute function no_room()')
  assert.notEqual((await buy()).status, 200)
  assert.equal((await ready()).status, 200)
  await pool.query('drop trigger no_room on gift_card')
})
