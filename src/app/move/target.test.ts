import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Client } from 'pg'
import { POSTGRES_MAJOR } from '#app/embedded-postgres/cluster-location.ts'
import { newRecord, writeRecord } from '#app/embedded-postgres/placement-record.ts'
import type { Runtime } from '#app/runtime.ts'
import { parseAddress } from '#base/db/address.ts'
import { openTarget } from './open-target.ts'
import { checkFolder, checkRoom, MARKER, parseTarget } from './target.ts'

const runtime = { config: {} } as Runtime

test('the shown place has who, where and which database, and nothing of a password', () => {
  const places = {
    'postgresql://ann:hunter2@secret@db.example:6432/ingot': 'postgresql://ann@db.example:6432/ingot',
    'postgresql://ann@db.example/ingot?pass%77ord=secret': 'postgresql://ann@db.example:5432/ingot',
    'postgresql://ann:se:cret@a,[::1]:7/ingot?sslmode=disable': 'postgresql://ann@a:5432,[::1]:7/ingot',
    'postgresql:///i%2Fn?host=/run/pg&user=a%40b&password=secret':
      'postgresql://a%40b@/i%2Fn?host=/run/pg&port=5432',
    'postgres://db.example/ingot?options=-c%20search_path%3Dgold':
      'postgresql://db.example:5432/ingot?options=-c%20search_path%3Dgold',
  }
  for (const [address, place] of Object.entries(places)) {
    assert.equal(parseTarget(address, runtime).place, place)
    // It leads to the same database.
    const [given, shown] = [parseAddress(address), parseAddress(place)]
    for (const key of ['user', 'hosts', 'database', 'session'] as const)
      assert.deepEqual(shown[key], given[key])
  }
})

test('an address that is not understood is refused without a word of it', () => {
  assert.throws(
    () => parseTarget('postgresql://ann:sec#ret@db.example/ingot', runtime),
    ({ message }) => /^--to is not postgresql/.test(message) && !/sec|ret@/.test(message),
  )
})

test('a folder that was filled after the first check, or claimed by another move, is left as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  try {
    for (const name of ['letter.txt', MARKER]) {
      writeFileSync(join(folder, name), '{"id":"theirs"}')
      const target = parseTarget(folder, { config: { dataDir: '/elsewhere' } as Runtime['config'] })
      await assert.rejects(openTarget(runtime, target, 'ours'), /is not empty/)
      assert.deepEqual(readdirSync(folder), [name])
      rmSync(join(folder, name))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a folder with a cluster of another PostgreSQL major is refused with the two steps to move that one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  try {
    const account = process.geteuid?.() === 0 ? { name: 'root', uid: 0, gid: 0 } : null
    writeRecord(folder, { ...newRecord('postgres', account), initialised: true })
    mkdirSync(join(folder, 'postgres/data'), { recursive: true })
    const version = join(folder, 'postgres/data/PG_VERSION')
    writeFileSync(version, '17\n')
    const before = readdirSync(folder, { recursive: true })
    assert.throws(
      () => checkFolder(folder, undefined),
      /made by PostgreSQL 17, .* First, with the release that made it: `ingot move --to postgresql:\/\/…`.* Then, with this release: .*`ingot move --to FOLDER`$/,
    )
    assert.deepEqual(readdirSync(folder, { recursive: true }), before)
    writeFileSync(version, `${POSTGRES_MAJOR}\n`)
    assert.throws(() => checkFolder(folder, undefined), /is not empty/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a folder with less room than the copy needs is refused; what a server has is not known', async () => {
  const source = { query: async () => ({ rows: [{ bytes: 1e9 }] }) } as unknown as Client
  const folder = parseTarget(join(tmpdir(), 'target-none'), runtime)
  await assert.rejects(
    checkRoom(folder, source, () => 1.1e9),
    /target-none has room for 1100 MB, and the copy needs 1334 MB: nothing was touched/,
  )
  await checkRoom(folder, source, () => 1.4e9)
  await checkRoom(parseTarget('postgresql://x@y/z', runtime), source, () => 0)
})
