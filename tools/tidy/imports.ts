import { posix } from 'node:path'
import { refuseAudience } from './audiences.ts'
import { type Files, type Import, importsOf, isTest, lineAt, readSource, targetOf } from './source.ts'
import { writersIn } from './writes.ts'

// Who may import whom: the import rules of CONTRIBUTING.md as a table. Everyone may import its own files.
const MAY_IMPORT: Record<string, readonly string[]> = {
  app: ['edge', 'flows', 'modules', 'jobs', 'providers', 'base'],
  edge: ['flows', 'modules', 'base'],
  jobs: ['flows', 'modules', 'providers', 'base'],
  flows: ['modules', 'base'],
  modules: ['base'],
  providers: ['base'],
  base: [],
}
// A folder in one of these is a house of its own: it never imports a sibling.
const SIBLINGS_APART = new Set(['modules', 'providers'])
// Which capability of flows may call another's. Every one may use `kit`, and kit uses none. A new arrow is a decision:
// name it here and in CONTRIBUTING.md.
export const FLOW_ARROWS: Record<string, readonly string[]> = {
  accounts: ['deliveries', 'guesses', 'members', 'partner-users', 'sessions'],
  approvals: [
    'books',
    'gift-cards',
    'holdings',
    'partners',
    'refunds',
    'reports',
    'settlement',
    'staff',
    'trading',
  ],
  audit: [],
  books: ['audit'],
  deliveries: [],
  'gift-cards': ['members', 'partner-users'],
  guesses: [],
  holdings: ['guesses', 'partner-users'],
  installation: [],
  kit: [],
  lists: ['members'],
  members: ['withdrawals'],
  overview: [],
  'partner-users': [],
  partners: [],
  refunds: ['gift-cards', 'members', 'partner-users'],
  reports: ['members'],
  requests: [],
  restoration: [],
  settlement: [],
  sessions: ['deliveries', 'guesses', 'partner-users'],
  staff: ['guesses'],
  trading: [],
  withdrawals: ['deliveries', 'guesses'],
}
// They are handed provider ports and call them outside transactions, so they may name a port's type.
const HANDED_PORTS = /^src\/edge\/(?:console|hooks|member)\//

// The tables as types, generated: base knows them by this one import.
const SCHEMA_TYPES = 'db/schema.gen.ts'

// What computes without touching the disk, the network or a database. `node:net` is in for its arithmetic.
const PURE_PACKAGES = /^(?:node:(?:assert|buffer|crypto|util|zlib)|re2js|libphonenumber-js(?:\/\w+)?)$/
const PURE_OF_NET = new Set(['BlockList', 'isIP', 'isIPv4', 'isIPv6'])

// A breach ends with where the rule is explained.
export const RULES_AT = '(see CONTRIBUTING.md, Import rules)'

const COMPUTED = 'an import that is computed cannot be checked: name the file'
const NO_NAME = /^(?:\/|\w+:(?<!node:))/
const PROVE_IS_LAST = 'prove uses test and bench, never the other way round'
const TESTS_ONLY = 'a test is for the test runner, nothing that runs imports it'

// Outside src: the pages and the client know the contract, never the service. Each audience has its own pages, and shares
// the kit with the others.
const OUTSIDE_SRC: Record<string, readonly string[]> = {
  client: ['contract'],
  // The build itself.
  web: [],
  'web/kit': [],
  'web/member': ['web/kit', 'contract'],
  'web/console': ['web/kit', 'contract'],
}

const BUSINESS =
  /^(?:partner|member|user|card|gift|giftcard|ledger|transfer|account|usage|pric|deliver|webhook|audit|redeem|redemption|purchase|buy|point|deposit|metal|gold|silver|settle|order|quote|refund|pin)/

function roomOf(path: string): { room: string; house: string } {
  const [, room = '', name = ''] = path.split('/')
  if (path === 'src/main.js') return { room: 'app', house: 'src/app' }
  return { room, house: SIBLINGS_APART.has(room) ? `src/${room}/${name}` : `src/${room}` }
}

