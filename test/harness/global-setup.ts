import pg from 'pg'
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { migrate, stampOf } from '#app/migrate.ts'
import { ensurePages } from '#app/web-build.ts'
import { POSTGRES_VARIABLE, TEMPLATE, TEST_RING } from './postgres.ts'
import { temporaryFolder } from './process.ts'

// One real PostgreSQL for the whole run, with a migrated template that every test file copies.
let postgres: EmbeddedPostgres
let folder: ReturnType<typeof temporaryFolder>

export async function globalSetup(): Promise<void> {
  folder = temporaryFolder()
  // Once, rather than by whichever test comes first.
  await ensurePages({ dataDir: folder.path })
  postgres = await joinEmbeddedPostgres({ dataDir: folder.path, password: 'test' })
  const client = new pg.Client({ ...postgres.connection })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate({ ...postgres.connection, database: TEMPLATE }, stampOf('sandbox', TEST_RING))
  process.env[POSTGRES_VARIABLE] = JSON.stringify(postgres.connection)
}

export async function globalTeardown(): Promise<void> {
  await postgres.leave()
  folder.remove()
}
