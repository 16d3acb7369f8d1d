import { DatabaseError } from 'pg'

// What a failed statement means for the one who sent it.
//   unavailable  the database is away, busy or going away: nothing is known to be written, try again
//   conflict     this statement cannot be written together with what is there: others can
//   bad_value    a value that no column can hold: the sender's, answered as invalid input
//   bug          anything else: ours
export type DbFailure = 'unavailable' | 'conflict' | 'bad_value' | 'bug'

// A commit whose outcome is not known, or something that cannot be had now. Answered with 503; the cause is a
// sentence of our own, for the operator's log.
export class Unavailable extends Error {
  constructor(cause: string, options?: ErrorOptions) {
    super(cause, options)
  }
}

// A value that its column cannot hold, found before it was sent: PostgreSQL would say so with class 22.
export class BadValue extends RangeError {}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
])
// Only if all connections are taken. A server that does not answer fails in other words.
const POOL_FULL = 'timeout exceeded when trying to connect'
// node-postgres reports these as plain errors without a code.
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|timeout expired|Client was closed|Cannot use a pool after)/

// Why, in words, for those who do not know the codes by heart.
const REASONS: Record<string, string> = {
  '25006': 'the server is read-only: a standby, or a primary that was demoted',
  '28000': 'the server refuses this role (pg_hba.conf)',
  '28P01': 'the password of the role is wrong',
  '40001': 'two transactions were in conflict',
  '40P01': 'two transactions waited for each other',
  '42501': 'the role lacks a right: see `ingot doctor`',
  '53100': 'the disk of the server is full',
  '53200': 'the server is out of memory',
  '53300': 'no connection is left to the server, the database or the role',
  '55P03': 'a lock was not free in time',
  '57014': 'the statement took too long, or was cancelled',
  '57P01': 'the server is stopping, or the connection was ended by an administrator',
  '57P02': 'the server crashed and recovers',
  '57P03': 'the server is starting',
}

const DIVISION_BY_ZERO = '22012'
const LOCK_NOT_AVAILABLE = '55P03'

export function classify(error: unknown): DbFailure {
  if (error instanceof Unavailable) return 'unavailable'
  if (error instanceof BadValue) return 'bad_value'
  if (error instanceof DatabaseError) return classifyState(error.code ?? '')
  if (!(error instanceof Error)) return 'bug'
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message)) return 'unavailable'
  return 'bug'
}

function classifyState(state: string): DbFailure {
  // Class 08 connection, 53 out of resources (disk full, too many connections), 58 system error;
  // 57P0x shut down or starting, 57014 timed out, 55P03 lock not had in time, 25006 demoted to read-only.
  if (/^(08|53|58|57)/.test(state) || state === LOCK_NOT_AVAILABLE || state === '25006') return 'unavailable'
  // Class 23 constraint, 40 deadlock or serialization. Callers' values are never divisors, so 22012 is not theirs.
  if (/^(23|40)/.test(state) || state === DIVISION_BY_ZERO) return 'conflict'
  // Class 22: text that is no number, date or UUID, out of range, or not storable.
  if (state.startsWith('22')) return 'bad_value'
  return 'bug'
}

const WRITES_STOPPED = '57M01'

// The operator has stopped all writes (db/functions/refuse_moving_write.sql). Reads go on.
export function areWritesStopped(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === WRITES_STOPPED
}

// Somebody held what the statement needs, for longer than it may wait. It wrote nothing.
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
}

// Two that waited for each other: this one was given up, and can be run again.
export function isDeadlock(error: unknown): boolean {
  return /^40/.test((error as { code?: string }).code ?? '')
}

// What may be logged of a failure: names and codes, never a message or detail, which quote values.
export function failureFields(error: unknown): {
  error: string
  sqlState?: string
  constraint?: string
  reason?: string
} {
  if (error instanceof DatabaseError) {
    return {
      error: error.name,
      ...(error.code ? { sqlState: error.code } : {}),
      ...(error.constraint ? { constraint: error.constraint } : {}),
      ...(REASONS[error.code ?? ''] ? { reason: REASONS[error.code ?? '']! } : {}),
    }
  }
  if (error instanceof Unavailable) return { error: 'Unavailable', reason: error.message }
  if (!(error instanceof Error)) return { error: typeof error }
  const code = (error as NodeJS.ErrnoException).code
  // The driver's own words, which quote nothing.
  const [words] = CONNECTION_MESSAGES.exec(error.message) ?? []
  const reason = words === POOL_FULL ? 'every connection of the pool was in use for too long' : words
  return { error: code ? `${error.name} ${code}` : error.name, ...(reason ? { reason } : {}) }
}
