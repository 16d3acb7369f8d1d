import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '#test/postgres.ts'
import { asciiArray, bigintArray, bytesArray, intArray, uuidArray } from './binary-arrays.ts'
import { openDatabase } from './db.ts'
import { BadValue } from './errors.ts'

const test_ = await createTestDatabase()
const database = openDatabase({ connection: test_.connection, maxConnections: 1, onIdleError: () => {} })
after(async () => {
  await database.close()
  await test_.drop()
})

const self = <Value>(value: Value) => value

// The driver's own texts say what is meant.
const SAME = {
  name: 'same_arrays',
  text: `select $1::uuid[] is not distinct from $2::uuid[] as uuids, $3::bigint[] is not distinct from $4::bigint[] as bigints,
                $5::bytea[] is not distinct from $6::bytea[] as bytes, $7::text[] is not distinct from $8::text[] as texts,
                $9::int[] is not distinct from $10::int[] as ints`,
}

test('binary arrays: PostgreSQL reads what the driver would have written as texts', async () => {
  const bytes = fc.uint8Array({ maxLength: 70 }).map((value) => Buffer.from(value))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.option(
          fc.oneof(
            fc.uuid(),
            fc.uuid().map((text) => text.toUpperCase()),
          ),
        ),
      ),
      fc.array(fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))),
      fc.array(fc.option(bytes)),
      fc.array(fc.string({ unit: 'grapheme-ascii' })),
      fc.array(fc.integer()),
      async (uuids, bigints, buffers, texts, ints) => {
        const [row] = await database.read(SAME, [
          uuidArray(uuids, self),
          uuids,
          bigintArray(bigints, self),
          bigints,
          bytesArray(buffers, self),
          buffers,
          asciiArray(texts, self),
          texts,
          intArray(ints, self),
          ints,
        ])
        assert.deepEqual(row, { uuids: true, bigints: true, bytes: true, texts: true, ints: true })
      },
    ),
  )
})

test('binary arrays: a value that is none is refused before it is sent', () => {
  const uuid = '019a8d6e-5f1c-7a3b-8c2d-1e4f5a6b7c8d'
  const bad = [
    '',
    uuid.slice(1),
    `${uuid}0`,
    `${uuid}00`,
    uuid.replace('9', 'g'),
    uuid.replace('9', '９'),
    '{}',
  ]
  for (const text of bad) assert.throws(() => uuidArray([uuid, text], self), BadValue, text)
  assert.throws(() => asciiArray(['é'], self), BadValue)
  assert.throws(() => bigintArray([2n ** 63n], self), BadValue)
  assert.throws(() => intArray([2 ** 31], self), BadValue)
})
