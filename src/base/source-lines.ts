import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ROOT } from '#base/root.ts'

const PACKED = /(file:\/\/[^\s()]+\/dist\/[^\s()]+\.js):(\d+):(\d+)/
const MOST = 1_000 // places that were asked for; a program has fewer that fail

const known = new Map<string, string>()

// A line of a stack names the source instead of the packed file. Maps are large and errors are rare: a map is read when a
// place is asked for the first time, and not kept.
export function inSources(line: string): string {
  const found = PACKED.exec(line)
  if (!found) return line
  const [place, file, row, column] = found
  const source = known.get(place) ?? sourceOf(file!, Number(row), Number(column)) ?? place
  if (known.size < MOST) known.set(place, source)
  return line.replace(place, source)
}

function sourceOf(file: string, row: number, column: number): string | undefined {
  try {
    const map = JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as SourceMapPayload
    const origin = new SourceMap(map).findOrigin(row, column)
    if (!('fileName' in origin)) return undefined
    const path = new URL(origin.fileName, file).href.replace(ROOT.href, '')
    return `${path}:${origin.lineNumber}:${origin.columnNumber}`
  } catch {
    return undefined // a package's own code has no map
  }
}
