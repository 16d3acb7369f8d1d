import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Test files that wait for a process to run them, for all the processes of a run.
const VARIABLE = 'INGOT_TEST_QUEUE'

interface Queue {
  root: string
  files: string[]
  // A process claims a file by making the empty one that has its number.
  claims: string
}

export function offerFiles(root: string, files: string[]): void {
  const queue: Queue = { root, files, claims: mkdtempSync(join(tmpdir(), 'claims-')) }
  process.env[VARIABLE] = JSON.stringify(queue)
}

export function removeQueue(): void {
  rmSync(readQueue().claims, { recursive: true, force: true })
}

const readQueue = () => JSON.parse(process.env[VARIABLE] ?? '') as Queue

// Each file goes to one process.
export function* claimFiles(): Generator<{ name: string; path: string }> {
  const { root, files, claims } = readQueue()
  for (const [number, name] of files.entries()) {
    if (makesFirst(join(claims, String(number)))) yield { name, path: join(root, name) }
  }
}

function makesFirst(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
