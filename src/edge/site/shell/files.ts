import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

// One file of the pages as it is sent, compressed at the build.
export interface PageFile {
  type: string
  plain: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
  // Named by its content, so it never changes.
  lasting: boolean
}

// What the document of an audience names.
interface AudiencePages {
  script: string
  styles: readonly string[]
  // For each page, the other files that it will ask for.
  ahead: Readonly<Record<string, readonly string[]>>
}

export interface PageFiles {
  member: AudiencePages
  console: AudiencePages
  files: ReadonlyMap<string, PageFile>
}

// For a process that serves no pages.
const NONE: AudiencePages = { script: '', styles: [], ahead: {} }
export const NO_PAGES: PageFiles = { member: NONE, console: NONE, files: new Map() }

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// All files of a build, in memory: about a megabyte. No path of a request ever reaches the disk.
export function readPageFiles(folder: string): PageFiles {
  const { member, console } = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8'))
  const names = new Set(readdirSync(folder))
  // Compressed at the build, so that no request pays for it.
  const packed = (name: string) => (names.has(name) ? readFileSync(join(folder, name)) : undefined)
  const files = new Map<string, PageFile>()
  for (const name of names) {
    // Compressed copies and `pages.json` have no type here: they are no files of their own.
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    files.set(name, {
      type,
      plain: readFileSync(join(folder, name)),
      br: packed(`${name}.br`),
      gzip: packed(`${name}.gz`),
      lasting: /-[\w-]{8}\.(?:js|css)$/.test(name),
    })
  }
  return { member, console, files }
}
