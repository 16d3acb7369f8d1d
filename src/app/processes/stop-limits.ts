import type { Config } from '#app/settings/config.ts'

// How long each step of a process's stop may take. A step that hangs must not keep the process: a supervisor waits for it.
export interface StopLimits {
  drainMs: number
  workMs: number
  closeMs: number
}

export function stopLimits({ databaseUrl }: Pick<Config, 'databaseUrl'>): StopLimits {
  return {
    drainMs: 15_000, // longer than any request may take at the database
    workMs: 30_000, // jobs under way have 20 s
    // The last to leave the embedded PostgreSQL waits for its checkpoint, up to 75 s.
    closeMs: databaseUrl === undefined ? 90_000 : 15_000,
  }
}

// For the supervisor: longer than any of its processes needs.
export function serviceStopMs(config: Pick<Config, 'databaseUrl'>): number {
  const { drainMs, workMs, closeMs } = stopLimits(config)
  return drainMs + workMs + closeMs + 10_000
}
