import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// One-time codes by time, as authenticator apps compute them (RFC 6238): six digits, thirty seconds, SHA-1. Apps read
// other parameters from a QR code and then ignore them.
const STEP_SECONDS = 30n
const DIGITS = 6
// A phone's clock may be half a minute off, and a code is typed late.
const SLACK_STEPS = 1n
const SECRET_BYTES = 20 // as long as the hash
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

// In base 32, as apps take it.
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export function totpStepAt(now: Temporal.Instant): bigint {
  return BigInt(Math.floor(now.epochMilliseconds / 1_000)) / STEP_SECONDS
}

export function totpCode(secret: string, step: bigint): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(step)
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

// The time step that a code is of, if it is of now and later than the last one used. A code counts once: whoever reads
// it over a shoulder, or from the wire, comes too late.
export function findTotpStep(
  secret: string,
  code: string,
  { now, after }: { now: Temporal.Instant; after: bigint | null },
): bigint | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const typed = Buffer.from(code)
  const current = totpStepAt(now)
  let found: bigint | undefined
  // All of them, so that the time says nothing about which one it was.
  for (let step = current - SLACK_STEPS; step <= current + SLACK_STEPS; step += 1n) {
    const right = timingSafeEqual(typed, Buffer.from(totpCode(secret, step)))
    if (right && (after === null || step > after)) found ??= step
  }
  return found
}

// What the QR code says.
export function totpUri(secret: string, { issuer, name }: { issuer: string; name: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
