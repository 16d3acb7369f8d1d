import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from '#app/database/migrate.ts'
import { listMigrations } from '#app/database/migration-files.ts'
import { readFunction } from '#app/database/sql-functions.ts'
import { makePlace, type Place } from '#test/moving.ts'
import { ingot } from '#test/process.ts'
import { readReleaseBefore, restoreData } from '#test/release-recording.ts'
import { STAMP } from '#test/sql-releases.ts'

// An installation that was upgraded from an older release has rows that break checks of today. They were added NOT VALID.
const CHECKS = `select conrelid::regclass || '.' || conname as name, pg_get_constraintdef(oid) as def from pg_constraint
  where contype = 'c' and not convalidated order by 1`

async function restoreRelease(place: Place): Promise<void> {
  const release = readReleaseBefore()
  await migrate(place.connection, STAMP, {
    migrations: listMigrations().filter(({ version }) => version <= release.schemaVersion),
    functions: release.functions.map(({ name, sql }) => readFunction(name, sql)),
  })
  const client = new pg.Client(place.connection)
  await client.connect()
  await restoreData(client, release)
  await client.end()
  await migrate(place.connection, STAMP)
}

// As releases wrote them before each check was added.
async function plantOldRows({ query }: Place): Promise<void> {
  const rows = {
    metal_price_by_hand: `insert into metal_price (metal, at, won_per_gram, source) values ('XAU', '2026-01-01', 1, 'operator')`,
    commission_rate_two_people: `insert into commission_rate (partner_id, effective_from, bps, base, set_at, set_by)
      select id, '2026-01-01', 100, 'issued', '2026-01-01', 'cli:old' from partner order by id limit 1`,
  }
  for (const [check, row] of Object.entries(rows)) {
    const [{ name, def }] = (await query(`${CHECKS.replace('order', 'and conname = $1 order')}`, [
      check,
    ])) as [pg.QueryResultRow]
    const table = `alter table ${name.split('.')[0]}`
    await query(`${table} drop constraint ${check}; ${row}; ${table} add constraint ${check} ${def}`)
  }
}

// How many rows break each check.
async function broken(place: Place): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, def } of await place.query(CHECKS)) {
    const [, condition] = /^CHECK \((.*)\) NOT VALID$/s.exec(def) ?? []
    const [row] = await place.query(
      `select count(*)::int as rows from ${name.split('.')[0]} where not (${condition})`,
    )
    if (row!.rows > 0) counts[name] = row!.rows
  }
  return counts
}

test('the release before, upgraded, moves with the rows that checks of today would refuse', async () => {
  const [source, target] = [await makePlace('empty'), await makePlace('empty')]
  await restoreRelease(source)
  const checks = await source.query(CHECKS)
  await plantOldRows(source)
  const before = await broken(source)
  assert.deepEqual(Object.keys(before), [
    'commission_rate.commission_rate_two_people',
    'metal_price.metal_price_by_hand',
  ])
  assert.deepEqual(await source.query(CHECKS), checks)
  const moved = await ingot(source.settings, 'move', '--to', target.url)
  assert.equal(moved.code, 0, moved.stderr)
  assert.deepEqual(await target.query(CHECKS), checks)
  assert.deepEqual(await broken(target), before)
  const byHand = `insert into metal_price (metal, at, won_per_gram, source) values ('XAU', now(), 1, 'operator')`
  await assert.rejects(target.query(byHand), /metal_price_by_hand/, 'new rows are held to it')
})

test('a row that cannot be copied is named by its table and constraint', async () => {
  const [source, target] = [await makePlace('template'), await makePlace('empty')]
  await source.query(`begin; set local session_replication_role = replica;
    insert into commission_rate values (987654, '2026-01-01', 100, 'issued', now(), 'test', gen_random_uuid()); commit`)
  const moved = await ingot(source.settings, 'move', '--to', target.url)
  assert.equal(moved.code, 1)
  assert.match(
    moved.stderr,
    /23503 in table commission_rate, constraint commission_rate_\w+_fkey\)\. Nothing was moved, and this .* is open again/,
  )
  assert.doesNotMatch(moved.stderr, /987654/)
  await source.query('update installation set mode = mode')
  assert.deepEqual(await target.query(`select from pg_class where relname = 'gift_card'`), [])
})
