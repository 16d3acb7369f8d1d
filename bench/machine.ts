import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return `${availableParallelism()} cores (${model}), ${memory} GB, ${process.platform} ${process.arch}, Node ${process.version}`
}

// Resident memory of a process, in MB.
export function residentMegabytes(pid: number): number {
  return Math.round(residentKilobytes(pid) / 1000)
}

function residentKilobytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    // No /proc: macOS.
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  }
}
