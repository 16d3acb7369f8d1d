import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { closeShared, keepShared } from './at-end.ts'
import { claimFiles } from './file-queue.ts'
import { runningTest, test } from './node-test.ts'
import { patiently } from './patience.ts'

// Runs one test file after another in a process that has the code loaded already. Each file is a test, and the tests in
// it are its subtests: its hooks run at its end, and a failure names it. A process that dies loses the file it was at,
// and the next one goes on with the rest.
// A file that hangs is ended with its process: what it left would be in the way of the next ones.
const FILE_MS = patiently(600_000)
// For a failure to be told. Hooks have no limit of their own, so they share it.
const TELL_MS = patiently(10_000)
// For what the files share to close, and for what they left open to be given up.
const CLOSE_MS = patiently(60_000)
// After this a process takes no other file: tools/test.ts gives it as long as this and one file.
const PROCESS_MS = patiently(600_000)

// Kills the process in time, unless it is given more. A thread can do so while a test computes without end, or handles
// the signal that tools/test.ts sends. It also keeps the process going. Without that, node:test would give up at a
// promise that nothing can keep, and run no hook of any later file.
const guard = new Worker(
  `const { parentPort } = require('node:worker_threads')
  let timer
  parentPort.on('message', ({ ms, reason }) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, reason + ': its process is ended\\n')
      process.kill(process.pid, 'SIGKILL')
    }, ms)
  })`,
  { eval: true },
)
const endAfter = (ms: number, reason: string) => guard.postMessage({ ms, reason })

// node:test fails the process for it, and knows no test (untracked.ts).
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error) => console.error(`${runningTest()}: ${event}`, error))
}

keepShared()
const began = performance.now()
for (const { name, path } of claimFiles()) {
  endAfter(FILE_MS + TELL_MS, `${name} hangs`)
  const fileBegan = performance.now()
  await test(name, { timeout: FILE_MS }, async () => {
    await import(pathToFileURL(path).href)
  })
  if (performance.now() - fileBegan >= FILE_MS || performance.now() - began > PROCESS_MS) break
}
endAfter(CLOSE_MS, 'what a test file left open')
await closeShared()
guard.unref()
