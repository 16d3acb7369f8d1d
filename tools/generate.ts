import { writeFileSync } from 'node:fs'
import { migrate } from '#app/database/migrate.ts'
import { FUNCTIONS_LOCK } from '#app/database/sql-functions.ts'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { temporaryFolder } from '#test/process.ts'
import { generateBenchmarks } from '../bench/doc/generate.ts'
import { generateProof } from '../prove/doc.ts'
import { COLOUR_STYLE, generateColourStyle, generateIcon, ICON } from './colours.ts'
import { generateContract, generateSchemaTypes, SCHEMA_TYPES } from './generated.ts'
import {
  FUNCTION_HASHES,
  generateFunctionHashes,
  generateFunctionsLock,
  generateSchemaSql,
  generateTableDefinitions,
  SCHEMA_SQL,
  TABLE_DEFINITIONS,
} from './schema-sql.ts'

// npm run generate: after a migration or a change of db/functions, or a change of the API's schemas, of a colour, or of
// the figures in docs/benchmarks.json or docs/proof.json.
writeFileSync(COLOUR_STYLE, generateColourStyle())
writeFileSync(ICON, generateIcon())
for (const [file, text] of [...generateBenchmarks(), ...generateProof()]) writeFileSync(file, text)
writeFileSync(FUNCTIONS_LOCK, generateFunctionsLock())
const folder = temporaryFolder()
const postgres = await joinEmbeddedPostgres({ dataDir: folder.path, password: 'generate' })
try {
  const { host, port, user, password, database } = postgres.connection
  await migrate(postgres.connection, {
    mode: 'sandbox',
    keyRing: 'none',
    encryptionKey: 'none',
    indexKey: 'none',
  })
  const query = new URLSearchParams({ host, port: String(port), user, password })
  writeFileSync(SCHEMA_TYPES, await generateSchemaTypes(`postgresql:///${database}?${query}`))
  writeFileSync(SCHEMA_SQL, await generateSchemaSql(postgres.connection))
  writeFileSync(FUNCTION_HASHES, await generateFunctionHashes(postgres.connection))
  writeFileSync(TABLE_DEFINITIONS, await generateTableDefinitions(postgres.connection))
  for (const [file, text] of await generateContract()) writeFileSync(file, text)
} finally {
  await postgres.leave()
  folder.remove()
}
