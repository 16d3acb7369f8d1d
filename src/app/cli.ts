import { resolve } from 'node:path'
import { type Command, currentActor, parseCommand, UsageError } from '#app/command.ts'
import { keyIssue, keyList, keyRevoke } from '#app/commands/api-key.ts'
import { auditList } from '#app/commands/audit.ts'
import { cardResend, cardVoid } from '#app/commands/card.ts'
import { cardFind, cardShow } from '#app/commands/card-show.ts'
import { guardShow } from '#app/commands/guard.ts'
import { adopt, clockAdvance, migrateCommand, verify } from '#app/commands/installation.ts'
import { memberEndSessions, memberFind, memberFreeze, memberShow, memberThaw } from '#app/commands/member.ts'
import { partnerAdd, partnerApprovals, partnerList, partnerSet } from '#app/commands/partner.ts'
import { partnerShow } from '#app/commands/partner-show.ts'
import { partnerPay, partnerPayments, partnerReversePayment } from '#app/commands/payment.ts'
import {
  priceApprovals,
  priceOrders,
  priceResume,
  priceSet,
  priceShow,
  priceStop,
  priceTerms,
} from '#app/commands/price.ts'
import { templateList, templateSet } from '#app/commands/template.ts'
import { userFind, userGrant, userRedeem, userResume, userShow, userSuspend } from '#app/commands/user.ts'
import { keysRotate } from '#app/commands/vault-keys.ts'
import {
  withdrawalApprove,
  withdrawalList,
  withdrawalPay,
  withdrawalRefuse,
  withdrawalShow,
} from '#app/commands/withdrawal.ts'
import { NewerData, writeOnce } from '#app/data-dir.ts'
import { WrongDatabase } from '#app/database/migrate.ts'
import { EmbeddedPostgresError } from '#app/embedded-postgres/index.ts'
import { LostSecrets } from '#app/keys/secrets-file.ts'
import { nearest } from '#app/nearest.ts'
import { readOrigin, thisMachine } from '#app/origin.ts'
import { Refused } from '#app/refused.ts'
import { openRuntime } from '#app/runtime.ts'
import { ensurePages, NoPages } from '#app/server/web-build.ts'
import { BadSetting, type Config, type Environment, readConfig } from '#app/settings/config.ts'
import { VERSION } from '#app/version.ts'
import { generateKeyRing } from '#base/crypto/key-ring.ts'
import { classify, failureFields } from '#base/db/errors.ts'
import { createLog, stackOf } from '#base/log.ts'

// The command line. Every command works beside a running server and without one.
const COMMANDS: Record<string, Command> = {
  migrate: migrateCommand,
  'partner add': partnerAdd,
  'partner list': partnerList,
  'partner show': partnerShow,
  'partner set': partnerSet,
  'partner pay': partnerPay,
  'partner payments': partnerPayments,
  'partner reverse-payment': partnerReversePayment,
  ...partnerApprovals,
  'key issue': keyIssue,
  'key list': keyList,
  'key revoke': keyRevoke,
  'card show': cardShow,
  'card find': cardFind,
  'card void': cardVoid,
  'card resend': cardResend,
  'template list': templateList,
  'template set': templateSet,
  'user show': userShow,
  'user find': userFind,
  'user suspend': userSuspend,
  'user resume': userResume,
  'user grant': userGrant,
  'user redeem': userRedeem,
  'price show': priceShow,
  'price terms': priceTerms,
  'price stop': priceStop,
  'price resume': priceResume,
  'price set': priceSet,
  'price orders': priceOrders,
  ...priceApprovals,
  'withdrawal list': withdrawalList,
  'withdrawal show': withdrawalShow,
  'withdrawal approve': withdrawalApprove,
  'withdrawal pay': withdrawalPay,
  'withdrawal refuse': withdrawalRefuse,
  'member find': memberFind,
  'member show': memberShow,
  'member freeze': memberFreeze,
  'member thaw': memberThaw,
  'member end-sessions': memberEndSessions,
  'audit list': auditList,
  'guard show': guardShow,
  'keys rotate': keysRotate,
  verify,
  adopt,
  'clock advance': clockAdvance,
}

// With the three that need no database of their own.
export const DESCRIBED: Record<string, Pick<Command, 'usage' | 'summary'> & Partial<Command>> = {
  serve: { usage: 'serve', summary: 'run the service' },
  build: { usage: 'build', summary: 'build the pages; serve does it too when they are stale' },
  ...COMMANDS,
  'keys generate': { usage: 'keys generate FILE', summary: 'make a key ring for live mode' },
}

const line = ({ usage, summary }: Pick<Command, 'usage' | 'summary'>) =>
  `  ${usage
    .replace(/\n.*/s, '')
    .replace(/ (?:\[| {2}).*/, ' …')
    .padEnd(40)} ${summary}\n`

const HELP = `usage: ingot COMMAND [--json]

${Object.values(DESCRIBED).map(line).join('')}
Every command explains itself with --help, or ingot help COMMAND.
Results go to standard output, errors to standard error; with --json both are JSON, an error {"error":…,"code":…}.
Exit codes: 0 done, 1 refused or failed, 2 not understood.
`

// Errors that are about the situation, not about the code: their sentence is all a person needs.
const EXPLAINED = [
  UsageError,
  BadSetting,
  NewerData,
  LostSecrets,
  WrongDatabase,
  Refused,
  EmbeddedPostgresError,
  NoPages,
]

