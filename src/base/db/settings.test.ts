import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '#test/postgres.ts'
import { startPostgresProxy } from '#test/postgres-proxy.ts'
import { BoundedClient } from './client.ts'
import { withSettings } from './settings.ts'

const database = await createTestDatabase('empty')
after(() => database.drop())

async function show(
  config: ConstructorParameters<typeof BoundedClient>[0],
  names: string[],
): Promise<string[]> {
  const client = new BoundedClient(config)
  await client.connect()
  const shown: string[] = []
  for (const name of names) {
    shown.push((await client.query(`select current_setting('${name}') as value`)).rows[0].value)
  }
  await client.end()
  return shown
}

const NAMES = ['jit', 'enable_seqscan', 'work_mem', 'search_path']
const OURS = { enable_seqscan: 'off' }
const OPTIONS = '-c work_mem=12MB -c search_path=elsewhere'

test('options of the address and our own both count', async () => {
  const connectionString = `${database.url}&options=${encodeURIComponent(OPTIONS)}`
  const cases = [
    { config: { connectionString }, expect: ['off', 'off', '12MB', 'elsewhere'] },
    { config: { ...database.connection, options: OPTIONS }, expect: ['off', 'off', '12MB', 'elsewhere'] },
    { config: { connectionString: database.url }, expect: ['off', 'off', '4MB', '"$user", public'] },
    // An operator who asks for it by name gets it.
    {
      config: { connectionString: `${database.url}&options=${encodeURIComponent('-c jit=on')}` },
      expect: ['on', 'off', '4MB', '"$user", public'],
    },
  ]
  for (const { config, expect } of cases)
    assert.deepEqual(await show(withSettings(config, OURS), NAMES), expect)
})

test('over TCP the server is told to let go of clients that are gone; on a socket that means nothing', async () => {
  const names = ['tcp_user_timeout', 'tcp_keepalives_idle']
  assert.deepEqual(await show(withSettings(database.connection), names), ['0', '0'])
  const { session, keepAlive, keepAliveInitialDelayMillis } = withSettings(database.connection)
  assert.deepEqual([session?.tcp_user_timeout, session?.tcp_keepalives_idle], ['15000', '10'])
  assert.deepEqual([keepAlive, keepAliveInitialDelayMillis], [true, 5_000])
})

test('a connection that is swallowed, or whose server never says goodbye, holds nobody up', async () => {
  const proxy = await startPostgresProxy(database)
  const config = withSettings({ connectionString: proxy.url })
  const client = new BoundedClient(config)
  await client.connect()
  proxy.killExisting()
  await client.end()
  proxy.swallowNew(true)
  // Only here: on a busy machine a connection that is answered may take as long.
  const hasty = new BoundedClient({ ...config, connectionTimeoutMillis: 500 })
  await assert.rejects(hasty.connect(), /timeout expired|terminated/)
})

test('a statement that goes unanswered ends its connection, and the next ones fail at once', async () => {
  const proxy = await startPostgresProxy(database)
  const client = new BoundedClient({ connectionString: proxy.url, statementMs: 3_000 })
  await client.connect()
  assert.equal((await client.query('select 1 as one')).rows[0].one, 1)
  proxy.killExisting()
  await assert.rejects(client.query('select 1'), { message: 'the database did not answer within 3 s' })
  await assert.rejects(client.query('rollback'))
  await client.end()
})
