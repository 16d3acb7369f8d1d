import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// `npm run --silent sbom -- cyclonedx|spdx`: what a server has, by name, version and checksum, from the lock file. `npm sbom
// --omit=dev` alone leaves out packages that a server and a development tool both need. So it gets a lock file without
// the tools.
const ROOT = join(import.meta.dirname, '..')
const FORMATS = ['cyclonedx', 'spdx']
// npm locks it as an optional peer of a library; `npm run trim` removes it.
const NOT_INSTALLED = /^node_modules\/(?:typescript$|@typescript\/)/

const [format = 'cyclonedx', ...others] = process.argv.slice(2)
if (!FORMATS.includes(format) || others.length > 0) {
  process.stderr.write(`usage: npm run --silent sbom -- ${FORMATS.join('|')}\n`)
  process.exit(2)
}

const readJson = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const { devDependencies: _, scripts: __, ...manifest } = readJson('package.json')
const lock = readJson('package-lock.json')
lock.packages = Object.fromEntries(
  Object.entries(lock.packages as Record<string, { dev?: boolean; devDependencies?: unknown }>)
    .filter(([path, one]) => !one.dev && !NOT_INSTALLED.test(path))
    .map(([path, { devDependencies: ___, ...one }]) => [path, one]),
)

const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const words = ['sbom', '--package-lock-only', '--sbom-type=application', `--sbom-format=${format}`]
  process.exitCode = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
