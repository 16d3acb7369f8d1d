import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeShared, keepShared } from './at-end.ts'
import { claimFiles } from './file-queue.ts'
import { patiently } from './patience.ts'

// Runs one test file after another in a process that has the code loaded already. Each file is a test, and the tests in
// it are its subtests: its hooks run at its end, and a failure names it. A process that dies loses the file it was at,
// and the next one goes on with the rest.
// A file that hangs is ended with its process: what it left would be in the way of the next ones.
const FILE_MS = patiently(600_000)
// After this a process takes no other file: tools/test.ts gives it as long as this and one file.
const PROCESS_MS = patiently(300_000)

keepShared()
const began = performance.now()
for (const { name, path } of claimFiles()) {
  const fileBegan = performance.now()
  await test(name, { timeout: FILE_MS }, async () => {
    await import(pathToFileURL(path).href)
  })
  if (performance.now() - fileBegan >= FILE_MS) {
    // When this is told.
    setTimeout(() => process.exit(1), patiently(10_000))
    break
  }
  if (performance.now() - began > PROCESS_MS) break
}
await closeShared()
