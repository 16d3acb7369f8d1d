import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ROOT } from '#base/root.ts'

const PACKED = /(file:\/\/[^\s()]+\/dist\/[^\s()]+\.js):(\d+):(\d+)/
const MOST = 1_000 // places that are remembered; a program has fewer that fail

const known = new Map<string, string>()

// Makes a function by which a line that names a packed file names the source instead. The maps that it reads are large, and
// go with it.
export function sourceLines(): (line: string) => string {
  const maps = new Map<string, SourceMap | undefined>()
  return (line) => {
    const found = PACKED.exec(line)
    if (!found) return line
    const [place, file, row, column] = found
    if (!known.has(place) && !maps.has(file!)) maps.set(file!, readMap(file!))
    const source = known.get(place) ?? sourceOf(maps.get(file!), file!, Number(row), Number(column)) ?? place
    if (known.size < MOST) known.set(place, source)
    return line.replace(place, source)
  }
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as SourceMapPayload)
  } catch {
    return undefined // removed since
  }
}

function sourceOf(map: SourceMap | undefined, file: string, row: number, column: number): string | undefined {
  const origin = map?.findOrigin(row, column)
  if (!origin || !('fileName' in origin)) return undefined
  const path = new URL(origin.fileName, file).href.replace(ROOT.href, '')
  return `${path}:${origin.lineNumber}:${origin.columnNumber}`
}
