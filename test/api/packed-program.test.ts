import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CURRENT, type Current, findPacked, PACKED } from '#app/packed-program.ts'
import { ROOT } from '#base/root.ts'
import { sourceLines } from '#base/source-lines.ts'

// How it is found and left alone when a source has changed: test/faults/server-install.test.ts.
const read = (url: URL) => readFileSync(url, 'utf8')
const { name, madeFrom } = JSON.parse(read(CURRENT)) as Current
const packed = new URL(`${name}/`, PACKED)
const inSources = sourceLines()

test('what the services of the tests run is packed from these sources', () => {
  assert.equal(findPacked(), new URL('cli.js', packed).href)
  const paths = madeFrom.map(([path]) => path)
  for (const path of ['src/app/cli.ts', 'src/edge/partner/partner-auth.ts', 'package-lock.json'])
    assert.ok(paths.includes(path), path)
  assert.deepEqual(
    paths.filter(
      (path) => (path.includes('node_modules') && !path.endsWith('/package.json')) || path.startsWith('..'),
    ),
    [],
    'of a package its version',
  )
})

// The text of a tagged template is left as it is: there, such a character goes into a `${}`.
test('what a service loads first is ASCII: otherwise its memory holds every text of the program in twice the bytes', () => {
  const [server] = readdirSync(packed).filter((file) => /^open-servers-.*\.js$/.test(file))
  const bytes = readFileSync(new URL(server!, packed))
  const at = bytes.findIndex((byte) => byte > 0x7f)
  assert.equal(at < 0 ? '' : bytes.toString('utf8', at - 40, at + 40), '')
})

test('the stack of an error names the source', () => {
  const lines = read(new URL('cli.js', packed)).split('\n')
  const DECLARED = 'async function printVersion'
  const row = lines.findIndex((line) => line.includes(DECLARED))
  const place = `${new URL('cli.js', packed)}:${row + 1}:${lines[row]!.indexOf(DECLARED) + 'async function '.length + 1}`
  const [, path, line] = /^at f \((src\/[\w/.-]+):(\d+):\d+\)$/.exec(inSources(`at f (${place})`)) ?? []
  assert.equal(path, 'src/app/cli.ts')
  assert.match(read(new URL(path!, ROOT)).split('\n')[Number(line) - 1]!, /async function printVersion/)
})

test('another line of a stack stays as it is', () => {
  for (const line of ['at f (node:net:1:2)', 'at g (file:///srv/dist/missing/x.js:1:1)', 'at h'])
    assert.equal(inSources(line), line)
})
