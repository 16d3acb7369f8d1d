import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { schemaVersion } from '#app/database/migration-files.ts'
import { functionsVersion, listFunctions } from '#app/database/sql-functions.ts'
import { assert } from '#base/assert.ts'
import { temporaryFolder } from '#test/process.ts'
import type { Release, ReleaseData } from '#test/release-recording.ts'

// npm run record-release: run it on the commit of a release, and commit what it writes with the next one. It records what an
// upgrade begins with: a database with data of every kind, as the release's own code wrote it, the release's functions, and
// every statement its code sends. To do so it runs the test files below, one after another, on one database. Some cases fail
// there, because earlier files left data behind. What they wrote is still what the release writes. The last file,
// tools/record-rows.ts, must pass: it adds what the others clear or leave out.
//
// The recording that is kept names its schema version. That release did not have this file yet, so its tree was given these
// hooks, and it ran delivery-secrecy too. To keep the recording small, two groups of a thousand like cards were cut to
// twenty, with their transfers, balances, usage and messages. Prices without an order were removed; challenges, guesses and
// hash keys were thinned. 31 statements that no recorded case sent were added from the source. Then the release's code ran
// tools/record-rows.ts on that database.
const FIXTURE = new URL('../test/fixtures/release-before.json.br', import.meta.url)
// None of them makes a table of its own. What they write has about 650 kB: cut it as above before it is committed.
const FILES = `assets card-extensions devices expiry hash history idempotency lookup member-account member-close
  member-freeze member-guessing member-join member-links member-trade-edge messaging-http notices onboarding
  partner-payments passkeys redeem signup statements support trade trade-commands two-people usage web-view
  what-partners-told withdrawals`
// The keys of the recorded database are those of the tests, and its clock does not pass the years that data is kept. A
// thousand like cards would only make it large.
const SKIPPED = '/anew|new keys|rotation|five years|kept long enough|gone after|change of keys|many cards/'

const folder = temporaryFolder()
const data = join(folder.path, 'data.json')
const statements = join(folder.path, 'statements')
const root = fileURLToPath(new URL('..', import.meta.url))
spawnSync(
  process.execPath,
  [
    ...['--test', '--test-concurrency=1', '--test-timeout=300000', `--test-skip-pattern=${SKIPPED}`],
    '--test-global-setup=test/harness/global-setup.ts',
    ...FILES.split(/\s+/).map((name) => `test/api/${name}.test.ts`),
    'tools/record-rows.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      INGOT_TEST_KEPT: 'kept',
      INGOT_TEST_KEPT_FILE: data,
      INGOT_STATEMENTS_FILE: statements,
      NODE_OPTIONS: `--import=${join(root, 'tools/record-statements.ts')}`,
    },
  },
)

// A list of any length is one statement.
const shapeOf = (text: string) => text.replace(/\$\d+/g, '$').replace(/\$(?:, \$)+/g, '$')
const byShape = new Map<string, string>()
for (const line of readFileSync(statements, 'utf8').trim().split('\n')) {
  const text = JSON.parse(line) as string
  if (!byShape.has(shapeOf(text))) byShape.set(shapeOf(text), text)
}
const recording: Release = {
  schemaVersion: schemaVersion(),
  functionsVersion: functionsVersion(),
  functions: listFunctions().map(({ name, sql }) => ({ name, sql })),
  statements: [...byShape.values()].sort(),
  ...(JSON.parse(readFileSync(data, 'utf8')) as ReleaseData),
}
for (const [name, rows] of Object.entries(recording.tables)) assert(rows.length > 0, `${name} has no rows`)
writeFileSync(FIXTURE, brotliCompressSync(JSON.stringify(recording)))
folder.remove()
