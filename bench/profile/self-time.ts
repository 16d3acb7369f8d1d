import { sourceLines } from '#base/source-lines.ts'
import type { CpuProfile, ProfileNode } from './inspector.ts'

// Where the time of a profile went: by function, and by whose code it is.
export interface SelfTime {
  name: string
  milliseconds: number
  // Of the time that the process was busy.
  share: number
}

export interface SelfTimes {
  busyMilliseconds: number
  byFunction: SelfTime[]
  byArea: SelfTime[]
}

export function selfTimes(packed: CpuProfile, root: string): SelfTimes {
  const profile = { ...packed, nodes: namedBySource(packed.nodes, root) }
  const areas = areasOf(profile.nodes, root)
  const spent = new Map<number, number>()
  for (const [i, id] of profile.samples.entries()) {
    spent.set(id, (spent.get(id) ?? 0) + profile.timeDeltas[i]! / 1000)
  }
  const [functions, byArea] = [new Map<string, number>(), new Map<string, number>()]
  for (const node of profile.nodes) {
    const milliseconds = spent.get(node.id) ?? 0
    const area = areas.get(node.id)!
    if (area === IDLE || milliseconds === 0) continue
    add(functions, nameOf(node, area), milliseconds)
    add(byArea, area, milliseconds)
  }
  const busyMilliseconds = [...byArea.values()].reduce((sum, value) => sum + value, 0)
  const sorted = (times: Map<string, number>): SelfTime[] =>
    [...times]
      .map(([name, milliseconds]) => ({ name, milliseconds, share: milliseconds / busyMilliseconds }))
      .toSorted((a, b) => b.milliseconds - a.milliseconds)
  return { busyMilliseconds, byFunction: sorted(functions), byArea: sorted(byArea) }
}

// The packed program has a few large files: whose code it is stands in their maps.
function namedBySource(nodes: readonly ProfileNode[], root: string): ProfileNode[] {
  const inSources = sourceLines()
  return nodes.map((node) => {
    const { url, lineNumber, columnNumber } = node.callFrame
    const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`
    const source = inSources(place)
    const [, path, line] = /^(.*):(\d+):\d+$/.exec(source) ?? []
    if (source === place || path === undefined) return node
    return { ...node, callFrame: { ...node.callFrame, url: `${root}${path}`, lineNumber: Number(line) - 1 } }
  })
}

function add(times: Map<string, number>, name: string, milliseconds: number): void {
  times.set(name, (times.get(name) ?? 0) + milliseconds)
}

const IDLE = 'idle'
// Maps, as a function may be called toString.
const SPECIAL = new Map([
  ['(idle)', IDLE],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'V8 and system calls'],
  ['(root)', 'V8 and system calls'],
])

// C++ functions have no address. Their time counts with their caller.
function areasOf(nodes: readonly ProfileNode[], root: string): Map<number, string> {
  const areas = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const open: [node: ProfileNode, caller: string][] = [[nodes[0]!, 'V8 and system calls']]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, caller] = next
    const area = areaOf(node, root) ?? caller
    areas.set(node.id, area)
    for (const child of node.children ?? []) open.push([byId.get(child)!, area])
  }
  return areas
}

function areaOf({ callFrame: { functionName, url } }: ProfileNode, root: string): string | undefined {
  const special = SPECIAL.get(functionName)
  if (special) return special
  if (url === '') return undefined
  if (/^node:internal\/crypto|^node:crypto/.test(url)) return 'crypto'
  if (url.startsWith('node:')) return 'Node'
  const dependency = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1]
  if (dependency) return PACKAGES.get(dependency) ?? dependency
  // `flows/gift-cards`, `edge/http`, `base/db`: a layer of the service and a capability.
  return /^src\/(\w+\/[^/.]+)/.exec(pathOf(url, root))?.[1] ?? 'ours, elsewhere'
}

// Packages that are the halves of one thing.
const PACKAGES = new Map([
  ['pg-protocol', 'pg'],
  ['pg-pool', 'pg'],
  ['pg-types', 'pg'],
  ['find-my-way', 'fastify'],
  ['light-my-request', 'fastify'],
  ['fast-json-stringify', 'fastify'],
  ['@fastify/fast-json-stringify-compiler', 'fastify'],
])

function pathOf(url: string, root: string): string {
  return url.startsWith(root) ? url.slice(root.length) : url
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode, area: string): string {
  const name = functionName || '(anonymous)'
  if (url === '') return SPECIAL.get(functionName) ?? `${name} (${area})`
  const file = url.split('/').slice(-2).join('/')
  return `${name} (${area}, ${file}:${lineNumber + 1})`
}
