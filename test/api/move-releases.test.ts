import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { bringUpToDate } from '#app/database/migrate.ts'
import { listMigrations } from '#app/database/migration-files.ts'
import { functionsVersion, listFunctions } from '#app/database/sql-functions.ts'
import { stopWrites } from '#app/move/stop-writes.ts'
import { makePlace, type Place } from '#test/moving.ts'
import { ingot } from '#test/process.ts'
import { answer, migration, STAMP } from '#test/sql-releases.ts'

// Another release is started on a database that is being moved, or was. It would write first, and the tables refuse that.
async function stop({ query, connection }: Place, state: string): Promise<void> {
  await query(
    'insert into installation_move (id, state, target, begun_by) values (gen_random_uuid(), $1, $2, $3)',
    [state, 'postgresql:///elsewhere', 'test'],
  )
  const client = new pg.Client(connection)
  await client.connect()
  await stopWrites(client)
  await client.end()
}

const withFunctions = {
  functions: [...listFunctions(), answer('new')],
  functionsVersion: functionsVersion() + 1,
}
const withMigration = { migrations: [...listMigrations(), migration(9_001)] }
const BEGAN =
  /being moved to postgresql:\/\/\/elsewhere.*With the release that began the move, finish it.*or undo it/

test('a later release is told to let the earlier one end the move, before it copies or changes anything', async () => {
  const source = await makePlace('template')
  await stop(source, 'stopped')
  let copies = 0
  const start = (release: object) =>
    bringUpToDate(source.connection, STAMP, release, async () => {
      copies += 1
    })
  await assert.rejects(start(withMigration), BEGAN)
  await assert.rejects(start(withFunctions), BEGAN)
  await assert.rejects(start({ ...withMigration, evenIfMoved: true }), BEGAN)
  const { applied } = await start({ ...withFunctions, evenIfMoved: true })
  assert.deepEqual(applied, [], 'a command that ends moves applies nothing')
  await source.query(`update installation_move set state = 'moved'`)
  await assert.rejects(start(withMigration), /was moved to postgresql:\/\/\/elsewhere: set DATABASE_URL/)
  assert.equal(copies, 0)
  assert.deepEqual(await source.query(`select from pg_proc where proname = 'answer'`), [])
})

test('this release on a move that an earlier one began: the undo works, then the functions come', async () => {
  const source = await makePlace('template')
  // The earlier release had another text.
  await source.query(`update schema_function set checksum = 'earlier', functions_version = functions_version - 1
                       where name = 'add_usage'`)
  await stop(source, 'stopped')
  const command = (...words: string[]) => ingot(source.settings, ...words)
  assert.match((await command('partner', 'list')).stderr, BEGAN)
  const target = await makePlace('empty')
  assert.match(
    (await command('move', '--to', target.url)).stderr,
    /of an earlier release, which began this move/,
  )
  const undone = await command('move', '--undo')
  assert.equal(undone.code, 0, undone.stderr)
  assert.equal((await command('partner', 'list')).code, 0)
  assert.deepEqual(await source.query(`select from schema_function where checksum = 'earlier'`), [])
})
