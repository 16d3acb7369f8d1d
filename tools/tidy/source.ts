import { posix } from 'node:path'

// What the checks read of a file. TypeScript 7 has no stable compiler API for JavaScript, so this is done on
// the text; the formatter, which `npm run check` enforces, makes its shape dependable.
export type Files = ReadonlyMap<string, string>

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith('test/')
}

// Of the same length as the file, with everything else blanked, so that an offset means the same in both.
interface Source {
  // Without comments and without what stands inside quotes, backticks and regular expressions.
  readonly code: string
  readonly comments: string
  // Lines (from 0) that begin inside backticks: their indentation means nothing.
  readonly quotedLines: ReadonlySet<number>
}

const BLANK = /[^\n]/g
const TOKEN =
  /(?<space>\s+)|(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")|(?<word>[\w$]+)|[\s\S]/y
const REGEX = /\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y
// After one of these a slash begins a regular expression; after any other word or operand it divides.
const BEFORE_VALUE = /^(?:return|typeof|case|in|of|delete|void|throw|await|yield|else|do|new|instanceof)$/

// Many checks read every file: the work is done once for each text.
function memoized<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const result = known.get(text) ?? read(text)
    known.set(text, result)
    return result
  }
}

export const readSource = memoized(separateSource)
export const importsOf = memoized(findImports)

function separateSource(text: string): Source {
  let code = ''
  let comments = ''
  let last = ''
  // Braces open inside each `${…}` we are in, the innermost last.
  const depths: number[] = []
  const quotedLines = new Set<number>()
  const keep = (token: string) => {
    code += token
    comments += token.replace(BLANK, ' ')
  }
  // The marks around what is blanked stay, so that the code still reads as code.
  const keepMarks = (token: string, before: number, after: number) => {
    const inside = token.slice(before, token.length - after).replace(BLANK, ' ')
    keep(token.slice(0, before) + inside + token.slice(token.length - after))
  }
  const at = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = code.length
    return pattern.exec(text)
  }
  const template = () => {
    const token = at(TEMPLATE)![0]
    const opened = token.endsWith('${')
    const line = lineAt(code, code.length)
    for (let i = 0; i < token.split('\n').length - 1; i += 1) quotedLines.add(line + i)
    keepMarks(token, 0, opened ? 2 : 1)
    if (opened) depths.push(0)
    last = opened ? '{' : '`'
  }
  while (code.length < text.length) {
    const operand = /^[\w$)\]}'"`]/.test(last) && !BEFORE_VALUE.test(last)
    const regex = text[code.length] === '/' && !operand ? at(REGEX)?.[0] : undefined
    if (regex) {
      keepMarks(regex, 1, 1)
      last = ')'
      continue
    }
    const match = at(TOKEN)!
    const [token] = match
    const { space, comment, string } = match.groups!
    if (comment) {
      code += comment.replace(BLANK, ' ')
      comments += comment
    } else if (string) keepMarks(string, 1, 1)
    else keep(token)
    if (!space && !comment) last = token
    if (token === '`') template()
    else if (token === '{' && depths.length > 0) depths.push(depths.pop()! + 1)
    else if (token === '}' && depths.length > 0) {
      const depth = depths.pop()!
      if (depth === 0) template()
      else depths.push(depth - 1)
    }
  }
  return { code, comments, quotedLines }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

export interface Import {
  // Undefined: computed while running.
  readonly specifier: string | undefined
  // As the other file calls them; `*` for all of them.
  readonly names: readonly string[]
  // Those of them that are not marked as types.
  readonly values: readonly string[]
  // The same names as this file calls them, or as it hands them on.
  readonly locals: readonly string[]
  readonly typeOnly: boolean
  // Exported on to the files that import this one.
  readonly isReExport: boolean
  // Loaded where it is called: `import(…)`, `require(…)`.
  readonly isCalled: boolean
  readonly line: number
}

