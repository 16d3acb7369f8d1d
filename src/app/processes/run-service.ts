import cluster from 'node:cluster'
import { Refused } from '#app/refused.ts'
import { type Environment, readConfig } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import { readRelease } from '#app/version.ts'
import { isAlone, partOf, releaseOf } from './layout.ts'
import { type Mailbox, makeMailbox } from './mailbox.ts'

// `ingot serve`: one process, or a supervisor and its processes (decisions/0059). Each loads only what it runs.
export async function runService(words: readonly string[], environment: Environment): Promise<number> {
  if (words.length > 0 && !cluster.isWorker)
    throw new UsageError('serve takes no arguments: it is set up by the environment')
  const mailbox = cluster.isWorker ? makeMailbox() : undefined
  if (mailbox) {
    refuseOtherRelease(releaseOf(words))
    if (partOf(words).kind === 'worker' && !(await mayBegin(mailbox))) return 0
  } else {
    const config = await readLayout(environment)
    if (!isAlone(config)) {
      const { supervise } = await import('./supervisor.ts')
      return supervise(config)
    }
  }
  const { requireServing } = await import('#app/settings/serve.ts')
  const config = readConfig(environment, requireServing)
  const { runServer } = await import('#app/server/run-server.ts')
  if (!mailbox) return runServer(config)
  const { joinService } = await import('./join-service.ts')
  return runServer(config, joinService(config, partOf(words), mailbox))
}

// The worker loads its code while the first process opens the database, and then goes on. So settings that are wrong are
// told by the first process alone, and only that one migrates.
async function mayBegin(mailbox: Mailbox): Promise<boolean> {
  const { loadRoles } = await import('#app/server/run-server.ts')
  await loadRoles({ roles: { api: false, worker: true } })
  return (await mailbox.hear('begin', 'stop')) === 'begin'
}

// Before anything is read or written: a newer release would migrate the database under the processes that run.
function refuseOtherRelease(running: string | undefined): void {
  const here = readRelease()
  if (here === running) return
  throw new Refused(
    `the files were replaced by release ${here} while ${running ?? 'another'} runs: restart the service`,
  )
}

// What serving requires beyond this is checked by the first process. If something is wrong already, all of it is told
// together.
async function readLayout(environment: Environment) {
  try {
    return readConfig(environment)
  } catch (error) {
    const { requireServing } = await import('#app/settings/serve.ts')
    readConfig(environment, requireServing)
    throw error
  }
}
