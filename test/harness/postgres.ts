import pg from 'pg'
import type { Schema } from '#app/database/history.ts'
import { schemaVersion } from '#app/database/migration-files.ts'
import { assert } from '#base/assert.ts'
import { type KeyRingStore, parseKeyRing } from '#base/crypto/key-ring.ts'
import { createVault } from '#base/crypto/vault.ts'
import { KEPT_DATABASE } from './release-recording.ts'

export const POSTGRES_VARIABLE = 'INGOT_TEST_POSTGRES'
export const TEMPLATE = 'ingot_template'

const key = (letter: string) => Buffer.alloc(32, letter).toString('base64')

// The same ring for every test database, so that one template serves them all. As a file has it, for processes.
export const TEST_RING_FILE = JSON.stringify({
  version: 1,
  generated: true,
  encryption: { current: 'e1', keys: { e1: key('e') } },
  index: { current: 'i1', keys: { i1: key('i') } },
  numberKey: key('n'),
})
export const TEST_RING = parseKeyRing(TEST_RING_FILE)

export const TEST_VAULT = createVault(TEST_RING, {
  epoch: 1,
  encryption: 'e1',
  index: 'i1',
  nextIndex: null,
})

// What a runtime finds in a database of this release.
export const TEST_SCHEMA: Schema = {
  version: schemaVersion(),
  compatibleWith: schemaVersion(),
  isNewer: false,
}

// A ring that stays as it is.
export const TEST_RING_STORE: KeyRingStore = {
  read: () => TEST_RING,
  renew: () => Promise.reject(new Error('this ring is not renewed')),
}

interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

function serverConnection(): Connection {
  const text = process.env[POSTGRES_VARIABLE]
  assert(text, 'tests are run by `npm test`, which starts PostgreSQL for them')
  return JSON.parse(text) as Connection
}

export async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ ...serverConnection() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export interface TestDatabase {
  connection: Connection
  url: string
  drop(): Promise<void>
}

// A database of one's own, copied from the migrated template, or empty. As files: copied as rows, the log of the server would
// have all of it, too.
export async function createTestDatabase(from: 'template' | 'empty' = 'template'): Promise<TestDatabase> {
  if (KEPT_DATABASE && from === 'template') return databaseOf(KEPT_DATABASE, () => Promise.resolve())
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  const copy = from === 'template' ? ` template ${TEMPLATE}` : ''
  await asAdmin(`create database ${name}${copy} strategy file_copy`)
  return databaseOf(name, () => asAdmin(`drop database ${name} with (force)`))
}

function databaseOf(name: string, drop: TestDatabase['drop']): TestDatabase {
  const connection = { ...serverConnection(), database: name }
  const { host, port, user, password } = connection
  const query = new URLSearchParams({ host, port: String(port), user, password })
  return { connection, url: `postgresql:///${name}?${query}`, drop }
}
