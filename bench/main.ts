import { benchmark } from './benchmark.ts'
import { stopAll } from './children.ts'
import { Installation } from './installation.ts'
import { BadOption, readOptions } from './options.ts'

// Absolute times say little on a shared machine, so everything that is compared is measured side by side
// in one run: the service and its load beside others on the same PostgreSQL.
const installation = new Installation()
let cleaning: Promise<void> | undefined
let interrupted = false

// Nothing is left behind: no process, no folder.
function cleanUp(): Promise<void> {
  cleaning ??= stopAll().then(() => installation.remove())
  return cleaning
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true
    void cleanUp()
  })
}

const showProgress = process.stderr.isTTY
  ? (text: string) => process.stderr.write(`\r\u001b[K${text}`)
  : (text: string) => process.stderr.write(`${text}\n`)

try {
  const options = readOptions(process.argv.slice(2))
  process.exitCode = (await benchmark(installation, options, showProgress)) ? 0 : 1
} catch (error) {
  process.exitCode = error instanceof BadOption ? 2 : 1
  if (!interrupted) process.stderr.write(`${error instanceof BadOption ? error.message : error}\n`)
} finally {
  await cleanUp()
}
if (interrupted) process.exitCode = 130
