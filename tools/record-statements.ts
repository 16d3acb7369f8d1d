import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { assert } from '#base/assert.ts'

// Loaded before everything else by tools/record-release.ts: each statement that src sends is written to a file, once a
// process. The stack tells it from what a test asks for itself:
// a test goes to the pool, past db.ts and the batches.
const OURS = /\/src\/(?:(?:app|flows|jobs|modules)\/|base\/(?:queues\/batch|db\/db)\.ts)/
const file = process.env.INGOT_STATEMENTS_FILE
assert(file, 'started by tools/record-release.ts')

const seen = new Set<string>()
Error.stackTraceLimit = 60
const send = pg.Client.prototype.query as (...query: unknown[]) => unknown
pg.Client.prototype.query = function recordAndSend(this: pg.Client, ...query: unknown[]) {
  const [first] = query as [string | { text?: string } | undefined]
  const text = typeof first === 'string' ? first : first?.text
  if (text && !seen.has(text)) {
    const { stack = '' } = new Error('where')
    if (OURS.test(stack) && !stack.includes('/app/migrate.ts')) {
      seen.add(text)
      appendFileSync(file, `${JSON.stringify(text)}\n`)
    }
  }
  return send.apply(this, query)
} as typeof pg.Client.prototype.query
