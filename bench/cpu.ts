import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { withClient } from './sql.ts'

// CPU time tells two builds apart even while others use the machine, which requests per second do not.
export interface CpuSeconds {
  service: number | undefined
  postgres: number | undefined
}

export interface Meter {
  // The returned function gives what was used since; undefined where the machine does not tell.
  start(): () => CpuSeconds | undefined
}

export const UNMETERED: Meter = { start: () => () => undefined }

const TICKS_PER_SECOND = 100 // USER_HZ: the same on every Linux that Node runs on
const POSTGRES = /^postgres|^postmaster/

// The server is asked for each time, as it is started anew between measurements.
export async function meterOf(
  connection: pg.ClientConfig,
  serverPids: () => readonly number[],
): Promise<Meter> {
  if (readProcess(process.pid) === undefined) return UNMETERED
  const postmaster = await findPostmaster(connection)
  const read = (): CpuSeconds => {
    const all = readProcesses()
    const service = usedBy(all, serverPids(), ({ command }) => !POSTGRES.test(command))
    return { service, postgres: postmaster === undefined ? undefined : usedBy(all, [postmaster], () => true) }
  }
  return {
    start() {
      const before = read()
      return () => {
        const after = read()
        return {
          service: after.service! - before.service!,
          postgres: after.postgres === undefined ? undefined : after.postgres - before.postgres!,
        }
      }
    },
  }
}

interface Process {
  pid: number
  parent: number
  command: string
  // Of itself, and of children that have ended.
  seconds: number
  ofChildren: number
}

// Its processes are on this machine if one with our connection's number is there and is PostgreSQL's.
async function findPostmaster(connection: pg.ClientConfig): Promise<number | undefined> {
  const backend = await withClient(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return readProcess(rows[0]!.pid)
  })
  const parent = backend && readProcess(backend.parent)
  return backend && parent && POSTGRES.test(backend.command) && POSTGRES.test(parent.command)
    ? parent.pid
    : undefined
}

// Of these processes and all their children, as far as `counts` allows.
function usedBy(
  all: readonly Process[],
  roots: readonly number[],
  counts: (process: Process) => boolean,
): number {
  const tree = all.filter((one) => roots.includes(one.pid))
  for (const parent of tree) tree.push(...all.filter((one) => one.parent === parent.pid && counts(one)))
  return tree.reduce((sum, one) => sum + one.seconds, 0)
}

// Of our own children that have ended; NaN where the machine does not tell.
export function cpuSecondsOfChildren(): number {
  return readProcess(process.pid)?.ofChildren ?? Number.NaN
}

function readProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
}

function readProcess(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const end = text.lastIndexOf(')') // a command may have brackets and blanks of its own
    const fields = text.slice(end + 2).split(' ')
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
    return {
      pid,
      parent: Number(fields[1]),
      command: text.slice(text.indexOf('(') + 1, end),
      seconds: (user + system + childUser + childSystem) / TICKS_PER_SECOND,
      ofChildren: (childUser + childSystem) / TICKS_PER_SECOND,
    }
  } catch {
    return undefined // it has ended, or there is no /proc
  }
}
