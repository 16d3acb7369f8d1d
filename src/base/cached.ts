interface Known<Value> {
  until: number
  value: Promise<Value>
}

// What was read counts for a while, and whoever asks meanwhile waits for the same answer. A failure is not remembered.
// Keys are few: nothing is ever forgotten but for being read again.
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