// Breaches of the import rules in one file; `files` is asked for what the file imports.
export function checkImports(path: string, text: string, files: Files): string[] {
  const breaches: string[] = []
  if (/^(?:web|client)\//.test(path)) {
    for (const { specifier, line } of importsOf(text)) {
      const wrong = refuseOutsideSrc(path, specifier)
      if (wrong) breaches.push(`${path}:${line} ${wrong} ${RULES_AT}`)
    }
    const { code } = readSource(text)
    for (const { 0: glob, index } of code.matchAll(/\bimport\.meta\.glob\w*/g)) {
      breaches.push(`${path}:${lineAt(code, index)} ${glob}: name the files ${RULES_AT}`)
    }
  }
  if (/^(?:test|bench)\//.test(path)) {
    const taken = importsOf(text).filter(({ specifier }) =>
      targetOf(path, specifier ?? '')?.startsWith('prove/'),
    )
    return taken.map(({ specifier, line }) => `${path}:${line} ${specifier}: ${PROVE_IS_LAST} ${RULES_AT}`)
  }
  if (!path.startsWith('src/')) return breaches
  const { room } = roomOf(path)
  if (!Object.hasOwn(MAY_IMPORT, room)) {
    return [
      `${path}:1 CONTRIBUTING.md names no src/${room}: give it a place in Import rules and in MAY_IMPORT first`,
    ]
  }
  if (
    room === 'base' &&
    posix
      .basename(path)
      .split(/[-.]/)
      .some((word) => BUSINESS.test(word))
  ) {
    breaches.push(`${path}:1 base has no business nouns: this belongs to a module ${RULES_AT}`)
  }
  // A test beside its code may use the harness and whatever it holds the code against.
  if (isTest(path)) return breaches
  for (const entry of importsOf(text)) {
    const wrong = refuseImport(path, entry, files)
    if (wrong) breaches.push(`${path}:${entry.line} ${wrong} ${RULES_AT}`)
  }
  return breaches
}

function refuseOutsideSrc(path: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return COMPUTED
  if (NO_NAME.test(specifier)) return `${specifier}: import by a relative path or by package name`
  if (isTest(specifier) && !isTest(path)) return `${specifier}: ${TESTS_ONLY}`
  if (specifier.startsWith('#')) return `${specifier}: web and client know the contract only`
  if (!specifier.startsWith('.')) return undefined
  const own = /^web\/[^/]+(?=\/)|^client|^web/.exec(path)![0]
  const may = OUTSIDE_SRC[own]
  if (!may) return `${own}: give it a place in CONTRIBUTING.md and in OUTSIDE_SRC first`
  const target = posix.join(posix.dirname(path), specifier)
  if ([own, ...may].some((folder) => target.startsWith(`${folder}/`))) return undefined
  return own === 'web/kit'
    ? `${specifier}: the kit knows no contract and no page: hand it in as a prop or a context`
    : `${specifier}: ${own} may import ${may.join(' and ')} only`
}

function refuseImport(path: string, entry: Import, files: Files): string | undefined {
  const { specifier } = entry
  if (specifier === undefined) return COMPUTED
  if (specifier.startsWith('.') && !/^\.\/[^/]+$/.test(specifier)) {
    return `${specifier}: a relative import stays in its folder, use # for others`
  }
  if (NO_NAME.test(specifier)) return `${specifier}: import by # or by package name`
  const target = targetOf(path, specifier)
  if (path.endsWith('/rules.ts')) {
    const wrong = refuseInRules(path, entry, target, files)
    if (wrong) return wrong
  }
  return target === undefined ? refusePackage(path, specifier) : refuseTarget(path, entry, target, files)
}

function refusePackage(path: string, specifier: string): string | undefined {
  // Imported, `env` would be out of sight of the check on `process.env`.
  if (/^(?:node:)?process$/.test(specifier)) return `${specifier}: use the global`
  return path.startsWith('src/edge/') && /^(?:pg|kysely|graphile-worker)(?:\/|$)/.test(specifier)
    ? `${specifier}: the edge has no SQL: reads are in a module's store, writes in a flow`
    : undefined
}

