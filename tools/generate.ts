import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { migrate } from '#app/migrate.ts'
import { generateOpenApi, generateSchemaTypes, OPENAPI, SCHEMA_TYPES } from './generated.ts'

// npm run generate: after a migration or a change of the API's schemas.
const dataDir = mkdtempSync(join(tmpdir(), 'ingot-generate-'))
const postgres = await joinEmbeddedPostgres({ dataDir, password: 'generate' })
try {
  const { host, port, user, password, database } = postgres.connection
  await migrate(postgres.connection, { mode: 'sandbox', keyRing: 'none' })
  const query = new URLSearchParams({ host, port: String(port), user, password })
  writeFileSync(SCHEMA_TYPES, await generateSchemaTypes(`postgresql:///${database}?${query}`))
  writeFileSync(OPENAPI, await generateOpenApi())
} finally {
  await postgres.leave()
  rmSync(dataDir, { recursive: true, force: true })
}
