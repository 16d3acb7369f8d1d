import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { isRoot, unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { copyBase } from '#app/embedded-postgres/base-copy.ts'
import { copyBaseTo } from '#app/embedded-postgres/copy-to-folder.ts'
import { ask, clusterOf, copyDataDir, enter, makeDataDir } from '#test/embedded-postgres.ts'
import { until } from '#test/patience.ts'

const account = isRoot() ? (unprivilegedAccounts()[0] ?? null) : null

test('a copy of a cluster that is written to starts as a cluster with every row committed before its end', async (t) => {
  const dataDir = await copyDataDir(t)
  const original = await enter(dataDir)
  await ask(original.connection, 'create table row (id int primary key, filler text)')
  const writer = new Client(original.connection)
  await writer.connect()
  let written = 0
  let writing = true
  const write = async () => {
    for (let id = 1; writing; id += 1) {
      await writer.query(`insert into row values ($1, repeat('x', 2000))`, [id])
      written = id
    }
  }
  const writes = write()
  await until(() => written > 20, 'rows before the copy')

  const restored = makeDataDir(t)
  const home = join(restored, 'postgres')
  mkdirSync(home, { mode: account ? 0o711 : 0o700 })
  const progress: number[] = []
  let beforeStop = 0
  const copy = await copyBaseTo(original.connection, clusterOf(dataDir), join(home, 'data'), {
    account,
    onProgress(done, total) {
      progress.push(done / total)
      beforeStop = written
    },
  })
  const atEnd = written
  writing = false
  await writes
  await writer.end()

  assert.ok(progress.at(-1)! > 0.99)
  assert.ok(progress.every((part, i) => part >= (progress[i - 1] ?? 0)))
  assert.ok(copy.startedAt < copy.endedAt)
  assert.deepEqual(await ask(original.connection, 'select count(*)::int from pg_replication_slots'), 0)
  const copied = readdirSync(join(home, 'data'))
  assert.ok(!copied.includes('postmaster.pid') && copied.includes('backup_label'))
  assert.equal(statSync(join(home, 'data')).mode & 0o777, 0o700)
  assert.ok(existsSync(join(home, 'data/pg_wal', copy.stopSegment)))

  // The password and the way in are the cluster's own, and so they are the copy's.
  const other = await enter(restored)
  const found = (await ask(other.connection, 'select max(id) from row')) as number
  assert.equal(await ask(other.connection, 'select count(*)::int from row'), found, 'without a gap')
  assert.ok(found >= beforeStop && found <= atEnd)
  await other.leave()
  await original.leave()
})

const HELD = `select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 from pg_replication_slots`

test('a copy may wait while PostgreSQL keeps more of the log than it needs', async (t) => {
  const dataDir = await copyDataDir(t)
  const original = await enter(dataDir)
  // Written since the last checkpoint, before the copy: it is not the copy's.
  await ask(original.connection, `select pg_logical_emit_message(true, 'test', repeat('x', 60000000))`)
  const told: boolean[] = []
  const held: number[] = []
  const sink = {
    folder: async () => {},
    async file(_path: string, content: AsyncIterable<Buffer>) {
      for await (const _bytes of content);
    },
  }
  await copyBase(original.connection, clusterOf(dataDir), sink, {
    async giveWay(mayWait) {
      // More than the share of a copy that has begun, and a part of what may be kept (256 MB or more).
      const write = `select pg_logical_emit_message(true, 'test', repeat('x', 20000000))`
      if (told.length === 0) {
        held.push(Number(await ask(original.connection, HELD)))
        await ask(original.connection, write)
      }
      told.push(await mayWait())
    },
  }).finally(() => original.leave())
  assert.ok(held[0]! < 30_000_000, `${held[0]} bytes of the log are held at the start`)
  assert.equal(told[0], false)
  assert.equal(told.at(-1), true)
})
