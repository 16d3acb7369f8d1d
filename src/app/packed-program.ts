import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { ROOT } from '#base/root.ts'

// The program in a few large files instead of a thousand small ones, which start in half of the time (decisions/0090). It is
// a cache: what it was made from stands beside it, and if any of that has changed the sources run as they are.
export const PACKED = new URL('dist/', ROOT)
export const CURRENT = new URL('current.json', PACKED)

// A file as it was: path, size, two times of its last change in milliseconds, and a hash. Programs may set the first time, and
// archives often give all their files the same one. None can set the second, which a copy of the file does not keep.
export type KnownFile = readonly [
  path: string,
  size: number,
  changed: number,
  changedInFact: number,
  contents: string,
]

export interface Current {
  // The folder below dist/.
  name: string
  // With their sizes: one that is missing or cut off is found before it is needed, which may be hours later.
  files: readonly (readonly [file: string, size: number])[]
  madeFrom: readonly KnownFile[]
  // What the pages are made from. Their build has a name of its own: this only saves a start from reading all of it.
  pages: readonly KnownFile[]
}

// The address of its command line; undefined if there is none that is made from these very sources.
export function findPacked(): string | undefined {
  try {
    const { name, files, madeFrom } = JSON.parse(readFileSync(CURRENT, 'utf8')) as Current
    const folder = new URL(`${name}/`, PACKED)
    const isWhole = files.every(([file, size]) => statSync(new URL(file, folder)).size === size)
    return isWhole && madeFrom.every(isUnchanged) ? new URL('cli.js', folder).href : undefined
  } catch {
    return undefined // none, or a file is gone
  }
}

// Looking at a file takes microseconds, reading it a hundred times as long. So it is read only if it looks changed: npm, an
// image or a copy of the tree gives a file another time and leaves what is in it.
function isUnchanged(known: KnownFile): boolean {
  const [path, , , , contents] = known
  return looksUnchanged(known) || hashOf(path) === contents
}

function looksUnchanged([path, size, changed, changedInFact]: KnownFile): boolean {
  const found = statSync(new URL(path, ROOT))
  return found.size === size && found.mtimeMs === changed && found.ctimeMs === changedInFact
}

const hashOf = (path: string) => hash('sha256', readFileSync(new URL(path, ROOT)))

// Hashes of these files, in their order. A path is relative to the repository.
export function hashFiles(paths: readonly string[]): string[] {
  const known = new Map(readKnownPages().map((file) => [file[0], file]))
  return paths.map((path) => {
    const file = known.get(path)
    return file !== undefined && looksUnchanged(file) ? file[4] : hashOf(path)
  })
}

function readKnownPages(): readonly KnownFile[] {
  try {
    return (JSON.parse(readFileSync(CURRENT, 'utf8')) as Partial<Current>).pages ?? []
  } catch {
    return []
  }
}
