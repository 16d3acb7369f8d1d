import { type Logger as Pino, pino } from 'pino'
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

// `process`: which one of a service with several.
export function createLog(
  level: LogLevel,
  destination?: { write(line: string): void },
  process?: string,
): Log {
  const base = process === undefined ? null : { process }
  const options = { level, base, messageKey: 'event', timestamp }
  return wrap(pino(options, destination ?? bufferedOutput(process !== undefined)))
}

let stampedMs = 0
let stamp = ''

// Many lines share a millisecond; writing the time out is made once for all of them.
function timestamp(): string {
  const ms = Math.floor(performance.now())
  if (ms !== stampedMs) {
    stampedMs = ms
    stamp = `,"time":"${Temporal.Now.instant().toString({ smallestUnit: 'millisecond' })}"`
  }
  return stamp
}

// A pipe takes so much in one piece (PIPE_BUF). Several processes write to one, and their lines stay whole.
const WHOLE_BYTES = process.platform === 'linux' ? 4_096 : 512

// Lines leave in blocks, at most 50 ms late: a write per request would be a fifth of a lookup's cost.
function bufferedOutput(isShared: boolean) {
  const size = isShared ? { minLength: (WHOLE_BYTES * 7) / 8, maxWrite: WHOLE_BYTES } : { minLength: 8_192 }
  const output = pino.destination({ dest: 1, ...size, sync: true })
  setInterval(() => output.flush(), 50).unref()
  process.on('exit', () => output.flushSync())
  return output
}

function wrap(logger: Pino): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      if (logger.isLevelEnabled(level)) logger[level](allowed(fields), event)
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

const KINDS = new Map<string, 'string' | 'number'>([
  ...TEXTS.map((name) => [name, 'string'] as const),
  ...NUMBERS.map((name) => [name, 'number'] as const),
])

// The type already forbids other fields; this holds for values that reached us untyped. Always a copy: the library reads
// more out of an Error than its fields.
function allowed(fields: LogFields): Record<string, string | number> {
  const kept: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(fields)) if (KINDS.get(name) === typeof value) kept[name] = value
  return kept
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
