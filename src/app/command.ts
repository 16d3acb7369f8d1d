import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import type { Config } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import type { Log } from '#base/log.ts'
import type { Origin } from '#base/origin.ts'

// One command of the command line: what it takes, and what it does with a runtime.
export interface Command {
  usage: string
  summary: string
  // A name that ends in ? may be left out.
  positionals: readonly string[]
  options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>
  // Also at a database that was moved away.
  evenIfMoved?: boolean
  run(context: CommandContext): Promise<CommandResult>
}

// A command that opens what it needs by itself: the database may not be there yet, or must not be migrated first.
export interface OwnCommand extends Omit<Command, 'run'> {
  runAlone(context: OwnContext): Promise<CommandResult>
}

export interface OwnContext extends Pick<CommandContext, 'args' | 'options' | 'actor'> {
  config: Config
  log: Log
}

export interface CommandContext {
  runtime: Runtime
  args: Record<string, string>
  options: Record<string, string | boolean | (string | boolean)[] | undefined>
  // Who this is, for the audit log.
  actor: string
  // What the machine knows about that person, for acts that take two people.
  origin?: Origin
}

// The same result twice: for a machine (--json) and for a person.
interface CommandResult {
  json: unknown
  text: string
  failed?: boolean
}

export function parseCommand(
  command: Pick<Command, 'usage' | 'positionals' | 'options'>,
  argv: readonly string[],
) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { json: { type: 'boolean' }, ...command.options },
      allowPositionals: true,
      allowNegative: true,
    })
    const names = command.positionals
    const least = names.filter((name) => !name.endsWith('?')).length
    if (positionals.length < least || positionals.length > names.length)
      throw new UsageError('wrong number of arguments')
    const args = Object.fromEntries(positionals.map((value, i) => [names[i]!.replace('?', ''), value]))
    return { args, options: values as CommandContext['options'], json: values.json === true }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nusage: ingot ${command.usage}`)
  }
}

export function currentActor(): string {
  try {
    return `cli:${userInfo().username}`
  } catch {
    return `cli:uid ${process.getuid?.() ?? 'unknown'}` // an account without a name, usual in containers
  }
}

// Who acts is the account of the machine, and where the machine can tell, the person who logged in to it. A sandbox, which is
// often one person's, may play both: then there is nothing to compare.
export function personOf(context: CommandContext): { actor: string; origin?: Origin } {
  const { runtime, options, actor, origin } = context
  const name = text(options, 'as')
  if (name === undefined) return origin ? { actor, origin } : { actor }
  if (runtime.config.mode !== 'sandbox')
    throw new Refused('--as is for a sandbox: here two people have two accounts')
  if (!/^[\p{L}\p{N}_.-]{1,40}$/u.test(name)) throw new UsageError('--as takes a name')
  return { actor: `${actor} as ${name}` }
}

export function text(options: CommandContext['options'], name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

// Why an operator does something to a person, for the audit log.
export function readReason({ options }: Pick<CommandContext, 'options'>): string {
  const reason = text(options, 'reason') ?? ''
  if (reason.length < 1 || reason.length > 500) {
    throw new UsageError('--reason says why, in 1 to 500 characters')
  }
  return reason
}

// For commands where a reason is optional: null is recorded as none given.
export function optionalReason({ options }: Pick<CommandContext, 'options'>): string | null {
  return options.reason === undefined ? null : readReason({ options })
}

export function texts(options: CommandContext['options'], name: string): string[] | undefined {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : undefined
}

export function integer(options: CommandContext['options'], name: string): number | undefined {
  const value = text(options, name)
  if (value === undefined) return undefined
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw new UsageError(`--${name} takes a whole number`)
  return Number(value)
}

export function won(options: CommandContext['options'], name: string): bigint | undefined {
  const value = integer(options, name)
  return value === undefined ? undefined : BigInt(value)
}

// Columns as wide as their widest cell; wide characters of names are left to the terminal.
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [line(header), ...rows.map(line)].join('\n')
}
