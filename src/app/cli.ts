import type { Environment } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import { Explained } from '#base/explained.ts'

// The command line. Each branch loads its own code: the server is most of it, a command needs a part, a version none.
async function dispatch(argv: readonly string[], environment: Environment): Promise<number> {
  const [first, ...rest] = argv
  if (first === '--version') return printVersion(argv.includes('--json'))
  if (first === 'serve' && !rest.includes('--help') && !rest.includes('-h')) {
    const { runService } = await import('#app/processes/run-service.ts')
    return runService(rest, environment)
  }
  const { runCommandLine } = await import('#app/run-command.ts')
  return runCommandLine(argv, environment)
}

async function printVersion(json: boolean): Promise<number> {
  const { VERSION } = await import('#app/version.ts')
  process.stdout.write(json ? `${JSON.stringify({ version: VERSION })}\n` : `${VERSION}\n`)
  return 0
}

// The exit code: 0 done, 1 refused or failed, 2 not understood.
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    return await dispatch(argv, environment)
  } catch (error) {
    const { text, ...words } = await explain(error)
    const json = argv.includes('--json') && JSON.stringify({ error: text, ...words })
    process.stderr.write(json ? `${json}\n` : `ingot: ${text}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function explain(error: unknown): Promise<{ text: string; code: string }> {
  if (error instanceof Explained) return { text: error.message, ...error.machineWords }
  const { areWritesStopped, classify, failureFields } = await import('#base/db/errors.ts')
  const { stackOf } = await import('#base/log.ts')
  if (areWritesStopped(error)) {
    const text =
      'writes are stopped, because this installation is being moved: wait for `ingot move --to TARGET` to end or run it ' +
      'again, or open this database again with `ingot move --undo`'
    return { text, code: 'being_moved' }
  }
  const { error: name, sqlState, reason } = failureFields(error)
  if (classify(error) === 'unavailable') {
    const text = `the database went away or does not answer (${reason ?? sqlState ?? name}): try again`
    return { text, code: 'unavailable' }
  }
  return { text: [name, sqlState, stackOf(error)].filter(Boolean).join(' '), code: 'failed' }
}
