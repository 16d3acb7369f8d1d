import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { within } from './patience.ts'

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
  // One that ended since would never answer.
  if (!runner?.connected) runner = startRunner()
  const used = runner
  const { promise, resolve, reject } = Promise.withResolvers<CommandRun>()
  const ended = () => reject(new Error(`the command ended its process: ${argv.join(' ')}`))
  const answered = (run: unknown) => resolve(run as CommandRun)
  used.once('exit', ended)
  used.once('message', answered)
  used.send({ argv, environment })
  used.ref()
  used.channel?.ref()
  return within(promise, () => `ingot ${argv.join(' ')} answers`)
    .catch((error) => {
      // What it answers late would be taken for the next command's.
      used.kill('SIGKILL')
      if (runner === used) runner = undefined
      throw error
    })
    .finally(() => {
      busy = false
      used.off('exit', ended)
      used.off('message', answered)
      used.unref()
      used.channel?.unref()
    })
}

function startRunner(): ChildProcess {
  return fork(RUNNER, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
