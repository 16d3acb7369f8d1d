import { resolve } from 'node:path'
import { type Command, currentActor, type OwnCommand, parseCommand } from '#app/command.ts'
import { COMMANDS, type Described, describeAll, describeOne, NAMES } from '#app/command-table.ts'
import { writeOnce } from '#app/data-dir.ts'
import { nearest } from '#app/nearest.ts'
import { commandOrigin, readOrigin, thisMachine } from '#app/origin.ts'
import { Refused } from '#app/refused.ts'
import { openRuntime } from '#app/runtime.ts'
import { ensurePacked } from '#app/server/pack.ts'
import { ensurePages } from '#app/server/web-build.ts'
import { type Config, type Environment, readConfig } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import { runActing } from '#base/acting.ts'
import { generateKeyRing } from '#base/crypto/key-ring.ts'
import { createLog } from '#base/log.ts'

const line = ({ usage, summary }: Described) =>
  `  ${usage
    .replace(/\n.*/s, '')
    .replace(/ (?:\[| {2}).*/, ' …')
    .padEnd(40)} ${summary}\n`

const help = (described: Record<string, Described>) => `usage: ingot COMMAND [--json]

${Object.values(described).map(line).join('')}
Every command explains itself with --help, or ingot help COMMAND.
Results go to standard output, errors to standard error; with --json both are JSON, an error {"error":…,"code":…}.
Exit codes: 0 done, 1 refused or failed, 2 not understood.
`

// Every command but serve, and the help of all.
export async function runCommandLine(argv: readonly string[], environment: Environment): Promise<number> {
  outliveReader()
  const [first, second, ...rest] = argv
  if (first === 'help' && second !== undefined)
    return runCommandLine([second, ...rest, '--help'], environment)
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    process.stdout.write(help(await describeAll()))
    return first === undefined ? 2 : 0
  }
  // Two words come first: `partner add` is a command, `partner` is a group.
  const name = [`${first} ${second}`, first].find((words) => NAMES.includes(words))
  const asked = argv.includes('--help') || argv.includes('-h')
  if (name === undefined) return explainGroup(first, second, asked)
  if (asked) {
    const { summary, usage } = await describeOne(name)
    process.stdout.write(`${summary}\nusage: ingot ${usage}\n`)
    return 0
  }
  if (name === 'build') return buildAll(readConfig(environment))
  if (name === 'keys generate') return generateKeys(rest)
  if (name === 'doctor') return (await import('#app/doctor/command.ts')).runDoctor(argv.slice(1), environment)
  const command = await COMMANDS[name]!()
  return runCommand(command, name.includes(' ') ? rest : argv.slice(1), environment)
}

// `ingot partner list | head -1`: a reader that has seen enough is no error, and the command ends as usual.
function outliveReader(): void {
  if (process.stdout.listenerCount('error') > 0) return
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// `ingot user` lists the commands of users. After a typo, suggests the nearest command.
async function explainGroup(first: string, second: string | undefined, asked: boolean): Promise<number> {
  const words = second === undefined || second.startsWith('-') ? first : `${first} ${second}`
  const members = NAMES.filter((name) => name.startsWith(`${first} `))
  const group = (await Promise.all(members.map(describeOne))).map(line)
  if (group.length > 0 && (asked || words === first)) {
    if (!asked) throw new UsageError(`${first} is followed by one of\n\n${group.join('')}`)
    process.stdout.write(group.join(''))
    return 0
  }
  const meant = nearest(words, NAMES) ?? nearest(first, NAMES)
  if (meant !== undefined) {
    const { usage } = await describeOne(meant)
    throw new UsageError(`there is no command ${words}: did you mean ${meant}?\nusage: ingot ${usage}`)
  }
  const others = group.length > 0 ? `${first} is followed by one of\n\n${group.join('')}` : 'see ingot help'
  throw new UsageError(`there is no command ${words}: ${others}`)
}

async function runCommand(
  command: Command | OwnCommand,
  argv: readonly string[],
  environment: Environment,
): Promise<number> {
  const { args, options, json } = parseCommand(command, argv)
  const config = readConfig(environment)
  // Results go to standard output; anything else that is worth saying goes beside it.
  const log = createLog('warn', process.stderr)
  const actor = currentActor()
  const print = (result: Awaited<ReturnType<Command['run']>>): number => {
    process.stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`)
    return result.failed ? 1 : 0
  }
  const origin = readOrigin(thisMachine(environment))
  const acting = { actor, from: commandOrigin(origin) }
  if ('runAlone' in command)
    return runActing(acting, async () => print(await command.runAlone({ config, log, args, options, actor })))
  const runtime = await openRuntime(config, log, { evenIfMoved: command.evenIfMoved ?? false })
  // A command with another DATA_DIR than the server's would otherwise answer from a world of its own.
  if (runtime.created)
    process.stderr.write(`ingot: there was nothing in ${config.dataDir}: a new sandbox was made\n`)
  try {
    const context = { runtime, args, options, actor, origin }
    return print(await runActing({ ...acting, keys: runtime.keys }, () => command.run(context)))
  } finally {
    await runtime.close()
  }
}

// The pages, and the program for quicker starts.
async function buildAll({ dataDir }: Config): Promise<number> {
  const { files } = await ensurePages({
    dataDir,
    onEvent: (event, ms) =>
      process.stdout.write(event === 'building' ? 'building the pages …\n' : `built in ${ms / 1000} s\n`),
  })
  const sizes = [...files].map(
    ([name, { plain, br }]) => `${kilobytes(br ?? plain)} kB compressed, ${kilobytes(plain)} kB  ${name}\n`,
  )
  process.stdout.write(sizes.join(''))
  // A cache: without it a start takes longer, and nothing else.
  await ensurePacked().catch((error: Error) => process.stderr.write(`ingot: ${error.message}\n`))
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
