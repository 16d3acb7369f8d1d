import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '#test/patience.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { startPostgresProxy } from '#test/postgres-proxy.ts'
import { openDatabase } from './db.ts'
import { classify } from './errors.ts'

const on = await createTestDatabase('empty')
const proxy = await startPostgresProxy(on)
const database = openDatabase({
  connection: { connectionString: proxy.url },
  maxConnections: 3,
  onIdleError: () => {},
})
after(async () => {
  await database.close()
  await on.drop()
})

test('a long statement is not bounded by time', async () => {
  // Longer than any other statement may take, on either side.
  const { rows } = await database.withSnapshot((tx) =>
    sql<{ n: number }>`select 1 as n from pg_sleep(12)`.execute(tx),
  )
  assert.equal(rows[0]?.n, 1)
})

for (const [name, swallow] of [
  ['its answer was lost', false],
  ['nothing answers any more', true],
] as const) {
  test(`a long statement is given up when ${name}`, async () => {
    const long = database
      .withLongTransaction((tx) => sql`select pg_sleep(3)`.execute(tx))
      .catch((error) => error)
    await until(async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where query = 'select pg_sleep(3)' and state = 'active'`,
      )
      return rows.length > 0
    })
    proxy.killExisting()
    proxy.swallowNew(swallow)
    assert.equal(classify(await long), 'unavailable')
    proxy.swallowNew(false)
    assert.equal((await database.pool.query('select 1 as n')).rows[0].n, 1)
  })
}
