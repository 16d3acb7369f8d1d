import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { assert } from '#base/assert.ts'
import { Batcher } from '#base/batch.ts'
import { pooledRandomBytes } from '#base/random.ts'

// argon2id as OWASP asks for it: 19 MiB, two passes, one lane; some 25 ms.
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

export interface Passwords {
  hash(password: string): Promise<string>
  // Takes as long for an account that does not exist: `stored` is null then, and the answer false.
  verify(password: string, stored: string | null): Promise<boolean>
}

// A storm of logins must not take the memory, nor the core that purchases need: one at a time, and a bounded queue. Two
// hundred wait for five seconds at most.
export function createPasswords(): Passwords {
  const few = new Batcher<() => Promise<Buffer>, Buffer>({
    run: async ([work]) => [await work!()],
    maxSize: 1,
    maxInFlight: 1,
    maxWaiting: 200,
  })
  const tagOf = (password: string, nonce: Buffer, cost: typeof COST) =>
    few.submit(async () =>
      Buffer.from(
        await derive('argon2id', {
          message: password.normalize('NFC'),
          nonce,
          memory: cost.memory,
          passes: cost.passes,
          parallelism: cost.parallelism,
          tagLength: TAG_BYTES,
        }),
      ),
    )
  return {
    async hash(password) {
      const salt = pooledRandomBytes(SALT_BYTES)
      return toPhc(salt, await tagOf(password, salt, COST))
    },
    async verify(password, stored) {
      const { salt, tag, cost } = parsePhc(stored ?? NOBODYS)
      const same = timingSafeEqual(await tagOf(password, salt, cost), tag)
      return same && stored !== null
    },
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function toPhc(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function parsePhc(text: string) {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? []
  assert(salt !== undefined && tag !== undefined, 'passwords are stored as argon2id')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

// Against which the passwords of unknown ids are held.
const NOBODYS = toPhc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES))
