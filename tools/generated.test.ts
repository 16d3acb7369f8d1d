import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FUNCTIONS_LOCK } from '#app/database/sql-functions.ts'
import { createTestDatabase } from '#test/postgres.ts'
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

// What is made from something else is committed, so that a change of it shows in review.
const STALE = 'is stale: run `npm run generate` and commit what it changes'

const ROOT = new URL('..', import.meta.url)

// Not assert.equal: a difference of two thousand lines hides its cause.
function assertFresh(file: URL, made: string): void {
  const kept = readFileSync(file, 'utf8').split('\n')
  const fresh = made.split('\n')
  const i = fresh.findIndex((line, index) => line !== kept[index])
  const line = i >= 0 ? i : fresh.length
  assert.ok(
    i < 0 && kept.length === fresh.length,
    `${file.pathname.slice(ROOT.pathname.length)} ${STALE}\nline ${line + 1} is  ${kept[line]}\nand would be ${fresh[line]}`,
  )
}

test('contract/ is what the routes say', async () => {
  for (const [file, text] of await generateContract()) assertFresh(file, text)
})

test('web/kit/colours.gen.css and web/public/icon.svg have the colours of the service’s own pages', () => {
  assertFresh(COLOUR_STYLE, generateColourStyle())
  assertFresh(ICON, generateIcon())
})

test('docs/benchmarks.md and its chart show the figures of docs/benchmarks.json', () => {
  for (const [file, text] of generateBenchmarks()) assertFresh(file, text)
})

test('docs/proof.md shows the runs of docs/proof.json', () => {
  for (const [file, text] of generateProof()) assertFresh(file, text)
})

// Two releases of one schema version must not put their texts back in turn.
test('a changed text has a newer number in db/functions.lock.json', () => {
  assertFresh(FUNCTIONS_LOCK, generateFunctionsLock())
  const { version } = JSON.parse(readFileSync(FUNCTIONS_LOCK, 'utf8'))
  const other = JSON.parse(generateFunctionsLock(JSON.stringify({ version, sha256: 'of other texts' })))
  assert.equal(other.version, version + 1)
})

test('db/schema.sql, db/schema.gen.ts and the definitions that verify compares are what the migrations and db/functions make', async () => {
  const database = await createTestDatabase()
  try {
    assertFresh(SCHEMA_TYPES, await generateSchemaTypes(database.url))
    assertFresh(SCHEMA_SQL, await generateSchemaSql(database.connection))
    assertFresh(FUNCTION_HASHES, await generateFunctionHashes(database.connection))
    assertFresh(TABLE_DEFINITIONS, await generateTableDefinitions(database.connection))
  } finally {
    await database.drop()
  }
})
