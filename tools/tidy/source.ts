// What the checks read of a file. TypeScript 7 has no stable compiler API for JavaScript, so this is done on
// the text; the formatter, which `npm run check` enforces, makes its shape dependable.
export type Files = ReadonlyMap<string, string>

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/')
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
  readonly typeOnly: boolean
  readonly line: number
}

const FROM =
  /\b(?:import|export)\b(?<clause>(?:(?!\b(?:import|export)\b)[^'"`;()=])*?)\bfrom\s*(?<quoted>'[^']*'|"[^"]*")/g
const SIDE_EFFECT = /\bimport\s*(?<quoted>'[^']*'|"[^"]*")/g
const CALLED = /\b(?:import|require)\s*\(\s*(?<quoted>'[^']*'|"[^"]*")?/g

function findImports(text: string): readonly Import[] {
  const { code } = readSource(text)
  return [FROM, SIDE_EFFECT, CALLED].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const { clause, quoted } = match.groups!
      const end = match.index + match[0].length
      return {
        specifier: quoted && text.slice(end - quoted.length + 1, end - 1),
        ...namesIn(clause),
        line: lineAt(text, end),
      }
    }),
  )
}

function namesIn(clause: string | undefined): { names: string[]; typeOnly: boolean } {
  if (clause === undefined || clause.includes('*')) {
    return { names: ['*'], typeOnly: /^\s*type\b/.test(clause ?? '') }
  }
  const braced = /\{([^}]*)\}/.exec(clause)?.[1] ?? ''
  const names = braced
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const rest = clause.replace(/\{[^}]*\}/, '').replace(/^\s*type\b/, '')
  const standard = /[\w$]/.test(rest) ? ['default'] : []
  const typeOnly =
    /^\s*type\b/.test(clause) || (standard.length === 0 && names.every((n) => n.startsWith('type ')))
  return {
    names: [...standard, ...names.map((name) => name.replace(/^type /, '').replace(/ as .*/, ''))],
    typeOnly,
  }
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
