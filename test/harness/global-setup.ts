import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { ensurePages } from '#app/server/web-build.ts'
import { POSTGRES_VARIABLE, TEMPLATE, TEST_RING } from './postgres.ts'
import { temporaryFolder } from './process.ts'
import { KEPT_DATABASE, writeKeptDatabase } from './release-recording.ts'

// One real PostgreSQL for the whole run, with a migrated template that every test file copies.
let postgres: EmbeddedPostgres
let folder: ReturnType<typeof temporaryFolder>

export async function globalSetup(): Promise<void> {
  // Each file and each service it starts reads the same thousand modules: compiled once, where main.js keeps its own.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/ingot', import.meta.url),
  )
  folder = temporaryFolder()
  const { path: dataDir } = folder
  // The pages once, rather than by whichever test comes first.
  ;[postgres] = await Promise.all([
    joinEmbeddedPostgres({ dataDir, password: 'test' }),
    ensurePages({ dataDir }),
  ])
  const client = new pg.Client({ ...postgres.connection })
  await client.connect()
  // No test crashes this server: those that do have one of their own.
  await client.query(`alter role ${postgres.connection.user} set synchronous_commit = off`)
  await client.query(`create database ${TEMPLATE}`)
  await migrate({ ...postgres.connection, database: TEMPLATE }, stampOf('sandbox', TEST_RING))
  if (KEPT_DATABASE) await client.query(`create database ${KEPT_DATABASE} template ${TEMPLATE}`)
  await client.end()
  process.env[POSTGRES_VARIABLE] = JSON.stringify(postgres.connection)
}

export async function globalTeardown(): Promise<void> {
  await writeKeptDatabase(postgres.connection)
  await postgres.leave()
  folder.remove()
}
