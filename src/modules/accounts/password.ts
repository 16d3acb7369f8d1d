import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { assert } from '#base/assert.ts'
import { pooledRandomBytes } from '#base/crypto/random.ts'
import { QueueFull } from '#base/queues/batch.ts'
import { createKeyedQueue, type QueueOptions, TooManyOfOneKey } from '#base/queues/keyed-queue.ts'

// argon2id as OWASP asks for it: 19 MiB, two passes, one lane; some 25 ms.
export const PASSWORD_COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
export type PasswordCost = typeof PASSWORD_COST
const SALT_BYTES = 16
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

export interface Passwords {
  hash(password: string): Promise<string>
  // Takes as long for an account that does not exist: `stored` is null then, and the answer false.
  verify(password: string, stored: string | null, turn: QueueOptions): Promise<boolean>
}

const LOGIN_TIMEOUT_MS = 5_000 // a person waits that long, and tries again

// Ends a wait that has become too long: the caller is told to come back later.
export function loginTimeout(): AbortSignal {
  const over = new AbortController()
  setTimeout(() => over.abort('too many passwords wait to be checked'), LOGIN_TIMEOUT_MS).unref()
  return over.signal
}

// One hash at a time: a storm of log-ins must not take the memory, nor the core that purchases need. Known devices
// and verified people do not wait for the others.
export function createPasswords(own: PasswordCost = PASSWORD_COST): Passwords {
  // Passwords of unknown ids are compared with this one.
  const nobodys = toPhc(own, Buffer.alloc(SALT_BYTES), Buffer.alloc(own.tagLength))
  const queue = createKeyedQueue({ atOnce: 1, maxWaiting: 200 })
  const tagOf = (password: string, nonce: Buffer, cost: PasswordCost, turn: QueueOptions) =>
    queue('', () => derive('argon2id', { message: password.normalize('NFC'), nonce, ...cost }), turn)
      .then(Buffer.from)
      .catch((error: unknown) => {
        // All log-ins wait here, so this is not the queue of one key.
        throw error instanceof TooManyOfOneKey ? new QueueFull() : error
      })
  return {
    async hash(password) {
      const salt = pooledRandomBytes(SALT_BYTES)
      return toPhc(own, salt, await tagOf(password, salt, own, { first: true }))
    },
    async verify(password, stored, turn) {
      const { salt, tag, cost } = parsePhc(stored ?? nobodys)
      const same = timingSafeEqual(await tagOf(password, salt, cost, turn), tag)
      return same && stored !== null
    },
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function toPhc({ memory, passes, parallelism }: PasswordCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function parsePhc(text: string) {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? []
  assert(salt !== undefined && tag !== undefined, 'passwords are stored as argon2id')
  return {
    cost: {
      ...PASSWORD_COST,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
