import { hash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashFiles } from '#app/packed-program.ts'
import { Explained } from '#base/explained.ts'
import { withFileLock } from '#base/file-lock.ts'
import { ROOT } from '#base/root.ts'
import { type PageFiles, readPageFiles } from '#edge/site/shell/files.ts'
import { runScript } from './run-script.ts'

const root = fileURLToPath(ROOT)
const SOURCES = join(root, 'web')
const BUILT = 'dist'

class NoPages extends Explained {}

interface Place {
  dataDir: string
  // Told when there is something to wait for, and how it went.
  onEvent?: (event: 'building' | 'built', ms: number) => void
}

// The pages, built if the sources have changed. Each build has a folder named by a hash of its sources. So a process
// never sees another one's half-finished build, and going back to an older release needs none.
export async function ensurePages(place: Place): Promise<PageFiles> {
  fingerprintOnce ??= readFingerprint()
  const name = fingerprintOnce
  const homes = [join(SOURCES, BUILT), join(place.dataDir, 'web')]
  const found = homes.map((home) => join(home, name)).find((folder) => existsSync(folder))
  try {
    if (found !== undefined) return readPageFiles(found)
  } catch {
    // Swept away between the two lines by a process of another release.
  }
  return readPageFiles(await build(homeIn(homes), name, place.onEvent))
}

async function build(home: string, name: string, onEvent: Place['onEvent']): Promise<string> {
  refuseWithoutTools()
  const folder = join(home, name)
  await withFileLock(join(home, 'lock'), async () => {
    if (existsSync(folder)) return
    const began = performance.now()
    onEvent?.('building', 0)
    for (const old of readdirSync(home)) if (old !== 'lock') rmSync(join(home, old), { recursive: true })
    // A name of its own: a process that was killed may have left a build that still runs.
    const unfinished = mkdtempSync(join(home, 'unfinished-'))
    const complaint = await runScript('web/build.ts', [unfinished])
    if (complaint !== undefined) throw new NoPages(`the pages cannot be built:\n${complaint}`)
    await rename(unfinished, folder)
    onEvent?.('built', Math.round(performance.now() - began))
  })
  return folder
}

function refuseWithoutTools(): void {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
  } catch {
    throw new NoPages(
      'the pages are not built, and what builds them is not installed: run `npm ci` (not --omit=dev), or ' +
        '`npm run build` where it is and bring web/dist and dist along',
    )
  }
}

// The tree if it can be written to; else beside the data.
function homeIn(homes: readonly string[]): string {
  for (const home of homes) {
    try {
      mkdirSync(home, { recursive: true })
      accessSync(home, constants.W_OK)
      return home
    } catch {}
  }
  throw new NoPages(`the pages are not built, and none of these can be written to: ${homes.join(', ')}`)
}

// A process serves the pages of the sources that it started with.
let fingerprintOnce: string | undefined

function readFingerprint(): string {
  const paths = listPageSources()
  const hashes = hashFiles(paths)
  return hash('sha256', paths.map((path, i) => `${path} ${hashes[i]}`).join('\n')).slice(0, 16)
}

// Everything that decides the result. It includes the whole lock file, because the tools' own dependencies count too.
export function listPageSources(): string[] {
  const sources = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(join('web', BUILT, '/')))
  return [...sources, 'contract/member.gen.ts', 'contract/console.gen.ts', 'package-lock.json'].sort()
}
