import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from '#test/patience.ts'
import { ingot, type ServerProcess, startServer, temporaryFolder } from '#test/process.ts'

const folder = temporaryFolder()
const settings = { DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn' }
test.after(() => folder.remove())

// It is printed a moment after readiness: on the first start the partners are made in between.
async function bannerOf(server: ServerProcess): Promise<string> {
  await until(() => /usage.*echo\n/.test(server.output()))
  return server.output()
}

test('an empty sandbox: five partners, and three lines that work when pasted', async () => {
  const server = await startServer({ ...settings, INGOT_PROCESSES: '' })
  const listed = await ingot(settings, 'partner', 'list', '--json')
  const formats = JSON.parse(listed.stdout).map((partner: { keyFormat: string }) => partner.keyFormat)
  assert.equal(formats.length, 5)
  assert.ok(formats.includes('custom') && formats.filter((format: string) => format === 'uuid').length >= 2)

  const lines = (await bannerOf(server)).split('\n').filter((line) => line.includes('curl -s'))
  assert.equal(lines.length, 3)
  const { stdout } = await promisify(execFile)('bash', ['-c', lines.join('\n')])
  const [bought, card, usage] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(bought.result, 'success')
  assert.deepEqual([card.result, card.data.amount, card.data.valid], ['Success', 50_000, true])
  assert.equal(usage.totalIssued, 50_000)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('a first start that fails, or a command before it, does not cost the demo', async () => {
  const other = { ...settings, DATA_DIR: join(folder.path, 'command-first') }
  const listed = await ingot(other, 'partner', 'list', '--json')
  assert.equal(JSON.parse(listed.stdout).length, 5)
  const server = await startServer(other)
  assert.match(await bannerOf(server), /curl -s .*ik_test_/)
  assert.equal(await server.kill('SIGTERM'), 0)
})

// The command blocks of a document that begin like this, as a person would paste them.
async function paste(server: ServerProcess, document: string, ...starts: string[]): Promise<string[]> {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  const blocks = text.split('```sh\n').map((part) => part.slice(0, part.indexOf('```')))
  const chosen = starts.map((start) => blocks.find((block) => block.startsWith(start)) ?? assert.fail(start))
  const script = chosen.join('').replaceAll('http://127.0.0.1:3000', server.url)
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', script.replace(/\n(?=curl|npm)/g, '\necho; ')],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, ...settings },
    },
  )
  return stdout.trim().split('\n').filter(Boolean)
}

test("the README's and the partner guide's commands work as printed", async () => {
  const server = await startServer(settings)
  const [bought, usage] = (await paste(server, 'README.md', 'KEY=$(')).map((line) => JSON.parse(line))
  assert.equal(bought.result, 'success')
  assert.ok(usage.totalIssued >= 50_000)
  const [assets, hash, signup, granted, ...shown] = await paste(
    server,
    'docs/partner-guide.md',
    'curl -s "http',
    'CI=',
  )
  assert.ok(JSON.parse(assets!).totalValue > 0)
  assert.match(JSON.parse(hash!).webViewUrl, /\/webview\//)
  assert.equal(JSON.parse(signup!).userKey, 'NR-00000002')
  assert.equal(granted, 'granted to NR-00000002 of narae-shop')
  assert.match(shown.join(), /points ₩50,000, deposit ₩0, gold 1\.5000 g/)
  assert.equal(await server.kill('SIGTERM'), 0)
})

test('the next start has the same partners and a banner that still works', async () => {
  const server = await startServer(settings)
  assert.match(await bannerOf(server), /curl -s .*ik_test_/)
  const listed = await ingot(settings, 'partner', 'list', '--json')
  assert.equal(JSON.parse(listed.stdout).length, 5)
  assert.equal(await server.kill('SIGINT'), 0)
})

test('what is kept beside the database is closed to others', () => {
  for (const file of ['secrets.json', 'demo-key']) {
    assert.equal(statSync(join(settings.DATA_DIR, file)).mode & 0o777, 0o600)
  }
})

// Names, sizes and times of everything in the folder.
function fingerprint(path: string): string[] {
  return readdirSync(path, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const { size, mtimeMs, ctimeMs } = statSync(join(path, name))
      return `${name} ${size} ${mtimeMs} ${ctimeMs}`
    })
}

test('a data folder of a newer release is refused and not touched', async () => {
  // A newer release that this one cannot serve beside.
  const files = ['schema-version', 'schema-compatible-with'].map((name) => join(settings.DATA_DIR, name))
  const written = files.map((file) => readFileSync(file, 'utf8'))
  for (const file of files) writeFileSync(file, '9999\n')
  const before = fingerprint(settings.DATA_DIR)
  for (const command of ['serve', 'verify']) {
    const run = await ingot(settings, command)
    assert.equal(run.code, 1)
    assert.match(
      run.stderr,
      /written by a newer release \(schema 9999, .*; this one has \d+\). Nothing was touched/,
    )
  }
  assert.deepEqual(fingerprint(settings.DATA_DIR), before)
  for (const [i, file] of files.entries()) writeFileSync(file, written[i]!)
})

test('another mode than the data was made for is refused', async () => {
  const ring = join(folder.path, 'ring.json')
  await ingot({}, 'keys', 'generate', ring)
  const run = await ingot({ ...settings, INGOT_MODE: 'live', KEY_RING_FILE: ring }, 'verify')
  assert.deepEqual(
    [run.code, run.stderr],
    [1, 'ingot: INGOT_MODE is live, but this database was made for sandbox\n'],
  )
})

test('lost secrets are not made anew over existing data', async () => {
  const empty = join(folder.path, 'other')
  mkdirSync(empty)
  writeFileSync(join(empty, 'schema-version'), '1\n')
  const run = await ingot({ DATA_DIR: empty }, 'verify')
  assert.equal(run.code, 1)
  assert.match(run.stderr, /secrets\.json is missing although there is data/)
})

test('damaged secrets: one sentence, and nothing is touched or made anew', async () => {
  const path = join(settings.DATA_DIR, 'secrets.json')
  const good = readFileSync(path, 'utf8')
  const { keyRing: _, ...ringless } = JSON.parse(good)
  const cases: [content: string, said: RegExp][] = [
    ['', /secrets\.json is empty\. /],
    [' \n', /secrets\.json is empty\. /],
    [good.slice(0, good.length / 2), /secrets\.json is cut off or was changed: it is not JSON\. /],
    ['\0'.repeat(good.length), /it is not JSON/],
    ['null', /has no database password/],
    ['[]', /has no database password/],
    [good.replace(/"databasePassword": "[^"]*"/, '"databasePassword": 7'), /has no database password/],
    [JSON.stringify({ ...ringless, keyRing: { format: 1 } }), /has no usable key ring/],
    [JSON.stringify({ ...ringless, keyRing: 'e1' }), /has no usable key ring/],
  ]
  for (const [i, [content, said]] of cases.entries()) {
    writeFileSync(path, content)
    const before = fingerprint(settings.DATA_DIR)
    // The usual layout says it once for all of its processes. The words are those of one.
    const layout = i === 0 ? '' : '0'
    for (const command of ['serve', 'verify']) {
      const run = await ingot({ ...settings, INGOT_PROCESSES: layout }, command)
      assert.deepEqual([run.code, run.stderr.match(said)?.length, run.stdout], [1, 1, ''], run.stderr)
      assert.match(run.stderr, /^ingot: .*restore it from a backup\. Nothing was touched[^\n]*\n$/)
    }
    assert.deepEqual(fingerprint(settings.DATA_DIR), before)
  }
  writeFileSync(path, good)
  assert.equal((await ingot(settings, 'verify')).code, 0)
})

test('a port that is taken: a sentence and exit 1, and the database is stopped again', async () => {
  const server = await startServer(settings)
  const run = await ingot({ ...settings, PORT: new URL(server.url).port }, 'serve')
  assert.equal(run.code, 1)
  // One message, and no process is started again.
  assert.match(run.stderr, /^ingot: PORT: \d+ is taken by another process \(EADDRINUSE\)\n$/)
  assert.equal(run.stdout, '')
  assert.equal(await server.kill('SIGTERM'), 0)
})
