import { createHash, timingSafeEqual } from 'node:crypto'
import { textOf } from '#base/text/untrusted-json.ts'

export function attemptOf(value: unknown): number | undefined {
  const text = textOf(value)
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

// A time as one of them writes it, with an offset or, without one, in Seoul: `2026-11-15 18:30:00.0`.
export function instantOf(value: unknown): Temporal.Instant | undefined {
  const text = textOf(value)?.replace(' ', 'T') ?? ''
  try {
    return /(?:Z|[+-]\d\d:?\d\d)$/.test(text)
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime('Asia/Seoul').toInstant()
  } catch {
    return undefined
  }
}

export function isSameSecret(given: string | string[] | undefined, expected: string): boolean {
  return typeof given === 'string' && timingSafeEqual(sha256(given), sha256(expected))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

// Both providers take Korean numbers in the national form; others are not theirs.
export function nationalNumber(to: string): string | undefined {
  return /^\+82\d{8,10}$/.test(to) ? `0${to.slice(3)}` : undefined
}
