import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { run } from '../children.ts'
import { cpuSecondsOfChildren } from '../cpu.ts'
import type { Sample } from '../rounds.ts'
import { asSealed } from '../sealed.ts'

export interface Pgbench {
  file: string
  version: string
}

const DEBIAN = '/usr/lib/postgresql' // a folder per version, none of them on the PATH

let found: { pgbench: Pgbench | undefined } | undefined

// On the PATH, or where Debian puts it. Undefined where it is not installed.
export function pgbench(): Pgbench | undefined {
  found ??= { pgbench: ['pgbench', ...debianFiles()].flatMap(tryOut)[0] }
  return found.pgbench
}

function debianFiles(): string[] {
  if (!existsSync(DEBIAN)) return []
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(DEBIAN, version, 'bin', 'pgbench'))
}

function tryOut(file: string): Pgbench[] {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return status === 0 ? [{ file, version: stdout.trim() }] : []
}

export const NO_PGBENCH =
  'pgbench is missing, and with it all that is compared to it: install PostgreSQL’s own tools, or put pgbench on the PATH.'

const INDEX = 'sha256(uuid_send(gen_random_uuid()))'
const sealed = (bytes: number) =>
  `'\\x${asSealed(Buffer.alloc(bytes - 32, 0x5a)).toString('hex')}'::bytea || ${INDEX}`

// One call and one round trip per purchase, as `bench.buy_one` writes it; a client stays with its partner.
export function purchaseScript(partners: readonly number[]): string {
  return (
    `\\set partner (:client_id % ${partners.length}) + 1\n` +
    `select bench.buy_one((array[${partners.join(', ')}])[:partner], uuidv7(), uuidv7(), ` +
    `random(100000000, 999999999999999), 50000, ${sealed(44)}, ${INDEX}, ${sealed(47)}, ${INDEX});\n`
  )
}

export interface PgbenchJob {
  connection: pg.ClientConfig
  script: string
  clients: number
  seconds: number
}

const SECONDS_NOT_COUNTED = 1 // while every client still plans its statements

// Only where there is one.
export async function runPgbench({ connection, script, clients, seconds }: PgbenchJob): Promise<Sample> {
  const file = join(tmpdir(), `ingot-bench-${process.pid}.pgbench`)
  writeFileSync(file, script)
  try {
    const time = SECONDS_NOT_COUNTED + Math.max(1, Math.round(seconds))
    const cpuBefore = cpuSecondsOfChildren()
    const { output, complaints } = await run(
      pgbench()!.file,
      [
        ...['--no-vacuum', '--protocol=prepared', `--file=${file}`, '--progress=1', `--time=${time}`],
        ...[`--client=${clients}`, `--jobs=${availableParallelism()}`],
      ],
      environment(connection),
    )
    return {
      perSecond: meanOfProgress(complaints),
      requests: transactions(output),
      errors: 0,
      load: { cpuSeconds: cpuSecondsOfChildren() - cpuBefore, seconds: time },
    }
  } finally {
    rmSync(file, { force: true })
  }
}

// Lines such as `progress: 2.0 s, 3021.9 tps, lat 10.562 ms …`, one for each second.
function meanOfProgress(text: string): number {
  const all = Array.from(text.matchAll(/^progress: .* s, ([\d.]+) tps/gm), ([, tps]) => Number(tps))
  // On a machine that is too busy for a line per second, all there is.
  const counted = all.length > SECONDS_NOT_COUNTED ? all.slice(SECONDS_NOT_COUNTED) : all
  if (counted.length === 0) throw new Error(`pgbench told no progress:\n${text}`)
  return counted.reduce((sum, tps) => sum + tps, 0) / counted.length
}

function transactions(text: string): number {
  return Number(/^number of transactions actually processed: (\d+)/m.exec(text)?.[1] ?? 0)
}

function environment(connection: pg.ClientConfig): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PGHOST: connection.host,
    PGPORT: String(connection.port),
    PGUSER: connection.user,
    PGDATABASE: connection.database,
    PGPASSWORD: connection.password as string,
  }
}
