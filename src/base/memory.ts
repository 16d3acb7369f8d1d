const MAX_KEPT = 10_000

// What every process of a service remembers together, and forgets when the service ends.
export interface Memory {
  read(key: string): Promise<unknown>
  write(key: string, value: unknown): Promise<unknown>
}

// Of one process. Beyond so many entries the oldest are forgotten.
export function createMemory(): Memory {
  const kept = new Map<string, unknown>()
  return {
    read: async (key) => kept.get(key),
    async write(key, value) {
      kept.delete(key)
      kept.set(key, value)
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    },
  }
}
