import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Report } from '#app/doctor/examine.ts'
import { BoundedClient } from '#base/db/client.ts'
import { openDatabase } from '#base/db/db.ts'
import { classify } from '#base/db/errors.ts'
import { connectionTo } from '#base/db/settings.ts'
import { until } from '#test/patience.ts'
import { noPgbouncer, startPgbouncer } from '#test/pgbouncer.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'
import { ROLE_PASSWORD, type StockPostgres, startStockPostgres } from '#test/stock-postgres.ts'

// One server for the whole file: it takes longer to start than all of this takes.
test('any PostgreSQL as it comes', async (t) => {
  const postgres = await startStockPostgres(t)
  for (const role of ['plain', 'certified', 'encrypted']) {
    await postgres.asSuperuser(`create role ${role} login password '${ROLE_PASSWORD}'`)
  }
  await testTls(t, postgres)
  await testPlainRole(t, postgres)
  await testPooler(t, postgres)
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

  await t.test(
    'a schema of its own: every invariant holds there too, and a restore skips numbers',
    async () => {
      await asSuperuser('create database elsewhere owner plain')
      await asSuperuser('create schema own authorization plain', 'elsewhere')
      const own = temporaryFolder()
      t.after(() => own.remove())
      const there = url('plain', 'elsewhere', '&options=-c%20search_path%3Down')
      const runThere = (...args: string[]) => ingot({ DATABASE_URL: there, DATA_DIR: own.path }, ...args)
      const last = async () =>
        (
          await asSuperuser(
            `select last_value from pg_sequences where schemaname = 'own' and sequencename = 'audit_entry_id_seq'`,
            'elsewhere',
          )
        )[0]!.last_value
      const added = await runThere('partner', 'add', 'acme', '--name', 'Acme')
      assert.equal(added.code, 0, added.stderr)
      // It checks every invariant.
      const restored = await runThere('restored')
      assert.equal(restored.code, 0, restored.stdout + restored.stderr)
      assert.ok(BigInt(await last()) > 1_000_000n)
    },
  )

  const doctor = async (settings: Record<string, string> = {}) => {
    const run = await ingot({ DATABASE_URL: address, DATA_DIR: folder.path, ...settings }, 'doctor', '--json')
    const report = JSON.parse(run.stdout) as Report
    assert.equal(run.code, report.ok ? 0 : 1)
    return report
  }
  const amiss = ({ findings }: Report) =>
    findings.filter(({ level }) => level !== 'ok').map(({ check, says }) => `${check}: ${says}`)

  await t.test('doctor finds this installation sound, but for what was left out for the test', async () => {
    const report = await doctor()
    assert.deepEqual(
      [report.skipped, amiss(report)],
      [[], ['durability: fsync is off: a power failure can destroy the database']],
    )
  })

  await t.test('doctor names what is closed to the account, and another key ring', async () => {
    await onBooks('alter table partner owner to ingot; revoke all on partner from plain')
    const closed = await doctor()
    assert.match(
      amiss(closed).join('\n'),
      /rights: the account plain may not read and write 1 tables, such as partner/,
    )
    await onBooks('alter table partner owner to plain; grant all on partner to plain')
    const other = temporaryFolder()
    t.after(() => other.remove())
    const ring = join(other.path, 'ring.json')
    assert.equal((await run('keys', 'generate', ring)).code, 0)
    assert.match(
      amiss(await doctor({ KEY_RING_FILE: ring })).join('\n'),
      /key ring: .* is not the key ring of this database/,
    )
  })

  await t.test('doctor works without a database, and with wrong settings', async () => {
    const unreached = await doctor({ DATABASE_URL: address.replace('/books', '/nowhere') })
    assert.match(amiss(unreached).join('\n'), /^database: the database cannot be reached: 3D000/)
    assert.ok(unreached.skipped.includes('version'))
    const unset = await doctor({ DATABASE_URL: 'postgresql://a,b/c?target_session_attrs=any', PORT: 'x' })
    assert.match(
      amiss(unset).join('\n'),
      /settings: PORT: .*\nsettings: DATABASE_URL: has target_session_attrs=any/,
    )
    const empty = await ingot({ DATA_DIR: join(folder.path, 'nowhere') }, 'doctor')
    assert.deepEqual([empty.code, existsSync(join(folder.path, 'nowhere'))], [0, false])
    assert.match(
      empty.stdout,
      /WARNING {2}database +there is no database in .*\n +→ The first start makes one/,
    )
  })

  await t.test('tables of another owner: the grant is named before a migration', async () => {
    await onBooks(`create role keeper; alter table partner owner to keeper;
                   delete from schema_migration where version = (select max(version) from schema_migration)`)
    const refused = await run('migrate')
    assert.match(refused.stderr, /grant keeper to plain;/)
    await onBooks('alter table partner owner to plain')
  })
}

async function testPooler(t: TestContext, { port, asSuperuser }: StockPostgres): Promise<void> {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  await asSuperuser('alter role plain reset search_path')
  await asSuperuser('create database pooled owner plain')
  const server = { port, user: 'plain', password: ROLE_PASSWORD }
  const settingsAt = (at: number) => ({
    DATABASE_URL: `postgresql://plain@127.0.0.1:${at}/pooled`,
    DATA_DIR: folder.path,
  })

  await t.test(
    'PgBouncer in transaction mode is refused before anything is written',
    { skip: noPgbouncer },
    async () => {
      const settings = settingsAt(await startPgbouncer(t, 'transaction', server))
      const refused = await ingot(settings, 'migrate')
      assert.deepEqual(
        [refused.code, refused.stderr.includes('pool_mode = session')],
        [1, true],
        refused.stderr,
      )
      const tables = await asSuperuser(`select from pg_class where relname = 'installation'`, 'pooled')
      assert.equal(tables.length, 0)
    },
  )

  await t.test(
    'PgBouncer in session mode, as it comes: migrate, buy, send, verify',
    { skip: noPgbouncer },
    async () => {
      const settings = settingsAt(await startPgbouncer(t, 'session', server))
      const started = await startServer(settings)
      await ingot(settings, 'partner', 'add', 'acme', '--name', 'Acme')
      const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ phoneNumber: PHONE, amount: 1000 })
      const bought = await call(`${started.url}${BUY}`, { method: 'POST', headers, body })
      assert.equal(bought.status, 200, bought.text)
      const unsent = `select from delivery where status <> 'delivered'`
      await until(
        async () => (await asSuperuser(unsent, 'pooled')).length === 0,
        'the worker sends both messages',
      )
      // Such as a pooler would drop at the start of a connection.
      assert.equal(await settingIn(settings.DATABASE_URL, 'lock_timeout'), '1500ms')
      const verified = await ingot(settings, 'verify')
      assert.equal(verified.code, 0, verified.stdout)
      assert.equal(await started.kill('SIGTERM'), 0)
    },
  )
}

async function settingIn(connectionString: string, name: string): Promise<string> {
  const database = openDatabase({
    connection: { connectionString },
    maxConnections: 1,
    onIdleError: () => {},
  })
  const text = `select current_setting('${name}') as value`
  const [row] = await database.read<{ value: string }>({ name, text }, [])
  await database.close()
  return row!.value
}
