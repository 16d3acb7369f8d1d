import assert from 'node:assert/strict'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MOVED_IN } from '#app/data-dir.ts'
import { MARKER } from '#app/move/target.ts'
import { LOCKS } from '#base/db/locks.ts'
import { makePlace, type Place } from '#test/moving.ts'
import { ingot, temporaryFolder } from '#test/process.ts'

// `move` at a source that was moved does what is left to do. It never takes an absence for success.
const again = ({ settings }: Place, to: string) => ingot(settings, 'move', '--to', to)
const MISSING = (why: string) => new RegExp(`but is not found there: ${why}.*ingot move --undo`)

async function assertMissing(source: Place, to: string, why: string): Promise<void> {
  const { code, stderr } = await again(source, to)
  assert.equal(code, 1)
  assert.match(stderr, MISSING(why))
}

test('a server that lost the installation, or holds another, is no success', async () => {
  const [source, target, other] = [
    await makePlace('template'),
    await makePlace('empty'),
    await makePlace('template'),
  ]
  assert.equal((await again(source, target.url)).code, 0)
  const moved = await again(source, target.url)
  assert.deepEqual([moved.code, /moved and verified/.test(moved.stdout)], [0, true], moved.stderr)

  // As it would be if the last commit of the copy had been lost.
  await target.query(`create schema ingot_move; create table ingot_move.copy (id uuid, phase text)`)
  const [move] = await source.query('select id, target from installation_move')
  await target.query(`insert into ingot_move.copy values ('${move!.id}', 'prepared')`)
  await assertMissing(source, target.url, 'it holds a copy that was not verified')
  await target.query('drop schema ingot_move cascade')

  await target.query('drop schema public cascade; create schema public')
  await assertMissing(source, target.url, 'it is empty')
  const name = (place: Place) => new URL(place.url).pathname
  await source.query('update installation_move set target = $1', [
    move!.target.replace(name(target), name(other)),
  ])
  await assertMissing(source, other.url, 'it holds another installation')
})

test('a folder: a kill before the marker was renamed is mended, one that is gone is refused and not made', async (t) => {
  const [source, folder] = [await makePlace('template'), temporaryFolder()]
  t.after(() => folder.remove())
  const to = join(folder.path, 'data')
  const moved = await again(source, to)
  assert.equal(moved.code, 0, moved.stderr)
  renameSync(join(to, MOVED_IN), join(to, MARKER))
  const mended = await again(source, to)
  assert.equal(mended.code, 0, mended.stderr)
  assert.deepEqual([existsSync(join(to, MOVED_IN)), existsSync(join(to, MARKER))], [true, false])
  assert.equal((await again(source, to)).code, 0)
  rmSync(to, { recursive: true })
  await assertMissing(source, to, 'the folder is not the one that this move made')
  assert.equal(existsSync(to), false)
})

test('what the target would not get is refused before anything is stopped', async () => {
  const [source, target] = [await makePlace('template'), await makePlace('empty')]
  async function assertRefused(expected: RegExp): Promise<void> {
    const { code, stderr } = await again(source, target.url)
    assert.equal(code, 1)
    assert.match(stderr, expected)
    assert.deepEqual(await source.query('select from installation_move'), [])
  }
  await source.query(`select pg_advisory_lock(${LOCKS.migration})`)
  await assertRefused(/a release is migrating this database/)
  await source.query(`select pg_advisory_unlock(${LOCKS.migration})`)

  const [{ text }] = (await source.query(`select pg_get_functiondef('add_usage'::regproc) as text`)) as [
    { text: string },
  ]
  await source.query(text.replace(/insert/i, 'insert /* by hand */'))
  await assertRefused(/not as this release made them: add_usage\..*schema_function/)
  await source.query(text)

  await source.query('update schema_function set functions_version = functions_version + 1')
  await assertRefused(/a newer release has been here/)
  await source.query('update schema_function set functions_version = functions_version - 1')
  assert.equal((await again(source, target.url)).code, 0)
})

test('what an extension brought to the target stays when a copy is cleared', async () => {
  const [source, target] = [await makePlace('template'), await makePlace('empty')]
  await target.query('create table brought (id int); create sequence counted')
  await target.query(
    'alter extension plpgsql add table brought; alter extension plpgsql add sequence counted',
  )
  await source.query(`begin; set local session_replication_role = replica;
    insert into commission_rate values (987654, '2026-01-01', 100, 'issued', now(), 'test', gen_random_uuid()); commit`)
  const { code, stderr } = await again(source, target.url)
  assert.deepEqual([code, /the target is cleared/.test(stderr)], [1, true], stderr)
  const left = await target.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1`,
  )
  assert.deepEqual(
    left.map(({ relname }) => relname),
    ['brought', 'counted'],
  )
})