async function dispatch(argv: readonly string[], environment: Environment): Promise<number> {
  const [first, second, ...rest] = argv
  if (first === 'help' && second !== undefined) return dispatch([second, ...rest, '--help'], environment)
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    process.stdout.write(HELP)
    return first === undefined ? 2 : 0
  }
  if (first === '--version') {
    process.stdout.write(
      argv.includes('--json') ? `${JSON.stringify({ version: VERSION })}\n` : `${VERSION}\n`,
    )
    return 0
  }
  // Two words come first: `partner add` is a command, `partner` is a group.
  const name = [`${first} ${second}`, first].find((words) => Object.hasOwn(DESCRIBED, words))
  const asked = argv.includes('--help') || argv.includes('-h')
  if (name === undefined) return explainGroup(first, second, asked)
  if (asked) {
    const { summary, usage } = DESCRIBED[name]!
    process.stdout.write(`${summary}\nusage: ingot ${usage}\n`)
    return 0
  }
  if (name === 'serve') {
    // Loaded only here: the HTTP part is most of the code, and a command should answer at once.
    const { runService } = await import('#app/processes/run-service.ts')
    return runService(argv.slice(1), environment)
  }
  if (name === 'build') return buildPages(readConfig(environment))
  if (name === 'keys generate') return generateKeys(rest)
  return runCommand(COMMANDS[name]!, name.includes(' ') ? rest : argv.slice(1), environment)
}

// `ingot user` lists the commands of users. After a typo, suggests the nearest command.
function explainGroup(first: string, second: string | undefined, asked: boolean): number {
  const words = second === undefined || second.startsWith('-') ? first : `${first} ${second}`
  const group = Object.entries(DESCRIBED).flatMap(([name, one]) =>
    name.startsWith(`${first} `) ? line(one) : [],
  )
  if (group.length > 0 && (asked || words === first)) {
    if (!asked) throw new UsageError(`${first} is followed by one of\n\n${group.join('')}`)
    process.stdout.write(group.join(''))
    return 0
  }
  const meant = nearest(words, Object.keys(DESCRIBED)) ?? nearest(first, Object.keys(DESCRIBED))
  if (meant !== undefined)
    throw new UsageError(
      `there is no command ${words}: did you mean ${meant}?\nusage: ingot ${DESCRIBED[meant]!.usage}`,
    )
  const others = group.length > 0 ? `${first} is followed by one of\n\n${group.join('')}` : 'see ingot help'
  throw new UsageError(`there is no command ${words}: ${others}`)
}

async function runCommand(
  command: Command,
  argv: readonly string[],
  environment: Environment,
): Promise<number> {
  const { args, options, json } = parseCommand(command, argv)
  const config = readConfig(environment)
  // Results go to standard output; anything else that is worth saying goes beside it.
  const log = createLog('warn', process.stderr)
  const runtime = await openRuntime(config, log)
  // A command with another DATA_DIR than the server's would otherwise answer from a world of its own.
  if (runtime.created)
    process.stderr.write(`ingot: there was nothing in ${config.dataDir}: a new sandbox was made\n`)
  try {
    const origin = readOrigin(thisMachine(environment))
    const result = await command.run({ runtime, args, options, actor: currentActor(), origin })
    process.stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`)
    return result.failed ? 1 : 0
  } finally {
    await runtime.close()
  }
}

async function buildPages({ dataDir }: Config): Promise<number> {
  const { files } = await ensurePages({
    dataDir,
    onEvent: (event, ms) =>
      process.stdout.write(event === 'building' ? 'building the pages …\n' : `built in ${ms / 1000} s\n`),
  })
  const sizes = [...files].map(
    ([name, { plain, br }]) => `${kilobytes(br ?? plain)} kB compressed, ${kilobytes(plain)} kB  ${name}\n`,
  )
  process.stdout.write(sizes.join(''))
  return 0
}

function kilobytes(content: Buffer): string {
  return (content.length / 1_000).toFixed(1).padStart(6)
}

function generateKeys(argv: readonly string[]): number {
  const [file] = argv
  if (file === undefined || argv.length > 1 || file.startsWith('-')) {
    throw new UsageError('usage: ingot keys generate FILE')
  }
  const ring = `${JSON.stringify(generateKeyRing(false), null, 2)}\n`
  try {
    writeOnce(resolve(file), ring)
  } catch (error) {
    throw new Refused(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
  process.stdout.write(
    `${file} holds a new key ring. Without it no card or person's data can be read: keep copies.\n`,
  )
  return 0
}

// The exit code: 0 done, 1 refused or failed, 2 not understood.
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    return await dispatch(argv, environment)
  } catch (error) {
    const text = explain(error)
    const json = argv.includes('--json') && JSON.stringify({ error: text, ...machineWords(error) })
    process.stderr.write(json ? `${json}\n` : `ingot: ${text}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

// Stable: what a script decides by.
function machineWords(error: unknown) {
  if (error instanceof UsageError) return { code: 'usage' }
  if (error instanceof BadSetting) return { code: 'bad_setting', settings: error.settings }
  if (error instanceof Refused) return { code: 'refused' }
  if (EXPLAINED.some((kind) => error instanceof kind)) return { code: 'installation' }
  return { code: classify(error) === 'unavailable' ? 'unavailable' : 'failed' }
}

function explain(error: unknown): string {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message
  const { error: name, sqlState, reason } = failureFields(error)
  if (classify(error) === 'unavailable')
    return `the database went away or does not answer (${reason ?? sqlState ?? name}): try again`
  return [name, sqlState, stackOf(error)].filter(Boolean).join(' ')
}
