import {
  declarationsOf,
  type Files,
  importsOf,
  lineAt,
  readSource,
  secondNamesOf,
  targetOf,
} from './source.ts'

// Every store write takes a Tx, and only flows and jobs can open one.
const OPENS = /\b(?:with(?:Long)?Transaction|writeOnce|openPipeline)\b|\.(?:transaction|startTransaction)\(/g
const MAY_OPEN = /^src\/(?:main\.ts|(?:flows|jobs|app)\/)|^src\/base\/db\/db\.ts$/
const WRITE_CALL = /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/g
const WRITE_SQL = /\bsql(?:<[^`]*>)?`\s*(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\b/i
const TAKES_TX = /:\s*Tx\b/
const TAKES_DATABASE = /:\s*(?:Database|Pipeline)\b/

// Names of a file's functions that write. They take a Tx, or are a statement that is its own transaction. Or they call
// one that does, in this file or in one that it imports. A second name for a writer is a writer.
export function writersIn(path: string, files: Files, above: readonly string[] = []): ReadonlySet<string> {
  const text = files.get(path)
  const writers = new Set<string>()
  if (text === undefined || above.includes(path)) return writers
  for (const entry of importsOf(text)) {
    const target = targetOf(path, entry.specifier ?? '')
    if (entry.typeOnly || !/^src\/(?:modules|base)\//.test(target ?? '')) continue
    const theirs = writersIn(target!, files, [...above, path])
    entry.names.forEach((name, i) => {
      if (theirs.has(name)) writers.add(entry.locals[i]!)
      else if (name !== '*' || theirs.size === 0) return
      // All of the file: by their names, or by the one that stands for it.
      else for (const one of entry.locals[i] === '*' ? theirs : [entry.locals[i]!]) writers.add(one)
    })
  }
  const declarations = declarationsOf(text)
  for (let before = -1; before < writers.size; ) {
    before = writers.size
    for (const { name, code } of declarations) {
      const words = code.match(/[\w$]+/g) ?? []
      if (TAKES_TX.test(code) || words.some((w) => w === 'writeOnce' || (w !== name && writers.has(w)))) {
        writers.add(name)
      }
    }
    for (const [from, to] of secondNamesOf(text)) if (writers.has(from)) writers.add(to)
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
  if (!/^src\/(?:modules|base)\//.test(path)) return breaches
  for (const declared of declarationsOf(text)) {
    if (
      path.startsWith('src/modules/') &&
      declared.code.includes('writeOnce') &&
      !TAKES_DATABASE.test(declared.code)
    ) {
      report(declared.line, `${declared.name} calls writeOnce, so it takes a Database or a Pipeline`)
    }
    const writes = declared.code.search(WRITE_CALL) >= 0 || WRITE_SQL.test(declared.text)
    if (writes && !TAKES_TX.test(declared.code))
      report(declared.line, `${declared.name} writes, so it takes a Tx`)
  }
  return breaches
}
