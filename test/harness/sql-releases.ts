import pg from 'pg'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { listMigrations, type Migration } from '#app/database/migration-files.ts'
import { listFunctions, readFunction } from '#app/database/sql-functions.ts'
import { createTestDatabase, TEST_RING } from './postgres.ts'

export const STAMP = stampOf('sandbox', TEST_RING)

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

// A database of this release, and somebody who goes on working in it while other releases come and go.
export async function withDatabase(
  run: (query: Query, connection: pg.ClientConfig, client: pg.Client) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase()
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    await run(async (text, values) => (await client.query(text, values)).rows, database.connection, client)
  } finally {
    await client.end()
    await database.drop()
  }
}

export const answer = (result: string, args = '') =>
  readFunction(
    'answer',
    `create or replace function answer(${args}) returns text language sql as $$ select '${result}' $$;`,
  )
export const migration = (version: number, sql = 'select'): Migration => ({
  version,
  name: `${version}_next`,
  sql,
  checksum: 'x',
})

type Functions = ReturnType<typeof readFunction>[]

// A release is its migrations and its functions. This one has these migrations beyond ours.
export const releaseWith = (connection: pg.ClientConfig, sql: string[], ...extra: Functions) =>
  migrate(connection, STAMP, {
    migrations: [...listMigrations(), ...sql.map((text, i) => migration(9_001 + i, text))],
    functions: [...listFunctions(), ...extra],
  })

// `later` counts migrations that change nothing.
export const release = (connection: pg.ClientConfig, later: number, ...extra: Functions) =>
  releaseWith(connection, Array(later).fill('select'), ...extra)
