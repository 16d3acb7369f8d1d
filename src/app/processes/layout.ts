import type { Config } from '#app/settings/config.ts'

// Which process of a service this is. `first` brings the database up and reports the start.
export interface Part {
  kind: 'api' | 'worker'
  number: number
  // API processes of the service.
  of: number
  first: boolean
}

export const nameOf = ({ kind, number }: Pick<Part, 'kind' | 'number'>) =>
  kind === 'worker' ? kind : `${kind} ${number}`

// One process does everything, or a supervisor runs several.
export function isAlone({ roles, processes }: Pick<Config, 'roles' | 'processes'>): boolean {
  return processes === 0 || !roles.api || (processes === 1 && !roles.worker)
}

// The command line of a process: `serve api 2 of 4` and the release, which is also what `ps` shows.
export function argumentsOf({ kind, number, of, first }: Part, release: string): string[] {
  return ['serve', kind, String(number), 'of', String(of), 'release', release, ...(first ? ['first'] : [])]
}

// The release that the supervisor runs.
export const releaseOf = (words: readonly string[]) => words[5]

export function partOf([kind, number, , of, , , first]: readonly string[]): Part {
  return {
    kind: kind === 'worker' ? kind : 'api',
    number: Number(number),
    of: Number(of),
    first: first === 'first',
  }
}

// Connections that stay for the worker, for commands beside the service, and for the operator.
const BESIDE = 25
const API_CONNECTIONS = 60 // of the 100 that PostgreSQL has by default
const MOST = 12 // the lines of purchases, of all partners and of the busiest, lookups beside
// Work without a session takes three, so that a purchase always finds one.
const FEWEST = 4

// The size of a process's pool. The worker's jobs have connections of their own.
export function poolSize(part: Part | undefined): number {
  if (part?.kind === 'worker') return FEWEST
  return Math.max(FEWEST, Math.min(MOST, Math.floor(API_CONNECTIONS / (part?.of ?? 1))))
}

// What the server, the database and the role allow; the least of them counts.
export const ALLOWED_CONNECTIONS = `(
  select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true)::int, 0),
               nullif(rolconnlimit, -1), nullif(datconnlimit, -1))
    from pg_roles, pg_database where rolname = current_user and datname = current_database())`

// With `allowed` connections at PostgreSQL. With an embedded one each process has one more, as its member.
export function mostProcesses(allowed: number): number {
  return Math.max(1, Math.floor((allowed - BESIDE) / (FEWEST + 1)))
}
