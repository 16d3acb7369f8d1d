import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyBeforeUpgrade } from '#app/backup/before-upgrade.ts'
import { openSource, withClient } from '#app/backup/source.ts'
import { schemaVersion } from '#app/database/migration-files.ts'
import { readConfig } from '#app/settings/config.ts'
import { createLog } from '#base/log.ts'
import { ingot, temporaryFolder } from '#test/process.ts'

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
