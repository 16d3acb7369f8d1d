import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyBeforeUpgrade } from '#app/backup/before-upgrade.ts'
import { openSource, withClient } from '#app/backup/source.ts'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { listMigrations, schemaVersion } from '#app/database/migration-files.ts'
import { readFunction } from '#app/database/sql-functions.ts'
import { readConfig } from '#app/settings/config.ts'
import { createLog } from '#base/log.ts'
import { TEST_RING, TEST_RING_FILE } from '#test/postgres.ts'
import { ingot, temporaryFolder } from '#test/process.ts'
import { readReleaseBefore, restoreData } from '#test/release-recording.ts'

// The embedded database is copied before its schema changes: the way back to the release before.
const folder = temporaryFolder()
test.after(() => folder.remove())
const settings = { DATA_DIR: join(folder.path, 'data') }
const config = readConfig(settings)
const NEXT = schemaVersion() + 2
const copies = join(settings.DATA_DIR, 'before-upgrade')
const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })

async function applied(statement: string): Promise<void> {
  const { embedded } = await openSource(config)
  await withClient(embedded, (client) => client.query(statement)).finally(() => embedded.leave())
}

test('a first start makes no copy', async () => {
  const { code, stderr } = await ingot(settings, 'partner', 'add', 'kept', '--name', 'Kept')
  assert.equal(code, 0, stderr)
  assert.equal(existsSync(copies), false)
})

test('without room it refuses, with both numbers, and leaves nothing', async () => {
  await assert.rejects(
    copyBeforeUpgrade(config, log, NEXT, 1_000_000),
    /no room for it: \d+ MB are needed in .*, and 1\.0 MB are free. Nothing was changed.*COPY_BEFORE_UPGRADE=off/,
  )
  assert.equal(existsSync(copies), false)
})

test('the last copy is kept, closed to others, and restores into an empty folder', async () => {
  await copyBeforeUpgrade(config, log, NEXT)
  const [first] = readdirSync(join(copies, 'backups'))
  await copyBeforeUpgrade(config, log, NEXT)
  const [last, ...more] = readdirSync(join(copies, 'backups'))
  assert.ok(last !== undefined && last !== first && more.length === 0)
  const key = `${copies}.key`
  for (const [path, mode] of [
    [key, 0o600],
    [copies, 0o700],
  ] as const)
    assert.equal(statSync(path).mode & 0o777, mode, path)
  assert.ok(lines.some((line) => line.includes(`ingot restore --from ${copies} --key ${key}`)))

  // Half way: one of the two migrations is applied. A copy of that is no way back, but has what was written since.
  await applied(`insert into schema_migration (version, name, checksum) values (${NEXT - 1}, 'half', 'x')`)
  await copyBeforeUpgrade(config, log, NEXT)
  assert.deepEqual(readdirSync(join(copies, 'backups')), [last])
  assert.equal(readdirSync(join(`${copies}-resumed`, 'backups')).length, 1)
  assert.ok(lines.at(-1)?.includes(`from before the upgrade stays in ${copies}`))
  await applied(`delete from schema_migration where version = ${NEXT - 1}`)

  const back = { DATA_DIR: join(folder.path, 'back') }
  const restored = await ingot(back, 'restore', '--from', copies, '--key', key)
  assert.equal(restored.code, 0, restored.stderr)
  const partners = await ingot(back, 'partner', 'list', '--json')
  assert.ok(JSON.parse(partners.stdout).some(({ code }: { code: string }) => code === 'kept'))
})

// The embedded database of an earlier release, with its data and its keys.
async function becomeReleaseBefore(): Promise<number> {
  const release = readReleaseBefore()
  const { embedded, dataDir } = await openSource(config)
  try {
    await withClient(embedded, async (client) => {
      await client.query('drop schema public cascade')
      await client.query('create schema public')
    })
    await migrate(embedded.connection, stampOf('sandbox', TEST_RING), {
      migrations: listMigrations().filter(({ version }) => version <= release.schemaVersion),
      functions: release.functions.map(({ name, sql }) => readFunction(name, sql)),
    })
    await withClient(embedded, (client) => restoreData(client, release))
  } finally {
    await embedded.leave()
  }
  const secrets = join(dataDir, 'secrets.json')
  const known = JSON.parse(readFileSync(secrets, 'utf8'))
  writeFileSync(secrets, JSON.stringify({ ...known, keyRing: JSON.parse(TEST_RING_FILE) }))
  return release.tables.gift_card!.length
}

test('a backup of an earlier release is restored and upgraded, and its books hold', async () => {
  const cards = await becomeReleaseBefore()
  const place = [join(folder.path, 'out'), '--key', join(folder.path, 'key')] as const
  for (const words of [
    ['backup', 'key', place[2]],
    ['backup', '--to', ...place],
  ]) {
    const { code, stderr } = await ingot(settings, ...words)
    assert.equal(code, 0, stderr)
  }
  const next = { DATA_DIR: join(folder.path, 'next') }
  const restored = await ingot(next, 'restore', '--from', ...place)
  assert.equal(restored.code, 0, restored.stderr)
  const verified = await ingot(next, 'verify')
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  const { embedded, schema } = await openSource(readConfig(next))
  try {
    const { rows } = await withClient(embedded, (client) => client.query('select id from gift_card'))
    assert.deepEqual([rows.length, schema], [cards, schemaVersion()])
  } finally {
    await embedded.leave()
  }
})
