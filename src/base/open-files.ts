import { readFileSync } from 'node:fs'

// How many files and connections this process may have open. Undefined where the machine does not tell. Node has already raised it as far
// as it may.
export function openFilesAllowed(): number | undefined {
  try {
    const [, allowed] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return allowed === undefined ? undefined : Number(allowed)
  } catch {
    return undefined
  }
}
