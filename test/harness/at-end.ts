import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'

// Imported before any test runs, so that what is called in its scope belongs to the process and not to one test file.
const whole = new AsyncResource('test process')

// For what the test files of a process share, such as a browser: closed after the last of them (file-runner.ts).
export function atEnd(close: () => unknown): void {
  whole.runInAsyncScope(after, undefined, async () => {
    await close()
  })
}