const FROM =
  /\b(?<keyword>import|export)\b(?<clause>(?:(?!\b(?:import|export)\b)[^'"`;()=])*?)\bfrom\s*(?<quoted>'[^']*'|"[^"]*")/g
const SIDE_EFFECT = /\bimport\s*(?<quoted>'[^']*'|"[^"]*")/g
// `export { a, b as c }`, and `export const d = a`: what has another name too.
const EXPORTED = /\bexport\s*\{(?<list>[^}]*)\}(?!\s*from\b)/g
const RENAMED = /^export (?:default|const (?<to>[\w$]+)(?::[^=\n]+)? =) (?<from>[\w$]+)$/gm
const CALLED = /\b(?:import|require)\s*\(\s*(?<quoted>'[^']*'|"[^"]*")?/g

function findImports(text: string): readonly Import[] {
  const { code } = readSource(text)
  const handedOn = new Set(secondNamesOf(text).map(([from]) => from))
  return [FROM, SIDE_EFFECT, CALLED].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const { keyword, clause, quoted } = match.groups!
      const found = namesIn(clause)
      const end = match.index + match[0].length
      return {
        specifier: quoted && text.slice(end - quoted.length + 1, end - 1),
        ...found,
        isReExport: keyword === 'export' || found.locals.some((name) => handedOn.has(name)),
        isCalled: pattern === CALLED,
        line: lineAt(text, end),
      }
    }),
  )
}

// What a file exports under a second name, or apart from where it was declared: the name inside, and the one outside.
export function secondNamesOf(text: string): [from: string, to: string][] {
  const { code } = readSource(text)
  const listed = [...code.matchAll(EXPORTED)].flatMap(({ groups }) => listedIn(groups!.list!))
  const renamed = [...code.matchAll(RENAMED)].map(({ groups }) => [groups!.from!, groups!.to ?? 'default'])
  return [...listed.map(({ from, to }) => [from, to]), ...renamed] as [string, string][]
}

// The entries of `{ a, b as c, type D }`.
function listedIn(list: string): { from: string; to: string; isType: boolean }[] {
  return [...list.matchAll(/(?<type>\btype\s+)?(?<from>[\w$]+)(?:\s+as\s+(?<to>[\w$]+))?\s*(?:,|$)/g)].map(
    ({ groups }) => ({
      from: groups!.from!,
      to: groups!.to ?? groups!.from!,
      isType: groups!.type !== undefined,
    }),
  )
}

function namesIn(clause: string | undefined): Pick<Import, 'names' | 'values' | 'locals' | 'typeOnly'> {
  const isType = /^\s*type\b/.test(clause ?? '')
  if (clause === undefined || clause.includes('*')) {
    const local = /\bas\s+([\w$]+)/.exec(clause ?? '')?.[1] ?? '*'
    return { names: ['*'], values: ['*'], locals: [local], typeOnly: isType }
  }
  const listed = listedIn(/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
  const rest = clause.replace(/\{[^}]*\}/, '').replace(/^\s*type\b/, '')
  const standard = /[\w$]+/.exec(rest)?.[0]
  const own = standard === undefined ? [] : [standard]
  return {
    names: [...own.map(() => 'default'), ...listed.map(({ from }) => from)],
    values: [...own.map(() => 'default'), ...listed.flatMap(({ from, isType: t }) => (t ? [] : [from]))],
    locals: [...own, ...listed.map(({ to }) => to)],
    typeOnly: isType || (standard === undefined && listed.every((entry) => entry.isType)),
  }
}

// The file of src, db, contract or test that an import names; undefined for a package.
export function targetOf(path: string, specifier: string): string | undefined {
  if (/^#(?:db|contract)\//.test(specifier)) return specifier.slice(1)
  if (specifier.startsWith('#test/')) return specifier.replace('#test/', 'test/harness/')
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
}

interface Declaration {
  readonly name: string
  readonly code: string
  readonly text: string
  readonly line: number
}

const TOP_LEVEL = /^(?:export |default |async |declare |abstract )*(?:function\*?|const|let|class) ([\w$]+)/gm
const ANY_TOP_LEVEL = /^(?:export|import|async|function|const|let|class|abstract|interface|type|declare)\b/gm

// Functions, classes and constants at the top of a file, each up to where the next begins.
export function declarationsOf(text: string): Declaration[] {
  const { code } = readSource(text)
  const starts = [...code.matchAll(ANY_TOP_LEVEL)].map((match) => match.index)
  return [...code.matchAll(TOP_LEVEL)].map((match) => {
    const end = starts.find((start) => start > match.index) ?? text.length
    return {
      name: match[1]!,
      code: code.slice(match.index, end),
      text: text.slice(match.index, end),
      line: lineAt(text, match.index),
    }
  })
}
