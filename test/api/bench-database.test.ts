import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase } from '#test/postgres.ts'
import { GivenDatabase } from '../../bench/given-database.ts'

const BENCH = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

async function bench(...args: string[]): Promise<{ code: number; complaint: string }> {
  const child = spawn(process.execPath, [BENCH, '--quick', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, complaint }
}

const contents = `select (select count(*) from pg_class)::int as classes, (select count(*) from partner)::int as partners`

test('the benchmark refuses a database that is not empty, and touches nothing', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client(database.connection)
  await client.connect()
  const before = (await client.query(contents)).rows
  const { code, complaint } = await bench('--database-url', database.url)
  assert.equal(code, 2)
  assert.match(complaint, /^--database-url: this database is not empty\./)
  assert.deepEqual((await client.query(contents)).rows, before)
  await client.end()
  await database.drop()
})

test('schemas that temporary tables leave behind do not count', async () => {
  const database = await createTestDatabase('empty')
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('create temporary table left_behind (n integer)')
  await client.end()
  const given = new GivenDatabase(database.url)
  await given.takeOver()
  await given.empty()
  await given.takeOver()
  await database.drop()
})

test('a second database is made on the server of the given one, and goes', async () => {
  const database = await createTestDatabase('empty')
  const given = new GivenDatabase(database.url)
  await given.takeOver()
  const second = await given.second()
  const client = new pg.Client(second.url)
  client.on('error', () => {}) // it is cut off below
  await client.connect()
  const { rows } = await client.query('select current_database() as name')
  assert.equal(rows[0].name, `${database.connection.database}_second`)
  await assert.rejects(
    given.second(),
    /^Error: --database-url: this part compares two databases .* already exists/,
  )
  await second.empty() // the connection is still open
  await assert.rejects(new pg.Client(second.url).connect(), /does not exist/)
  await given.empty()
  await database.drop()
})

test('the benchmark refuses an account whose name is that of its schema', async () => {
  const given = new GivenDatabase('postgresql://bench@127.0.0.1/any')
  await assert.rejects(given.takeOver(), /an account called bench is in the way/)
})

test('the benchmark refuses what is no address', async () => {
  const { code, complaint } = await bench('--database-url', 'mysql://localhost/x')
  assert.equal(code, 2)
  assert.match(complaint, /^--database-url takes a postgresql:\/\/ address/)
})
