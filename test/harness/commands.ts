import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// Most of a command's time is Node starting and reading code. A process of its own for commands, with the code read
// once, does all the rest as the command line does: settings, database, result, exit code.
const RUNNER = fileURLToPath(new URL('command-runner.ts', import.meta.url))

export interface CommandRun {
  code: number
  stdout: string
  stderr: string
}

let runner: ChildProcess | undefined
let busy = false

// Undefined while another command is running: two at once need two processes.
export function runLoaded(argv: string[], environment: NodeJS.ProcessEnv): Promise<CommandRun> | undefined {
  if (busy) return undefined
  busy = true
  runner ??= startRunner()
  const { promise, resolve, reject } = Promise.withResolvers<CommandRun>()
  const ended = () => reject(new Error(`the command ended its process: ${argv.join(' ')}`))
  runner.once('exit', ended)
  runner.once('message', (run) => resolve(run as CommandRun))
  runner.send({ argv, environment })
  runner.ref()
  runner.channel?.ref()
  return promise.finally(() => {
    busy = false
    runner?.off('exit', ended)
    runner?.unref()
    runner?.channel?.unref()
  })
}

function startRunner(): ChildProcess {
  return fork(RUNNER, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
