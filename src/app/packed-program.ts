import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { ROOT } from '#base/root.ts'

// The program in a few large files instead of a thousand small ones, which start in half of the time (decisions/0090). It is
// a cache: what it was made from stands beside it, and if any of that has changed the sources run as they are.
export const PACKED = new URL('dist/', ROOT)
export const CURRENT = new URL('current.json', PACKED)

export interface Current {
  // The folder below dist/.
  name: string
  // Path, size, time of the last change in milliseconds, and a hash.
  madeFrom: readonly (readonly [path: string, size: number, changed: number, contents: string])[]
}

// The address of its command line; undefined if there is none that is made from these very sources.
export function findPacked(): string | undefined {
  try {
    const { name, madeFrom } = JSON.parse(readFileSync(CURRENT, 'utf8')) as Current
    return madeFrom.every(isUnchanged) ? new URL(`${name}/cli.js`, PACKED).href : undefined
  } catch {
    return undefined // none, or a source is gone
  }
}

// Looking at a file takes microseconds, reading it a hundred times as long. So it is read only if it looks changed: npm, an
// image or a copy of the tree gives a file another time and leaves what is in it.
function isUnchanged([path, size, changed, contents]: Current['madeFrom'][number]): boolean {
  const file = new URL(path, ROOT)
  const found = statSync(file)
  return found.size === size && (found.mtimeMs === changed || hash('sha256', readFileSync(file)) === contents)
}
