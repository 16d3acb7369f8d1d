export const PING_MS = 5_000
const STANDING_STILL_MS = 15_000
const FROZEN_MS = 60_000 // generous: a busy machine stalls a process for seconds
// A process that loads its code answers nothing, and a machine that is overloaded takes minutes for it.
const LOADING_MS = 600_000

export interface Heard {
  heardAt: number
  hasSpoken: boolean
}

// Tells which processes are silent. One that is stopped, or runs in a circle, neither ends nor answers.
export class Silence {
  readonly #now: () => number
  #lookedAt: number

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#lookedAt = now()
  }

  // Every PING_MS. If this process was late itself, it may not have read the answers yet: all of them begin anew.
  look(lives: readonly Heard[]): void {
    const now = this.#now()
    if (now - this.#lookedAt > 2 * PING_MS) for (const life of lives) life.heardAt = now
    this.#lookedAt = now
  }

  isStandingStill({ heardAt }: Heard): boolean {
    return this.#now() - heardAt > STANDING_STILL_MS
  }

  isFrozen({ heardAt, hasSpoken }: Heard): boolean {
    return this.#now() - heardAt > (hasSpoken ? FROZEN_MS : LOADING_MS)
  }
}
