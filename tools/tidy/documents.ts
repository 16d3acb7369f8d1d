import { posix } from 'node:path'
import { describeAll } from '#app/command-table.ts'
import { readConfig } from '#app/settings/config.ts'
import { FLOW_ARROWS } from './imports.ts'
import { lineAt } from './source.ts'

// What documents say of the repository: the paths they name exist, and the pages of settings and commands are complete.

const FOLDERS = 'src|db|docs|contract|decisions|web|test|tools|bench|prove|deploy'
const NAMED = new RegExp(`(?<![\\w/.#-])(?:${FOLDERS})\\/[\\w./-]*[\\w/]`, 'g')
// `access.ts`, or `edge/member/access.ts`: a file's name between backticks.
const QUOTED_FILE = /`([\w./-]+\.(?:tsx?|sql|md))`/g
const LINK = /\]\((?<target>[^)\s]+)\)|<img src="(?<image>[^"]+)"/g
// `db/functions/NAME.sql` stands for many. The build's folder is made when it is needed.
const STANDS_FOR_MANY = /(?:^|\/)(?!README|CHANGELOG)[A-Z]{2,}|^web\/dist/

export function checkDocumentPaths(path: string, text: string, paths: readonly string[]): string[] {
  if (!path.endsWith('.md')) return []
  const breaches: string[] = []
  const report = (index: number, name: string) =>
    breaches.push(`${path}:${lineAt(text, index)} ${name}: there is no such file`)
  for (const match of text.matchAll(NAMED)) {
    if (!STANDS_FOR_MANY.test(match[0]) && !isThere(match[0], paths)) report(match.index, match[0])
  }
  for (const match of text.matchAll(QUOTED_FILE)) {
    const name = match[1]!
    if (new RegExp(`^(?:${FOLDERS})/`).test(name) || STANDS_FOR_MANY.test(name)) continue
    if (!paths.some((one) => one === name || one.endsWith(`/${name}`))) report(match.index, name)
  }
  for (const match of text.matchAll(LINK)) {
    const target = match.groups!.target ?? match.groups!.image!
    if (/^[a-z]+:/.test(target)) continue
    const [file = ''] = target.split('#')
    if (file !== '' && !isThere(posix.join(posix.dirname(path), file), paths)) report(match.index, target)
  }
  return [...new Set(breaches)]
}

// A file, a folder, or a decision by its number alone.
function isThere(name: string, paths: readonly string[]): boolean {
  const plain = name.replace(/\/$/, '')
  const start = /^decisions\/\d{4}$/.test(plain) ? `${plain}-` : `${plain}/`
  return paths.some((one) => one === plain || one.startsWith(start))
}

// Every setting that the settings' reader asks for, with all providers chosen.
export function settingsRead(): Set<string> {
  const asked = new Set<string>()
  const chosen: Record<string, string> = {
    MESSAGING: 'solapi,nhn',
    IDENTITY: 'portone',
    PRICES: 'goldapi',
  }
  const environment = new Proxy(chosen, {
    get(target, name: string) {
      asked.add(name)
      return target[name]
    },
  })
  try {
    readConfig(environment)
  } catch {
    // Providers without their secrets are refused, after everything was read.
  }
  return asked
}

// `_EN` and `_FILE` are described once for all.
export function checkSettingsPage(text: string): string[] {
  const read = settingsRead()
  const named = new Set(text.match(/(?<=`)[A-Z][A-Z0-9_]+(?=[`=])/g))
  const [, files = ''] = text.split('These have a `_FILE`')
  const missing = [...read].flatMap((name) => {
    if (name.endsWith('_FILE') && read.has(name.replace(/_FILE$/, ''))) {
      const listed = files.includes(`\`${name.replace(/_FILE$/, '')}\``)
      return listed ? [] : [`docs/settings.md: ${name} is read and not listed`]
    }
    return named.has(name.replace(/_EN$/, '')) ? [] : [`docs/settings.md: ${name} is read and not described`]
  })
  const rows = [...text.matchAll(/^\| (`[A-Z][^|]*) \|/gm)].flatMap(
    ([, cell]) => cell!.match(/[A-Z][A-Z0-9_]+/g)!,
  )
  const gone = rows
    .filter((name) => !read.has(name) && !name.startsWith('TEST_'))
    .map((name) => `docs/settings.md: nothing reads ${name}`)
  return [...missing, ...gone]
}

const DESCRIBED = await describeAll()

// Every command with its own options, and no command that is not there.
export function checkCommandsPage(text: string): string[] {
  const missing = Object.entries(DESCRIBED).flatMap(([name, { options = {} }]) => {
    const told = saidOf(name, text)
    if (told === '') return [`docs/command-line.md: ${name} is not described`]
    return Object.keys(options)
      .filter((option) => !new RegExp(`--${option}(?![\\w-])`).test(told))
      .map((option) => `docs/command-line.md: --${option} of ${name} is not described`)
  })
  const rows = [...text.matchAll(/^\| (`[a-z][^|]*) \|/gm)].flatMap(
    ([, cell]) => cell!.match(/(?<=`)[a-z]+(?: [a-z][a-z-]*)?/g)!,
  )
  const gone = rows
    .filter((name) => !Object.hasOwn(DESCRIBED, name))
    .map((name) => `docs/command-line.md: there is no command ${name}`)
  return [...missing, ...gone]
}

// What the page says of one command: the rows whose first cell names it, and the paragraphs. The partner commands share a
// table of terms.
function saidOf(name: string, text: string): string {
  const own = text
    .split(/\n(?=\| )|\n\n/)
    .filter((part) => new RegExp(`^[^|]*\`${name}[\` ]`).test(part.replace(/^\| /, '')))
    .join('\n')
  if (!own.includes('the terms below')) return own
  return own + text.slice(text.indexOf('\nTerms:\n')).split('\n## ')[0]
}

// The arrows between capabilities, in CONTRIBUTING.md as in the table that is enforced.
export function checkArrowsTable(text: string): string[] {
  const rows = [...text.matchAll(/^\| (?<from>`[^|]+) \| (?<to>[^|]+) \|$/gm)].map(({ groups }) => groups!)
  const words = (cell: string) => cell.match(/(?<=`)[a-z-]+(?=`)/g) ?? []
  const told = new Map(rows.flatMap(({ from, to }) => words(from!).map((name) => [name, words(to!).join()])))
  return Object.entries(FLOW_ARROWS)
    .filter(([name, arrows]) => name !== 'kit' && told.get(name) !== arrows.join())
    .map(
      ([name, arrows]) =>
        `CONTRIBUTING.md: ${name} may call ${arrows.join(', ') || 'none'}: say so in its table`,
    )
}
