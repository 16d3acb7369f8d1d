import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { MadeCredential, UsedCredential } from '#modules/passkeys/types.ts'

// A security key in software (W3C WebAuthn, level 3): it makes ES256 passkeys and uses them, and lies when it is told to.

export interface Lies {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  // User present 1, user verified 4, backup eligible 8, backed up 16.
  flags?: number
  counter?: number
  userHandle?: string
  format?: string
  // Of the attestation: a statement that we did not ask for.
  statement?: Record<string, unknown>
  signature?: string
}

const PRESENT_AND_VERIFIED = 0x05
const HAS_KEY = 0x40

export class Authenticator {
  readonly rpId: string
  readonly origin: string
  id = randomBytes(32)
  counter = 0
  userHandle = ''
  key: KeyObject
  #point: Buffer

  constructor({ rpId = 'localhost', origin }: { rpId?: string; origin: string }) {
    this.rpId = rpId
    this.origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.key = privateKey
    const { x, y } = publicKey.export({ format: 'jwk' })
    this.#point = Buffer.concat([Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
  }

  make(options: { challenge: string; user: { id: string } }, lies: Lies = {}): MadeCredential {
    this.userHandle = options.user.id
    const data = this.#data((lies.flags ?? PRESENT_AND_VERIFIED) | HAS_KEY, lies)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const authData = Buffer.concat([data, Buffer.alloc(16), length, this.id, this.#coseKey()])
    const attestation = cbor({ fmt: lies.format ?? 'none', attStmt: lies.statement ?? {}, authData })
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lies),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  use(options: { challenge: string }, lies: Lies = {}): UsedCredential {
    const data = this.#data(lies.flags ?? PRESENT_AND_VERIFIED, lies)
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, lies)
    const hashed = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    return {
      ...this.#named(),
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature:
          lies.signature ?? sign('sha256', Buffer.concat([data, hashed]), this.key).toString('base64url'),
        userHandle: lies.userHandle ?? this.userHandle,
      },
    }
  }

  #named() {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key' } as const
  }

  #data(flags: number, { rpId = this.rpId, counter = this.counter }: Lies): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
  }

  #clientData(type: string, challenge: string, lies: Lies): string {
    const text = JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: false,
    })
    return Buffer.from(text).toString('base64url')
  }

  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  #coseKey(): Buffer {
    const [x, y] = [this.#point.subarray(0, 32), this.#point.subarray(32)]
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      x,
      Buffer.from([0x22, 0x58, 0x20]),
      y,
    ])
  }
}

// As much of RFC 8949 as an attestation needs.
function cbor(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = Object.entries(value as object)
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
