import { text as readAll } from 'node:stream/consumers'
import { type CommandContext, text } from '#app/command.ts'
import { UsageError } from '#app/usage-error.ts'

const LONGEST = 200

// A PIN, a number or a name. Other accounts of the machine can see a command's arguments, and a shell keeps them: `-` reads
// the value from standard input instead.
export async function typedValue(value: string): Promise<string> {
  const typed = (value === '-' ? await readAll(process.stdin) : value).trim()
  if (typed === '' || typed.length > LONGEST)
    throw new UsageError(
      `the value has 1 to ${LONGEST} characters${value === '-' ? ', on standard input' : ''}`,
    )
  return typed
}

export async function typedOption(
  options: CommandContext['options'],
  name: string,
): Promise<string | undefined> {
  const value = text(options, name)
  return value === undefined ? undefined : typedValue(value)
}
