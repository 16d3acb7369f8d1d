interface Known<Value> {
  until: number
  value: Promise<Value>
}

// A value counts for a while, and concurrent callers wait for the same read. A failure is not cached. Keys are few,
// so entries are only replaced, never removed.
export function cached<Key, Value>(
  trustMs: number,
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, Known<Value>>()
  return (key) => {
    const now = performance.now()
    const before = known.get(key)
    if (before && before.until > now) return before.value
    const asked: Known<Value> = { until: now + trustMs, value: read(key) }
    known.set(key, asked)
    asked.value.catch(() => {
      if (known.get(key) === asked) known.delete(key)
    })
    return asked.value
  }
}
