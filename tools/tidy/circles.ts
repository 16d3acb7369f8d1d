import { posix } from 'node:path'
import { RULES_AT } from './imports.ts'
import { type Files, importsOf } from './source.ts'

// Files that import each other in a circle cannot be understood, tested or loaded one at a time. A type-only import counts:
// the reader follows it all the same.

const SCRIPT = /^(?:src|web|test|tools|bench|prove|client)\/.*\.tsx?$/

// Every circle once, as the files that one passes through.
export function checkCircles(files: Files): string[] {
  const subpaths = readSubpaths(files.get('package.json') ?? '{}')
  const graph = new Map<string, string[]>()
  for (const [path, text] of files) {
    if (!SCRIPT.test(path)) continue
    const targets = importsOf(text).flatMap(({ specifier }) => targetOf(path, specifier ?? '', subpaths))
    graph.set(
      path,
      targets.filter((target) => files.has(target)),
    )
  }
  return circlesIn(graph).map(
    ([first, ...rest]) =>
      `${first}:1 imports itself by way of ${[...rest, first].join(', ')}: move what they share to a file of its own ${RULES_AT}`,
  )
}

type Subpaths = readonly (readonly [prefix: string, folder: string])[]

// '#base/*' and './src/base/*' of package.json as '#base/' and 'src/base/'.
function readSubpaths(manifest: string): Subpaths {
  const { imports = {} } = JSON.parse(manifest) as { imports?: Record<string, string> }
  return Object.entries(imports).map(([from, to]) => [from.replace('*', ''), to.replace(/^\.\/|\*/g, '')])
}

function targetOf(path: string, specifier: string, subpaths: Subpaths): string[] {
  if (specifier.startsWith('.')) return [posix.join(posix.dirname(path), specifier)]
  const subpath = subpaths.find(([prefix]) => specifier.startsWith(prefix))
  return subpath ? [specifier.replace(subpath[0], subpath[1])] : []
}

// Follows the imports from every file. A file that is met again on the way closes a circle.
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const follow = (file: string) => {
    if (done.has(file)) return
    const met = way.indexOf(file)
    if (met >= 0) {
      circles.push(way.slice(met))
      return
    }
    way.push(file)
    for (const target of graph.get(file) ?? []) follow(target)
    way.pop()
    done.add(file)
  }
  for (const file of graph.keys()) follow(file)
  return circles
}
