import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { EmbeddedPostgresError } from './error.ts'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

// In order of preference. `postgres` first, as `nobody` may be shared with other services.
const ACCOUNTS = ['postgres', 'nobody']

// PostgreSQL gets none of our environment: PG* and LD_* variables would change what it does, and ours may
// hold secrets. LC_ALL also keeps macOS from starting threads in the postmaster, which then refuses to run.
export const CHILD_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

export function unprivilegedAccounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return ACCOUNTS.flatMap((name) => {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (!fields) return []
    const [uid, gid] = [Number(fields[2]), Number(fields[3])]
    return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? [{ name, uid, gid }] : []
  })
}

export function chooseAccount(): Account {
  const account = unprivilegedAccounts()[0]
  if (account) return account
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root and this machine has none of the accounts ${ACCOUNTS.join(', ')} ` +
      'to run it under; add one, start as an ordinary user, or set DATABASE_URL',
  )
}

export function credentials(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {}
}

// macOS writes the uid of nobody as -2 and reports it as 4294967294.
export function sameUid(a: number, b: number): boolean {
  return a >>> 0 === b >>> 0
}

export function uidOf(account: Account | null): number {
  return account ? account.uid : (process.geteuid?.() ?? -1)
}

/** Runs a short command as the account (or as ourselves) to see whether it works there. */
export function tryAs(
  account: Account | null,
  file: string,
  args: readonly string[],
): { ok: boolean; detail: string } {
  const run = spawnSync(file, args, {
    ...credentials(account),
    cwd: '/', // ours may be out of the account's reach
    env: CHILD_ENV,
    encoding: 'utf8',
    timeout: 30_000,
  })
  const detail = (run.error?.message ?? run.stderr ?? '').trim()
  return { ok: run.status === 0, detail: detail || `status ${run.status ?? run.signal}` }
}
