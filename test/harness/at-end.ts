import { after } from 'node:test'

// What test files share if one process runs several of them, such as a browser, is closed after the last one.
let kept: (() => unknown)[] | undefined

// By a process that runs several files (file-runner.ts), before the first and after the last one. A hook of node:test
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
