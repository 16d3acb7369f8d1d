import { Latencies } from './latencies.ts'

export interface Load {
  perSecond: number
  p50: number
  p99: number
  requests: number
  byProcess: readonly number[]
  // Answers other than 200, and connections lost.
  errors: number
  // What this process used, and how long it ran.
  load: { cpuSeconds: number; seconds: number }
}

// Counts answers from the moment it is made.
export class Tally {
  readonly #latencies = new Latencies()
  readonly #byProcess: number[]
  readonly #cpuBefore = process.cpuUsage()
  readonly #began = performance.now()
  #errors = 0

  constructor(processes: number) {
    this.#byProcess = Array.from({ length: processes }, () => 0)
  }

  get began(): number {
    return this.#began
  }

  add(process: number, milliseconds: number, ok: boolean): void {
    this.#latencies.add(milliseconds)
    this.#byProcess[process]! += 1
    if (!ok) this.#errors += 1
  }

  end(): Load {
    const seconds = (performance.now() - this.#began) / 1000
    const { user, system } = process.cpuUsage(this.#cpuBefore)
    const [p50, p99] = this.#latencies.percentiles(0.5, 0.99) as [number, number]
    return {
      perSecond: (this.#latencies.count - this.#errors) / seconds,
      p50,
      p99,
      requests: this.#latencies.count,
      byProcess: this.#byProcess,
      errors: this.#errors,
      load: { cpuSeconds: (user + system) / 1e6, seconds },
    }
  }
}
