import { after } from 'node:test'

// What test files share if one process runs several of them, such as a browser, is closed after the last one.
let kept: (() => unknown)[] | undefined
let hasHooks = true

// By a process that runs several files (run-files.ts), before the first and after the last one. A hook of node:test
// would run after the first.
export function keepShared(): void {
  kept = []
}

export async function closeShared(): Promise<void> {
  for (const close of kept ?? []) await close()
}

export function atEnd(close: () => unknown): void {
  if (kept) kept.push(close)
  else after(async () => void (await close()))
}

// By a program that is no test (`npm run prove`): with a hook, node:test prints a summary of no tests. What the program
// leaves behind ends with it all the same (leash.ts).
export function leaveHooksOut(): void {
  hasHooks = false
}

// After the test or the file that asked for it.
export function afterTest(close: () => unknown): void {
  if (hasHooks) after(async () => void (await close()))
}
