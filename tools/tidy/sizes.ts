import { readSource } from './source.ts'

const FILE_LINES = 300
const FUNCTION_LINES = 70

const KEYWORD = /^(?:\} )?(?:if|else|for|while|switch|catch|try|do|return|await|throw|new)\b/
const STARTS =
  /^(?:export |default |async |static |override |get |set )*(?:function\b.*|[#*]?[\w$]+(?:<.*>)?\(.*)[{(]$/
const ARROW = /=> \{$/

interface Span {
  readonly line: number
  readonly lines: number
}

// Formatted code closes a block in the column where its first line began. So a function ends at the next line of its own
// indentation that begins with a brace and opens no other block.
function functionSpans(text: string): Span[] {
  const { code, quotedLines } = readSource(text)
  const lines = code.split('\n')
  const indent = lines.map((line, i) =>
    line.trim() && !quotedLines.has(i) ? line.search(/\S/) : Number.POSITIVE_INFINITY,
  )
  return lines.flatMap((raw, start) => {
    const line = raw.trim()
    if (!ARROW.test(line) && (KEYWORD.test(line) || !STARTS.test(line))) return []
    for (let i = start + 1; i < lines.length; i += 1) {
      if (indent[i]! > indent[start]!) continue
      const other = lines[i]!.trim()
      if (indent[i]! < indent[start]!) return []
      if (other.endsWith('{')) continue
      return other.startsWith('}') ? [{ line: start + 1, lines: i - start + 1 }] : []
    }
    return []
  })
}

// One function per file: from its `create` to the end.
function checkSqlSizes(path: string, text: string): string[] {
  const lines = text.trimEnd().split('\n')
  const start = lines.findIndex((line) => line.startsWith('create '))
  const length = lines.length - start
  return length > FUNCTION_LINES
    ? [`${path}:${start + 1} a function of ${length} lines: at most ${FUNCTION_LINES}`]
    : []
}

export function checkSizes(path: string, text: string): string[] {
  if (/^db\/functions\/.*\.sql$/.test(path)) return checkSqlSizes(path, text)
  if (!/\.tsx?$/.test(path) || !/^(?:src|web)\//.test(path) || path.endsWith('.gen.ts')) return []
  const lines = text.trimEnd().split('\n').length
  const file = lines > FILE_LINES ? [`${path}:1 ${lines} lines: at most ${FILE_LINES}`] : []
  const functions = functionSpans(text)
    .filter((span) => span.lines > FUNCTION_LINES)
    .map((span) => `${path}:${span.line} a function of ${span.lines} lines: at most ${FUNCTION_LINES}`)
  return [...file, ...functions]
}
