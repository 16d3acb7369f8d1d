import { readSource } from './source.ts'

// Unindented, or inside of a loop that makes tests.
const TEST = /^\s*(?:test|it|describe)(?:\.(?:skip|only|todo))?\(/
// At the top of the file: what stands inside of a function is indented, or has its arrow before it.
const AWAIT = /^(?!.*=>)\S.*\bawait\b|^await\b/

// Tests begin while the rest of their file is still read. So what a file makes ready with an `await` after the first of
// its tests happens in the middle of that test: a clock that is moved there ends the test's sessions.
export function checkTestSetup(path: string, text: string): string[] {
  if (!/\.test\.tsx?$/.test(path)) return []
  const { code, quotedLines } = readSource(text)
  const lines = code.split('\n').map((line, i) => (quotedLines.has(i) ? '' : line))
  const first = lines.findIndex((line) => TEST.test(line))
  if (first < 0) return []
  return lines.flatMap((line, i) =>
    i > first && !TEST.test(line) && AWAIT.test(line)
      ? [`${path}:${i + 1} awaited beside the tests: make it ready above the first of them`]
      : [],
  )
}