function refuseTarget(path: string, entry: Import, target: string, files: Files): string | undefined {
  const from = roomOf(path)
  const to = roomOf(target)
  if (target === SCHEMA_TYPES && entry.typeOnly && path === 'src/base/db/db.ts') return undefined
  if (!target.startsWith('src/'))
    return `${entry.specifier}: src never imports db, contract, test, tools, bench or prove`
  if (target === 'src/main.js') return `${entry.specifier}: main.js is where the program starts`
  const port = to.room === 'providers' && entry.typeOnly && HANDED_PORTS.test(path)
  if (from.house !== to.house && !MAY_IMPORT[from.room]!.includes(to.room) && !port) {
    return from.room === to.room
      ? `${entry.specifier}: ${from.room} never import a sibling; what spans them is a flow`
      : `${entry.specifier}: ${from.room} may not import ${to.room}`
  }
  if (isTest(target)) return `${entry.specifier}: ${TESTS_ONLY}`
  if (entry.isReExport && !entry.typeOnly && !mayHandOn(path, target)) {
    return `${entry.specifier}: import it where it is used, a re-export hides whose it is`
  }
  if (/\/model\.ts$/.test(target)) {
    return `${entry.specifier}: a reference model runs in tests only`
  }
  if (from.room === 'flows' && to.room === 'flows') return refuseArrow(path, target, entry)
  const wrong = refuseAudience(path, target, entry, files)
  if (wrong) return wrong
  if (
    from.room === 'edge' &&
    target === 'src/base/db/db.ts' &&
    entry.names.some((name) => name !== 'Reader')
  ) {
    return `${entry.specifier}: the edge is handed a Reader, which opens no transaction`
  }
  if (from.room !== 'edge' || !/^(?:modules|base)$/.test(to.room) || entry.typeOnly) return undefined
  const writers = writersIn(target, files)
  const taken = entry.names.filter((name) => writers.has(name) || (name === '*' && writers.size > 0))
  return taken.length > 0
    ? `${taken.join(', ')}: the edge only reads; a write goes through a flow`
    : undefined
}

// Files of one folder may share a front. Flows have none: who may call one is told by its file.
function mayHandOn(path: string, target: string): boolean {
  return posix.dirname(path) === posix.dirname(target) && !path.startsWith('src/flows/')
}

function refuseArrow(path: string, target: string, { specifier }: Import): string | undefined {
  const [from = '', to = ''] = [path, target].map((file) => file.split('/')[2])
  const arrows = FLOW_ARROWS[from]
  if (!arrows) return `src/flows/${from}: name the capability in FLOW_ARROWS first`
  return to === from || to === 'kit' || arrows.includes(to)
    ? undefined
    : `${specifier}: flows/${from} may not call flows/${to} (FLOW_ARROWS)`
}

function refuseInRules(path: string, entry: Import, target: string | undefined, files: Files) {
  if (target === posix.join(posix.dirname(path), 'types.ts')) return undefined
  if (isPure(entry, target, files)) return undefined
  return `${entry.specifier}: rules.ts imports its types.ts and pure base`
}

// A file is as pure as what it imports; one that is being looked at already (a cycle) adds nothing.
function isPure(
  entry: Import,
  target: string | undefined,
  files: Files,
  above: readonly string[] = [],
): boolean {
  if (entry.specifier === 'node:net') return entry.names.every((name) => PURE_OF_NET.has(name))
  if (target === undefined) return PURE_PACKAGES.test(entry.specifier ?? '')
  const text = files.get(target)
  if (!target.startsWith('src/base/') || text === undefined) return false
  if (above.includes(target)) return true
  return importsOf(text).every((inner) => {
    const next = inner.specifier === undefined ? undefined : targetOf(target, inner.specifier)
    return isPure(inner, next, files, [...above, target])
  })
}
