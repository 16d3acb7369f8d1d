import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '#test/postgres.ts'
import { openPool } from './pool.ts'

const database = await createTestDatabase('empty')
after(() => database.drop())

test('a pool that is given up leaves the connections of other pools alone', async () => {
  const lost: Error[] = []
  const open = () => openPool({ ...database.connection, max: 3 }, (error) => lost.push(error))
  const [mine, other] = [open(), open()]
  const use = () => Promise.all([1, 2, 3].map(() => mine.pool.query('select 1')))
  await use()
  await other.pool.query('select 1')
  other.destroy()
  assert.deepEqual([mine.pool.idleCount, lost], [3, []])
  await use()
  await mine.close()
})

test('a pool that is closed still serves those who wait for a connection', async () => {
  const { pool, close } = openPool({ ...database.connection, max: 1 }, () => {})
  const asked = [1, 2, 3].map(() => pool.query('select 1'))
  await Promise.all([close(), ...asked])
})
