import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { sameUid, uidOf } from './account.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { errorCode } from './error.ts'

/**
 * Whether the process may be the postmaster of this location. False only if that is certain: the number in an
 * old postmaster.pid may belong to any other process by now, but two postmasters on one folder must never
 * be. (PostgreSQL's own check of its shared memory is the last line behind this one.)
 */
export function isPostmaster(location: ClusterLocation, pid: number): boolean {
  if (!isAlive(pid)) return false
  return existsSync('/proc/self/status') ? isPostmasterByProc(location, pid) : isPostmasterByPs(location, pid)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

/** A live process that /proc does not show us, although we may signal it: ProtectProc= and PrivateUsers= of systemd do that. */
export function isHidden(pid: number): boolean {
  if (!existsSync('/proc/self/status') || existsSync(`/proc/${pid}/status`)) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false // ended since, or of another account
  }
}

function isPostmasterByProc(location: ClusterLocation, pid: number): boolean {
  let status: string
  let command: string[]
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
    command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return false // ended since, or hidden from us: then its socket answers (answersInside)
  }
  const field = (name: string) => status.match(new RegExp(`^${name}:\\s+(\\S+)`, 'm'))?.[1]
  // A dead process without a waiting parent stays as Z, for ever if process 1 is no init (containers).
  if (/^[ZX]/.test(field('State') ?? '')) return false
  // The account also matters because we signal this process, perhaps as root, on the word of a file it owns.
  if (!sameUid(Number(field('Uid')), uidOf(location.account)) || field('Name') !== 'postgres') return false
  // The working folder tells for sure, but a container without CAP_SYS_PTRACE does not let root see it.
  const cwd = inode(`/proc/${pid}/cwd`)
  if (cwd) return cwd === inode(location.cluster)
  return mayServe(location, command[0] ?? '', command[command.indexOf('-D') + 1])
}

function isPostmasterByPs(location: ClusterLocation, pid: number): boolean {
  const columns = ['-o', 'uid=', '-o', 'state=', '-o', 'command=']
  const ps = spawnSync('ps', ['-ww', ...columns, '-p', String(pid)], { encoding: 'utf8' })
  if (ps.error) return true
  const [, uid, state, command] = ps.stdout.trim().match(/^(-?\d+)\s+(\S+)\s+(.*)$/s) ?? []
  if (!uid || !command || state?.startsWith('Z')) return false
  if (!sameUid(Number(uid), uidOf(location.account))) return false
  const [, program, folder] = command.match(/^(.*?) -D (.*?)(?: -c |$)/s) ?? []
  return mayServe(location, program ?? command, folder)
}

// A postmaster keeps its arguments; its children have titles such as "postgres: checkpointer".
function mayServe(location: ClusterLocation, program: string, folder: string | undefined): boolean {
  if (basename(program) !== 'postgres') return false
  const served = folder && inode(folder)
  // A folder of that name may be gone because DATA_DIR was moved since.
  return !served || served === inode(location.cluster)
}

function inode(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
