const BLOCK_BYTES = 16
const PRODUCTS = 18

// GHASH of NIST SP 800-38D: the part of AES-GCM that makes its tag. A table of multiples of the key would be faster, but which
// of its entries are read depends on secrets, and a shared cache tells it. So here is no table and no branch: the product of two
// polynomials is made of integer products with three empty bits beside each bit, where a carry ends (the method of BearSSL).
export class Ghash {
  readonly #key = new Int32Array(PRODUCTS)
  // The state, its last four bytes first, and both halves of a product.
  readonly #state = new Int32Array(4)
  readonly #parts = new Int32Array(PRODUCTS)
  readonly #product = new Int32Array(8)

  // The key: what AES makes of a block of zeros.
  constructor(key: Uint8Array) {
    for (let word = 0; word < 4; word += 1) this.#key[word] = wordAt(key, 4 * (3 - word))
    spread(this.#key)
  }

  start(): void {
    this.#state.fill(0)
  }

  // The last block may be short; it counts as if zeros followed.
  update(bytes: Uint8Array, from: number, to: number): void {
    const state = this.#state
    for (let at = from; at < to; at += BLOCK_BYTES) {
      if (to - at >= BLOCK_BYTES) {
        for (let word = 0; word < 4; word += 1) state[word]! ^= wordAt(bytes, at + 4 * (3 - word))
      } else {
        for (let i = at; i < to; i += 1) state[3 - ((i - at) >> 2)]! ^= bytes[i]! << (24 - 8 * ((i - at) & 3))
      }
      this.#multiply()
    }
  }

  // The lengths of what is authenticated only, and of what is encrypted too. Each is far below 2^29 bytes.
  finish(associatedBytes: number, bodyBytes: number): void {
    this.#state[2]! ^= associatedBytes << 3
    this.#state[0]! ^= bodyBytes << 3
    this.#multiply()
  }

  // Adds the result to what is there.
  addTo(target: Uint8Array, at: number): void {
    for (let i = 0; i < BLOCK_BYTES; i += 1)
      target[at + i]! ^= this.#state[3 - (i >> 2)]! >>> (24 - 8 * (i & 3))
  }

  // The state times the key, in three levels of Karatsuba's method. The upper half of a product of 32 bits is the lower half of the product
  // of both factors with their bits reversed.
  #multiply(): void {
    const state = this.#state
    const a = this.#parts
    const z = this.#product
    for (let word = 0; word < 4; word += 1) a[word] = state[word]!
    spread(a)
    for (let i = 0; i < PRODUCTS; i += 1) a[i] = multiplyLow(a[i]!, this.#key[i]!)
    for (let first = 0; first < PRODUCTS; first += 9) {
      a[first + 4]! ^= a[first]! ^ a[first + 1]!
      a[first + 5]! ^= a[first + 2]! ^ a[first + 3]!
      a[first + 8]! ^= a[first + 6]! ^ a[first + 7]!
    }
    z[0] = a[0]!
    z[1] = a[4]! ^ (reversed(a[9]!) >>> 1)
    z[2] = a[0]! ^ a[1]! ^ a[2]! ^ a[6]! ^ (reversed(a[13]!) >>> 1)
    z[3] = a[4]! ^ a[5]! ^ a[8]! ^ (reversed(a[9]! ^ a[10]! ^ a[11]! ^ a[15]!) >>> 1)
    z[4] = a[1]! ^ a[2]! ^ a[3]! ^ a[7]! ^ (reversed(a[13]! ^ a[14]! ^ a[17]!) >>> 1)
    z[5] = a[5]! ^ (reversed(a[10]! ^ a[11]! ^ a[12]! ^ a[16]!) >>> 1)
    z[6] = a[3]! ^ (reversed(a[14]!) >>> 1)
    z[7] = reversed(a[12]!) >>> 1
    this.#reduce()
  }

  // Modulo x^128 + x^7 + x^2 + x + 1, in GCM's order of bits.
  #reduce(): void {
    const z = this.#product
    for (let word = 7; word > 0; word -= 1) z[word] = (z[word]! << 1) | (z[word - 1]! >>> 31)
    z[0]! <<= 1
    for (let word = 0; word < 4; word += 1) {
      const low = z[word]!
      z[word + 4]! ^= low ^ (low >>> 1) ^ (low >>> 2) ^ (low >>> 7)
      z[word + 3]! ^= (low << 31) ^ (low << 30) ^ (low << 25)
    }
    for (let word = 0; word < 4; word += 1) this.#state[word] = z[word + 4]!
  }
}

// The factors of the eighteen products: the four words, their sums, and both again with reversed bits.
function spread(words: Int32Array): void {
  for (let word = 0; word < 4; word += 1) words[9 + word] = reversed(words[word]!)
  for (let first = 0; first < PRODUCTS; first += 9) {
    words[first + 4] = words[first]! ^ words[first + 1]!
    words[first + 5] = words[first + 2]! ^ words[first + 3]!
    words[first + 6] = words[first]! ^ words[first + 2]!
    words[first + 7] = words[first + 1]! ^ words[first + 3]!
    words[first + 8] = words[first + 6]! ^ words[first + 7]!
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
}

function reversed(word: number): number {
  let bits = ((word & 0x55555555) << 1) | ((word >>> 1) & 0x55555555)
  bits = ((bits & 0x33333333) << 2) | ((bits >>> 2) & 0x33333333)
  bits = ((bits & 0x0f0f0f0f) << 4) | ((bits >>> 4) & 0x0f0f0f0f)
  bits = ((bits & 0x00ff00ff) << 8) | ((bits >>> 8) & 0x00ff00ff)
  return (bits << 16) | (bits >>> 16)
}

// The lower 32 bits of the product without carries.
function multiplyLow(x: number, y: number): number {
  const x0 = x & 0x11111111
  const x1 = x & 0x22222222
  const x2 = x & 0x44444444
  const x3 = x & 0x88888888
  const y0 = y & 0x11111111
  const y1 = y & 0x22222222
  const y2 = y & 0x44444444
  const y3 = y & 0x88888888
  const z0 = Math.imul(x0, y0) ^ Math.imul(x1, y3) ^ Math.imul(x2, y2) ^ Math.imul(x3, y1)
  const z1 = Math.imul(x0, y1) ^ Math.imul(x1, y0) ^ Math.imul(x2, y3) ^ Math.imul(x3, y2)
  const z2 = Math.imul(x0, y2) ^ Math.imul(x1, y1) ^ Math.imul(x2, y0) ^ Math.imul(x3, y3)
  const z3 = Math.imul(x0, y3) ^ Math.imul(x1, y2) ^ Math.imul(x2, y1) ^ Math.imul(x3, y0)
  return (z0 & 0x11111111) | (z1 & 0x22222222) | (z2 & 0x44444444) | (z3 & 0x88888888)
}
