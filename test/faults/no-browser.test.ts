import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// A machine without a browser: its tests are skipped, each with the reason, and the rest passes.
const FOLDER = fileURLToPath(new URL('../browser/', import.meta.url))

function run(browser: string) {
  // A runner inside of a test would take itself for a part of the outer one.
  const { NODE_TEST_CONTEXT, ...environment } = process.env
  const args = ['--test', '--test-reporter=tap', `${FOLDER}dev-inbox.test.ts`]
  const env = { ...environment, TEST_BROWSER: browser }
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1])
  return { status, stdout, passed: count('pass'), failed: count('fail'), skipped: count('skipped') }
}

test('no browser: every test is skipped with the reason, counted, and nothing fails', () => {
  const { status, stdout, passed, failed, skipped } = run('none')
  assert.deepEqual([status, passed, failed], [0, 0, 0], stdout)
  assert.ok(skipped > 10)
  assert.equal(stdout.match(/^ok .* # SKIP no browser: TEST_BROWSER=none$/gm)?.length, skipped)
})

test('a browser that was named and does not start: a failure, never a skip', () => {
  const { status, stdout, failed, skipped } = run('/bin/false')
  assert.deepEqual([status, failed, skipped], [1, 1, 0], stdout)
  assert.match(stdout, /TEST_BROWSER=\/bin\/false does not start/)
})

test('every file of browser tests has its `test` from the harness, which skips', () => {
  for (const name of readdirSync(FOLDER)) {
    const text = readFileSync(FOLDER + name, 'utf8')
    assert.doesNotMatch(text, /\btest\b[^}\n]*\} from 'node:test'/, name)
    assert.match(text, /\btest\b[^}]*\} from '#test\/browser\.ts'/, name)
  }
})
