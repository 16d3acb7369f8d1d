import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeShared, keepShared } from './at-end.ts'
import { claimFiles } from './file-queue.ts'
import { patiently } from './patience.ts'

// Runs one test file after another in a process that has the code loaded already. Each file is a test, and the tests in
// it are its subtests: its hooks run at its end, and a failure names it. A process that dies loses the file it was at,
// and the next one goes on with the rest.
const FILE_MS = patiently(900_000)

keepShared()
const began = performance.now()
for (const { name, path } of claimFiles()) {
  await test(name, { timeout: FILE_MS }, async () => {
    await import(pathToFileURL(path).href)
  })
  // As tools/test.ts gives a process twice as long as a file.
  if (performance.now() - began > FILE_MS) break
}
await closeShared()
