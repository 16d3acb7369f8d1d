import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '#test/process.ts'
import type { LocalService } from '../local-service.ts'
import type { Proof, Wanted } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

// The postmaster alone takes no new connections. Backends that stand still answer none of their statements.
const FROZEN = ['postmaster', 'backends', 'everything'] as const
const LONGEST_MS = 14_000 // longer than any statement is waited for

export const frozenDatabase: Proof = {
  what: 'SIGSTOP of PostgreSQL: the postmaster, its backends, or all of it, for up to 14 s',
  count: 9,
  run: (given) => proveLocal(given, (service, trial) => freezeAtRandom(service, trial, given)),
}

export async function freezeAtRandom(
  service: LocalService,
  trial: Trial,
  wanted: Wanted,
  longestMs = LONGEST_MS,
): Promise<string[]> {
  let frozenMs = 0
  for (const n of trial.rounds(wanted)) {
    await trial.untilActing()
    const what = FROZEN[n % FROZEN.length]!
    const ms = 500 + trial.random.int(longestMs - 500)
    const pids = pidsOf(service, what)
    signal(pids, 'SIGSTOP')
    try {
      await sleep(ms)
    } finally {
      signal(pids, 'SIGCONT')
    }
    frozenMs = Math.max(frozenMs, ms)
    trial.fault(`${what} frozen for ${ms} ms`)
  }
  await trial.untilActing()
  return [`frozen for ${(frozenMs / 1_000).toFixed(1)} s at most`]
}

function pidsOf(service: LocalService, what: (typeof FROZEN)[number]): number[] {
  const { postmaster } = service
  if (postmaster === undefined) return []
  if (what === 'postmaster') return [postmaster]
  if (what === 'backends') return service.backends
  const children = listProcesses().filter(({ parent }) => parent === postmaster)
  return [postmaster, ...children.map(({ pid }) => pid)]
}

// One that has ended since needs none.
function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {}
  }
}
