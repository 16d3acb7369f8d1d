import { DatabaseError } from 'pg'

const FORGET_MS = 10_000

// Disk full, input/output error, and read-only after a failover to the wrong side.
const FAILING = /^(?:53100|58...|25006)$/

// Learns from the service's own writes whether writes fail. A kind of write fails until one of its kind succeeds: on
// a full disk small ones may still pass. Without another failure it is forgotten after ten seconds, so that a process
// that a load balancer took out is tried again.
export class WriteHealth {
  readonly #failures = new Map<string, { at: number; sqlState: string }>()

  succeeded(kind: string): void {
    if (this.#failures.size > 0) this.#failures.delete(kind)
  }

  failed(kind: string, error: unknown): void {
    if (!(error instanceof DatabaseError) || !FAILING.test(error.code ?? '')) return
    this.#failures.set(kind, { at: performance.now(), sqlState: error.code! })
  }

  // The SQLSTATE of a write that failed a moment ago.
  failing(): string | undefined {
    for (const [kind, { at }] of this.#failures) {
      if (performance.now() - at > FORGET_MS) this.#failures.delete(kind)
    }
    return this.#failures.values().next().value?.sqlState
  }
}
