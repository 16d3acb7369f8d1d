import sonicBoom from 'sonic-boom'
import { sourceLines } from '#base/source-lines.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

// An allow-list: only these fields can be logged, at any level. None of them can hold a person's data, a
// key or a PIN (`route` is the pattern of a path, never the path). Adding one is a decision, not a habit.
const TEXTS = [
  'requestId',
  'method',
  'route',
  'partner',
  'keyId',
  'traceId',
  'code',
  'error',
  'sqlState',
  'constraint',
  'stack',
  'host',
  'mode',
  'version',
  'roles',
  'signal',
  'job',
  'check',
  'child',
  'reason',
  // A signed line about the audit chain: a position, a time and hashes.
  'anchor',
] as const
const NUMBERS = ['status', 'ms', 'count', 'port'] as const

export type LogFields = { [Name in (typeof TEXTS)[number]]?: string } & {
  [Name in (typeof NUMBERS)[number]]?: number
}

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

// As other programs of Node number them, so that tools that read logs know them.
const NUMBERED: Record<LogLevel, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

// `process`: which one of a service with several. A line is made here, in a microsecond or two: a logging library takes
// four times that, and every request has a line.
export function createLog(
  level: LogLevel,
  destination?: { write(line: string): void },
  process?: string,
): Log {
  const output = destination ?? bufferedOutput(process !== undefined)
  const from = process === undefined ? '' : `,"process":${JSON.stringify(process)}`
  const at = (of: keyof Log) => {
    const number = NUMBERED[of]
    return (event: string, fields: LogFields = {}) => {
      if (number < NUMBERED[level]) return
      const told = `${from}${allowed(fields)},"event":${JSON.stringify(event)}`
      output.write(`{"level":${number},"time":"${timestamp()}"${told}}\n`)
    }
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

let stampedMs = 0
let stamp = ''

// Many lines share a millisecond; writing the time out is made once for all of them.
function timestamp(): string {
  const ms = Math.floor(performance.now())
  if (ms !== stampedMs) {
    stampedMs = ms
    stamp = writtenOut(Temporal.Now.instant())
  }
  return stamp
}

let second = 0
let upToSecond = ''

// The library's own way takes as long as the rest of a line does: once a second.
function writtenOut(now: Temporal.Instant): string {
  const ms = now.epochMilliseconds
  if (Math.floor(ms / 1000) !== second) {
    second = Math.floor(ms / 1000)
    upToSecond = now.toString({ smallestUnit: 'second' }).replace('Z', '.')
  }
  return `${upToSecond}${String(ms - second * 1000).padStart(3, '0')}Z`
}

// A pipe takes so much in one piece (PIPE_BUF). Several processes write to one, and their lines stay whole.
const WHOLE_BYTES = process.platform === 'linux' ? 4_096 : 512
const BLOCK_BYTES = 8_192

// Lines leave in blocks, at most 50 ms late: a write per request would be a fifth of a lookup's cost. They gather here, because the
// library reads all that has gathered again with each line.
function bufferedOutput(isShared: boolean) {
  const output = new sonicBoom.SonicBoom({ fd: 1, sync: true })
  const blockBytes = isShared ? WHOLE_BYTES : BLOCK_BYTES
  let block = ''
  let isRead = true
  output.on('error', (error: NodeJS.ErrnoException) => {
    // The program that read the log has ended. The service goes on without it.
    if (error.code !== 'EPIPE') throw error
    isRead = false
  })
  const flush = () => {
    const lines = block
    block = ''
    if (isRead && lines !== '') output.write(lines)
  }
  setInterval(flush, 50).unref()
  process.on('exit', () => {
    flush()
    if (isRead) output.flushSync()
  })
  return {
    write(text: string) {
      const line = inAscii(text)
      if (block.length + line.length > blockBytes) flush()
      block += line
    },
  }
}

// Each character of a line is then one byte, so that a block is as long as it counts.
function inAscii(line: string): string {
  if (Buffer.byteLength(line) === line.length) return line
  return line.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const KINDS = new Map<string, 'string' | 'number'>([
  ...TEXTS.map((name) => [name, 'string'] as const),
  ...NUMBERS.map((name) => [name, 'number'] as const),
])

// The type already forbids other fields; this holds for values that reached us untyped. Name by name: an Error or an object with
// `toJSON` would say more than its fields.
function allowed(fields: LogFields): string {
  let text = ''
  for (const name in fields) {
    const value = fields[name as keyof LogFields]
    if (KINDS.get(name) !== typeof value || !Object.hasOwn(fields, name)) continue
    text += `,"${name}":${JSON.stringify(value)}`
  }
  return text
}

// The place where an error was thrown, without its message: messages quote values.
export function stackOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const inSources = sourceLines()
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => inSources(line.trim()))
    .join(' | ')
}
