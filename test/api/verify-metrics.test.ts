import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createLog } from '#base/log.ts'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { verifyBooksJob } from '#jobs/verify-books.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { call, PHONE, startService } from '#test/service.ts'

// Broken books wake somebody: what the nightly run found is in the metrics of every process, until a run finds otherwise.
const service = await startService()
const { database } = service

async function figure(url: string, name: string): Promise<number | undefined> {
  const { text } = await call(`${url}/metrics`)
  const line = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)
  return line ? Number(line[1]) : undefined
}

const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })
const outside = () => ({ place: { host: 'test', folder: 'test' }, anchors: undefined })
const run = async () =>
  verifyBooksJob({ database, keys: await openVaultKeeper(database, TEST_RING_STORE), log, outside })

test('before the first run there is an age, counted from the installation, and no result', async () => {
  assert.equal(await figure(service.url, 'ingot_verify_ok'), undefined)
  await database.pool.query(`update installation set created_at = now() - interval '27 hours'`)
  const age = await figure(service.url, 'ingot_verify_age_seconds')
  assert.ok(age !== undefined && age > 93_600, 'older than the alert allows')
})

test('a run that finds nothing, one that finds something, and one after it was mended', async () => {
  await run()
  assert.equal(await figure(service.url, 'ingot_verify_ok'), 1)
  assert.ok((await figure(service.url, 'ingot_verify_age_seconds'))! < 600)

  await database.pool.query('alter table transfer disable trigger transfer_is_final')
  await run()
  assert.ok(lines.some((line) => /books do not balance/.test(line) && /triggers_are_in_place/.test(line)))
  // A process that started later says so too.
  const other = await startService({ beside: service })
  for (const { url } of [service, other]) {
    assert.equal(await figure(url, 'ingot_verify_ok'), 0)
    assert.equal(await figure(url, 'ingot_verify_broken_checks'), 1)
  }
  const { rows } = await database.pool.query(
    'select ok, last_ok_at < finished_at as earlier from verification',
  )
  assert.deepEqual(rows[0], { ok: false, earlier: true })

  // Whoever can write to the database says otherwise.
  await database.pool.query(
    'update verification set ok = true, broken = 0, finished_at = now(), last_ok_at = now()',
  )
  assert.equal(await figure(service.url, 'ingot_verify_ok'), 0)

  await database.pool.query('alter table transfer enable trigger transfer_is_final')
  await run()
  assert.equal(await figure(service.url, 'ingot_verify_ok'), 1)
})

test('a release before, which runs beside, signs its checkpoint only, and counts', async () => {
  const seal = createSealTransfers(database, { most: 10, seconds: 0, rest: 0 })
  await seal()
  await run()
  await database.pool.query('update verification set signature = null')
  assert.equal(await figure(service.url, 'ingot_verify_ok'), 1)
  await database.pool.query(`update verification set finished_at = finished_at + interval '1 second'`)
  assert.equal(await figure(service.url, 'ingot_verify_ok'), 0)
  await run()
})

test('transfers that wait to be sealed are in the metrics', async () => {
  assert.equal(await figure(service.url, 'ingot_transfers_unsealed_seconds'), 0)
  const { buy } = await service.addPartner()
  assert.equal((await buy({ phoneNumber: PHONE, amount: 1_000 })).status, 200)
  // Since the installation began, as nothing was sealed yet.
  assert.ok((await figure(service.url, 'ingot_transfers_unsealed_seconds'))! > 93_600)
  await createSealTransfers(database, { most: 10, seconds: 0, rest: 0 })()
  assert.equal(await figure(service.url, 'ingot_transfers_unsealed_seconds'), 0)
})
