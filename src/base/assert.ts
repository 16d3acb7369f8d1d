// For our own mistakes: a broken assertion is a bug here, never a caller's fault.
export function assert(condition: unknown, because: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${because}`)
}
