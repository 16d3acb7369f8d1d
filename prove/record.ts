import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Act, Entry, Outcome } from './acts.ts'

type Line = { n: number; ms: number } & ({ act: Act } | { outcome: Outcome } | { fault: string })

// The client's own record: one JSON line before each request and one after it. The service has no part in it.
export class ClientRecord {
  readonly file: string
  readonly #descriptor: number
  readonly #began = performance.now()
  #acts = 0

  constructor(file: string) {
    this.file = file
    this.#descriptor = openSync(file, 'ax', 0o600)
  }

  begin(act: Act): number {
    this.#acts += 1
    this.#write({ n: this.#acts, ms: this.#now(), act })
    return this.#acts
  }

  // Once more for an unknown outcome, when the judge knows it: the last one counts.
  end(n: number, outcome: Outcome): void {
    this.#write({ n, ms: this.#now(), outcome })
  }

  // Among the acts, so that a reader of the file sees what happened around a fault.
  note(fault: string): void {
    this.#write({ n: 0, ms: this.#now(), fault })
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #now(): number {
    return Math.round(performance.now() - this.#began)
  }

  #write(line: Line): void {
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`)
  }
}

// An act without an outcome is unknown: the client was stopped before the answer came.
export function readEntries(file: string): Entry[] {
  const entries = new Map<number, Entry>()
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '') continue
    const line = JSON.parse(text) as Line
    if ('act' in line) {
      entries.set(line.n, { n: line.n, act: line.act, outcome: { kind: 'unknown', why: 'not recorded' } })
    } else if ('outcome' in line) {
      entries.get(line.n)!.outcome = line.outcome
    }
  }
  return [...entries.values()]
}
