// Numbers that follow from a seed, so that a run can be repeated.
export function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export class Random {
  readonly #seed: number
  readonly #next: () => number

  constructor(seed: number) {
    this.#seed = seed
    this.#next = mulberry32(seed)
  }

  // Another sequence of the same seed. Loops that run side by side each need one: otherwise the order in which they
  // happen to ask would decide.
  fork(n: number): Random {
    return new Random(Math.imul(this.#seed + 1, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b))
  }

  int(below: number): number {
    return Math.floor(this.#next() * below)
  }

  chance(share: number): boolean {
    return this.#next() < share
  }

  pick<Item>(list: readonly Item[]): Item {
    return list[this.int(list.length)]!
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.int(16).toString(16))
    hex[12] = '4'
    hex[16] = '89ab'[this.int(4)]!
    return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
}
