import { declarationsOf, lineAt, readSource } from './source.ts'

// Every store write takes a Tx, and only flows and jobs can open one.
const OPENS = /\b(?:with(?:Long)?Transaction|writeOnce)\b|\.(?:transaction|startTransaction)\(/g
const MAY_OPEN = /^src\/(?:main\.ts|(?:flows|jobs|app)\/)|^src\/base\/db\.ts$/
const WRITE_CALL = /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/g
const WRITE_SQL = /\bsql(?:<[^`]*>)?`\s*(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\b/i
const TAKES_TX = /:\s*Tx\b/
const TAKES_DATABASE = /:\s*Database\b/

// Names of a store's functions that write: they take a Tx, or are a statement that is its own transaction, or
// call one that does.
export function writersIn(text: string): ReadonlySet<string> {
  const declarations = declarationsOf(text)
  const writers = new Set<string>()
  for (let before = -1; before < writers.size; ) {
    before = writers.size
    for (const { name, code } of declarations) {
      const words = code.match(/[\w$]+/g) ?? []
      if (TAKES_TX.test(code) || words.some((w) => w === 'writeOnce' || (w !== name && writers.has(w)))) {
        writers.add(name)
      }
    }
  }
  return writers
}

export function checkWrites(path: string, text: string): string[] {
  if (!path.startsWith('src/') || path.endsWith('.test.ts')) return []
  const breaches: string[] = []
  const report = (line: number, wrong: string) =>
    breaches.push(`${path}:${line} ${wrong} (see CONTRIBUTING.md, Import rules)`)
  const { code } = readSource(text)
  const inStore = /^src\/modules\/[^/]+\/store\.ts$/.test(path)
  for (const match of code.matchAll(OPENS)) {
    const once = inStore && match[0] === 'writeOnce'
    if (!MAY_OPEN.test(path) && !once) {
      report(lineAt(code, match.index), `${match[0]}: only flows and jobs write to the database`)
    }
  }
  if (path.startsWith('src/edge/')) {
    for (const match of code.matchAll(/\.pool\b/g)) report(lineAt(code, match.index), 'the edge has no SQL')
    for (const match of code.matchAll(WRITE_CALL)) report(lineAt(code, match.index), 'the edge only reads')
  }
  if (!path.startsWith('src/modules/')) return breaches
  for (const declared of declarationsOf(text)) {
    if (declared.code.includes('writeOnce') && !TAKES_DATABASE.test(declared.code)) {
      report(declared.line, `${declared.name} calls writeOnce, so it takes a Database`)
    }
    const writes = declared.code.search(WRITE_CALL) >= 0 || WRITE_SQL.test(declared.text)
    if (writes && !TAKES_TX.test(declared.code))
      report(declared.line, `${declared.name} writes, so it takes a Tx`)
  }
  return breaches
}
