// A bucket that holds one second's worth of requests, or a given number, and refills evenly. It is in memory: it protects
// the service from a runaway loop, and nothing depends on it (decisions/0059).
export interface Taken {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetSeconds: number
}

export class TokenBucket {
  #tokens: number
  #at: number
  #perSecond: number

  constructor(perSecond: number, nowMs: number, burst = perSecond) {
    this.#perSecond = perSecond
    this.#tokens = burst
    this.#at = nowMs
  }

  take(perSecond: number, nowMs: number, burst = perSecond): Taken {
    const elapsedSeconds = Math.max(0, nowMs - this.#at) / 1000
    // A limit changed by the operator takes effect at the next request.
    this.#perSecond = perSecond
    this.#tokens = Math.min(burst, this.#tokens + elapsedSeconds * perSecond)
    this.#at = nowMs
    const allowed = this.#tokens >= 1
    if (allowed) this.#tokens -= 1
    const missing = allowed ? burst - this.#tokens : 1 - this.#tokens
    return {
      allowed,
      remaining: Math.floor(this.#tokens),
      resetSeconds: Math.max(1, Math.ceil(missing / this.#perSecond)),
    }
  }
}
