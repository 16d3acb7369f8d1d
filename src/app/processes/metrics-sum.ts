import { setTimeout as sleep } from 'node:timers/promises'
import type { MetricFigures } from '#base/metrics.ts'

const ANSWER_MS = 1_000 // a scrape waits ten seconds by default

interface Asked {
  // Of the process, not of its name: a process that takes another's place has a new one.
  id: number
  ask(): Promise<unknown>
}

// The figures of all processes as one service's. A counter that shrinks would look like a restart, and Prometheus would
// count all of it again. So a process that does not answer in time keeps its last figures, and the counters of one that
// ended stay in the sum. What it counted after it was last read is lost, as with any process that is killed.
export class MetricsSum {
  readonly #last = new Map<number, MetricFigures>()
  readonly #ended = new Set<number>()
  readonly #restarts = new Map<string, number>()
  #gone: MetricFigures[] = []
  #reading: Promise<string> | undefined

  // Scrapes at the same time share one answer.
  read(processes: readonly Asked[]): Promise<string> {
    this.#reading ??= this.#read(processes).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(processes: readonly Asked[]): Promise<string> {
    await Promise.all(
      processes.map(async ({ id, ask }) => {
        const figures = await Promise.race([ask(), sleep(ANSWER_MS, undefined, { ref: false })])
        // The last words of a process that has ended meanwhile do not count: its counters were taken over already.
        if (figures && !this.#ended.has(id)) this.#last.set(id, figures as MetricFigures)
      }),
    )
    const { addRestartCounter, createRegistry, sumFigures } = await this.load()
    const own = createRegistry()
    const restarts = addRestartCounter(own)
    for (const [process, count] of this.#restarts) restarts.inc({ process }, count)
    const gone = this.#gone.length
    if (gone > 1) this.#gone.splice(0, gone, await sumFigures(this.#gone.slice(0, gone)).getMetricsAsJSON())
    return sumFigures([await own.getMetricsAsJSON(), ...this.#gone, ...this.#last.values()]).metrics()
  }

  // From 0, with its first start: Prometheus sees only growth.
  countStart(process: string): void {
    this.#restarts.set(process, (this.#restarts.get(process) ?? -1) + 1)
  }

  // Not with the supervisor's start, which everything waits for.
  load() {
    return import('#base/metrics.ts')
  }

  retire(id: number): void {
    const figures = this.#last.get(id)
    this.#ended.add(id)
    this.#last.delete(id)
    if (figures) this.#gone.push(figures.filter(({ type }) => type !== 'gauge'))
  }
}
