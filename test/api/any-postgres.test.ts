import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { BoundedClient } from '#base/db/client.ts'
import { classify } from '#base/db/errors.ts'
import { connectionTo } from '#base/db/settings.ts'
import { ingot, temporaryFolder } from '#test/process.ts'
import { ROLE_PASSWORD, type StockPostgres, startStockPostgres } from '#test/stock-postgres.ts'

// One server for the whole file: it takes longer to start than all of this takes.
test('any PostgreSQL as it comes', async (t) => {
  const postgres = await startStockPostgres(t)
  for (const role of ['plain', 'certified', 'encrypted']) {
    await postgres.asSuperuser(`create role ${role} login password '${ROLE_PASSWORD}'`)
  }
  await testTls(t, postgres)
  await testPlainRole(t, postgres)
})

// How a connection by this address is encrypted, or why there is none.
async function reach(url: string): Promise<string> {
  const client = new BoundedClient({ ...connectionTo(url), connectionTimeoutMillis: 10_000 })
  try {
    await client.open()
    const { rows } = await client.query('select ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0].client_dn ?? (rows[0].ssl ? 'encrypted' : 'plain')
  } catch (error) {
    assert.equal(classify(error), 'unavailable')
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
    return code ?? message
  } finally {
    await client.end().catch(() => {})
  }
}

async function testTls(t: TestContext, { url, files, port }: StockPostgres): Promise<void> {
  const { authority, stranger, clientCertificate, clientKey } = files
  const cases: [role: string, query: string, expect: string][] = [
    ['plain', '', 'plain'],
    ['plain', '&sslmode=disable', 'plain'],
    ['plain', '&sslmode=require', 'encrypted'],
    ['plain', `&sslmode=require&sslrootcert=${stranger}`, 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['plain', `&sslmode=verify-ca&sslrootcert=${authority}`, 'encrypted'],
    ['plain', `&sslmode=verify-ca&sslrootcert=${stranger}`, 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['plain', `&sslmode=verify-full&sslrootcert=${authority}`, 'encrypted'],
    ['plain', '&sslmode=verify-full', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['plain', `&sslmode=verify-full&sslrootcert=${authority}&sslnegotiation=direct`, 'encrypted'],
    ['encrypted', '', '28000'],
    ['encrypted', '&sslmode=require', 'encrypted'],
    ['certified', `&sslmode=require&sslcert=${clientCertificate}&sslkey=${clientKey}`, '/CN=certified'],
    ['certified', '&sslmode=require', '28000'],
  ]
  for (const [role, query, expect] of cases) {
    await t.test(`TLS, ${role}${query.replaceAll(/=\/\S*?([^/]+\.pem)/g, '=$1')}: ${expect}`, async () => {
      assert.equal(await reach(url(role, 'postgres', query)), expect)
    })
  }
  await t.test('TLS: verify-full checks the name of each host, verify-ca of none', async () => {
    const at = (hosts: string, mode: string) =>
      reach(
        url('plain', 'postgres', `&sslmode=${mode}&sslrootcert=${authority}`).replace(
          `localhost:${port}`,
          hosts,
        ),
      )
    assert.equal(await at(`127.0.0.1:${port}`, 'verify-full'), 'ERR_TLS_CERT_ALTNAME_INVALID')
    assert.equal(await at(`127.0.0.1:${port}`, 'verify-ca'), 'encrypted')
    assert.equal(await at(`127.0.0.1:${port},localhost:${port}`, 'verify-full'), 'encrypted')
    assert.match(
      await at(`127.0.0.1:${port},[::1]:${port}`, 'verify-full'),
      /takes writes \(127.*ALTNAME_INVALID\); \[::1\].*ALTNAME_INVALID\)\)/,
    )
  })
}

async function testPlainRole(t: TestContext, { url, asSuperuser }: StockPostgres): Promise<void> {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  await asSuperuser('create database books')
  const address = url('plain', 'books')
  const run = (...args: string[]) => ingot({ DATABASE_URL: address, DATA_DIR: folder.path }, ...args)
  const onBooks = (statement: string) => asSuperuser(statement, 'books')

  await t.test('a role without rights is told which grants it needs, and then needs no more', async () => {
    await onBooks('revoke usage on schema public from public')
    const nowhere = await run('migrate')
    assert.match(
      nowhere.stderr,
      /plain has no schema to work in.* grant usage, create on schema public to plain/,
    )
    await onBooks('grant usage on schema public to plain')
    const refused = await run('migrate')
    const grants = refused.stderr.split('\n').filter((line) => line.startsWith('  grant'))
    assert.deepEqual(
      [refused.code, ...grants],
      [1, '  grant create on database books to plain;', '  grant usage, create on schema public to plain;'],
    )
    assert.equal((await onBooks(`select from pg_class where relname = 'installation'`)).length, 0)
    await onBooks(grants.join('\n'))
    const migrated = await run('migrate')
    assert.deepEqual([migrated.code, migrated.stderr], [0, ''])
    assert.equal((await run('partner', 'add', 'acme', '--name', 'Acme')).code, 0)
  })

  await t.test('a schema named like the account, or another path, changes nothing', async () => {
    await onBooks('create schema plain authorization plain')
    await onBooks('alter role plain set search_path = plain, "$user"')
    const verified = await run('verify')
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
    const inPlain = `select from pg_class where relnamespace = 'plain'::regnamespace
                     union all select from pg_proc where pronamespace = 'plain'::regnamespace`
    assert.equal((await onBooks(inPlain)).length, 0)
    assert.match((await run('partner', 'list')).stdout, /acme/)
  })

  await t.test('tables of another owner: the grant is named before a migration', async () => {
    await onBooks(`create role keeper; alter table partner owner to keeper;
                   delete from schema_migration where version = (select max(version) from schema_migration)`)
    const refused = await run('migrate')
    assert.match(refused.stderr, /grant keeper to plain;/)
    await onBooks('alter table partner owner to plain')
  })
}
