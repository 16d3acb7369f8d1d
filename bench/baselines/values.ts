import { randomBytes } from 'node:crypto'
import { asSealed } from '../sealed.ts'

const RECIPIENT_BYTES = 44 // what the vault makes of +821012345678 …
const PIN_BYTES = 47 // … and of a PIN
const INDEX_BYTES = 32

// What a purchase is stored with. Slices of one random buffer: distinct values that cost next to nothing to make.
export class Values {
  #pool = randomBytes(1 << 20)
  #at = 0

  recipient(): Buffer {
    return asSealed(this.#take(RECIPIENT_BYTES))
  }

  pin(): Buffer {
    return asSealed(this.#take(PIN_BYTES))
  }

  index(): Buffer {
    return this.#take(INDEX_BYTES)
  }

  // Scattered like the numbers of real cards, and below all of them.
  number(): number {
    return 100_000_000 + (this.#take(6).readUIntBE(0, 6) % 900_000_000_000_000)
  }

  #take(bytes: number): Buffer {
    if (this.#at + bytes > this.#pool.length) {
      this.#pool = randomBytes(1 << 20)
      this.#at = 0
    }
    this.#at += bytes
    return this.#pool.subarray(this.#at - bytes, this.#at)
  }
}
