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

const LATE_MS = 5_000 // a busy machine hands messages over late

// For the supervisor: how long it waits for its API processes before it asks the worker to stop. They acknowledge nothing after their drain.
export function apiStopMs(config: Pick<Config, 'databaseUrl'>): number {
  return stopLimits(config).drainMs + LATE_MS
}

// For the supervisor: longer than its processes need. The worker has nothing to drain, so the first part is for the API processes.
export function serviceStopMs(config: Pick<Config, 'databaseUrl'>): number {
  const { workMs, closeMs } = stopLimits(config)
  return apiStopMs(config) + workMs + closeMs + LATE_MS
}
