import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '#test/postgres.ts'
import { startPostgresProxy } from '#test/postgres-proxy.ts'
import { openDatabase } from './db.ts'
import { classify } from './errors.ts'

const on = await createTestDatabase('empty')
const [silent, first, second] = await Promise.all([1, 2, 3].map(() => startPostgresProxy(on)))
const REFUSING = '127.0.0.1:1'
silent!.swallowNew(true)

const hostOf = ({ url }: { url: string }) => new URL(url).host
const SILENT = Array.from({ length: 4 }, () => hostOf(silent!))
const [, credentials, path] = /^postgresql:\/\/(.*)@[^/]*(\/.*)$/.exec(first!.url)!
const address = (...hosts: string[]) => `postgresql://${credentials}@${hosts.join(',')}${path}`

const lost: string[] = []
const database = openDatabase({
  connection: {
    connectionString: address(...SILENT, REFUSING, hostOf(first!), hostOf(second!)),
  },
  maxConnections: 2,
  // Asked one after the other, the silent ones would take longer than that.
  waitMs: 10_000,
  onIdleError: (error) => lost.push(error.message),
})
const ask = (text = 'select 1 as n') => database.read<{ n: number }>({ name: text, text }, [])
const asAdmin = async (statement: string) => {
  const admin = new pg.Client({ ...on.connection, database: 'postgres' })
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}
after(async () => {
  await database.close()
  await on.drop()
})

test('the one that takes writes is found past hosts that are silent or refuse', async () => {
  assert.deepEqual(await ask(), [{ n: 1 }])
})

test('it is found again when it goes away, wherever it is then', async () => {
  for (const [gone, there] of [
    [first!, second!],
    [second!, first!],
  ] as const) {
    there.comeBack()
    gone.goAway()
    // One statement may meet the loss; the next one finds it.
    await ask().catch((error) => assert.equal(classify(error), 'unavailable'))
    assert.deepEqual(await ask(), [{ n: 1 }])
  }
  second!.comeBack()
})

test('a connection whose server became read-only is dropped with the idle ones', async () => {
  await ask('create table written ()')
  const clients = await Promise.all([database.pool.connect(), database.pool.connect()])
  for (const client of clients) client.release()
  const before = new Set(clients)
  await ask('set default_transaction_read_only = on')
  const error = await ask('insert into written default values').catch((failed) => failed)
  assert.deepEqual([error.code, classify(error)], ['25006', 'unavailable'])
  const after = await Promise.all([database.pool.connect(), database.pool.connect()])
  assert.ok(after.every((client) => !before.has(client)))
  for (const client of after) client.release()
  await ask('insert into written default values')
})

test('if none takes writes, the failure says what each of them answered', async () => {
  await asAdmin(`alter database ${on.connection.database} set default_transaction_read_only = on`)
  const few = openDatabase({
    connection: { connectionString: address(REFUSING, hostOf(first!)) },
    maxConnections: 1,
    waitMs: 10_000,
    onIdleError: () => {},
  })
  const failed = await few.read({ name: 'one', text: 'select 1' }, []).catch((error) => error)
  assert.equal(classify(failed), 'unavailable')
  assert.match(
    failed.message,
    /no host .* takes writes \(127\.0\.0\.1:1: Error ECONNREFUSED; 127\.0\.0\.1:\d+: it is a standby, or read-only\)/,
  )
  await asAdmin(`alter database ${on.connection.database} reset default_transaction_read_only`)
  assert.equal((await few.read({ name: 'one', text: 'select 1' }, [])).length, 1)
  await few.close()
})
