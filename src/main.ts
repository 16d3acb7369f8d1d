import { resolve } from 'node:path'
import { type Command, currentActor, parseCommand, UsageError } from '#app/command.ts'
import { cardShow, cardVoid } from '#app/commands/card.ts'
import { clockAdvance, migrateCommand, verify } from '#app/commands/installation.ts'
import { keyIssue, keyList, keyRevoke } from '#app/commands/key.ts'
import { partnerAdd, partnerList, partnerSet } from '#app/commands/partner.ts'
import { BadSetting, readConfig } from '#app/config.ts'
import { LostSecrets, NewerData, writeOnce } from '#app/data-dir.ts'
import { EmbeddedPostgresError } from '#app/embedded-postgres/index.ts'
import { WrongDatabase } from '#app/migrate.ts'
import { runServer } from '#app/run-server.ts'
import { openRuntime } from '#app/runtime.ts'
import { failureFields } from '#base/db-errors.ts'
import { generateKeyRing } from '#base/key-ring.ts'
import { createLog, stackOf } from '#base/log.ts'
import { Refused } from '#flows/refused.ts'

// The command line. Every command works beside a running server and without one.
const COMMANDS: Record<string, Command> = {
  migrate: migrateCommand,
  'partner add': partnerAdd,
  'partner list': partnerList,
  'partner set': partnerSet,
  'key issue': keyIssue,
  'key list': keyList,
  'key revoke': keyRevoke,
  'card show': cardShow,
  'card void': cardVoid,
  verify,
  'clock advance': clockAdvance,
}

const HELP = `usage: ingot COMMAND [--json]

  serve                                    run the service
${Object.values(COMMANDS)
  .map(({ usage, summary }) => `  ${usage.replace(/ \[.*/, ' …').padEnd(40)} ${summary}`)
  .join('\n')}
  keys generate FILE                       make a key ring for live mode
`

// Errors that are about the situation, not about the code: their sentence is all a person needs.
const EXPLAINED = [BadSetting, NewerData, LostSecrets, WrongDatabase, Refused, EmbeddedPostgresError]

async function main(argv: readonly string[]): Promise<number> {
  const [first, second, ...rest] = argv
  if (first === undefined || first === 'help' || first === '--help') {
    process.stdout.write(HELP)
    return first === undefined ? 2 : 0
  }
  if (first === 'serve') return runServer(readConfig(process.env))
  if (first === 'keys' && second === 'generate') return generateKeys(rest)
  const twoWords = COMMANDS[`${first} ${second}`]
  const command = twoWords ?? COMMANDS[first]
  if (!command) throw new UsageError(`there is no command ${first}\n\n${HELP}`)
  return runCommand(command, twoWords ? rest : argv.slice(1))
}

async function runCommand(command: Command, argv: readonly string[]): Promise<number> {
  const { args, options, json } = parseCommand(command, argv)
  const config = readConfig(process.env)
  // Results go to standard output; anything else that is worth saying goes beside it.
  const log = createLog('warn', process.stderr)
  const runtime = await openRuntime(config, log)
  try {
    const result = await command.run({ runtime, args, options, actor: currentActor() })
    process.stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`)
    return result.failed ? 1 : 0
  } finally {
    await runtime.close()
  }
}

function generateKeys(argv: readonly string[]): number {
  const [file] = argv
  if (file === undefined || argv.length > 1) throw new UsageError('usage: ingot keys generate FILE')
  writeOnce(resolve(file), generateKeyRing(false))
  process.stdout.write(
    `${file} holds a new key ring. Without it no card or person's data can be read: keep copies.\n`,
  )
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`ingot: ${error.message}\n`)
    process.exitCode = 2
  } else {
    const explained = EXPLAINED.some((kind) => error instanceof kind)
    const { error: name, sqlState } = failureFields(error)
    const cause = explained ? (error as Error).message : `${name} ${sqlState ?? ''} ${stackOf(error)}`
    process.stderr.write(`ingot: ${cause}\n`)
    process.exitCode = 1
  }
}
