import { setTimeout as sleep } from 'node:timers/promises'
import { type Host, nameOfHost } from './address.ts'
import { BoundedClient, type BoundedConfig, type Primary } from './client.ts'
import { failureFields, Unavailable } from './errors.ts'

const PROBE_MS = 4_000 // a TLS handshake and a password, on a busy machine
const REST_MS = 200 // between two searches that found none

// Finds the primary among several hosts. All are asked at once, so one that does not answer costs the others nothing. What
// was found counts for every pool of the process until one of its connections gives a reason to doubt it.
export class PrimaryFinder implements Primary {
  readonly #hosts: readonly Host[]
  readonly #config: BoundedConfig
  #known: Host | undefined
  #search: Promise<Host> | undefined

  constructor(hosts: readonly Host[], config: BoundedConfig) {
    this.#hosts = hosts
    this.#config = config
  }

  async find(withinMs: number): Promise<Host> {
    if (this.#known) return this.#known
    this.#search ??= this.#searchOnce().finally(() => {
      this.#search = undefined
    })
    const late = new AbortController()
    const tooLate = sleep(withinMs, undefined, { signal: late.signal }).then(() => {
      throw new Unavailable(`no host of the database said within ${withinMs / 1_000} s that it takes writes`)
    })
    try {
      return await Promise.race([this.#search, tooLate])
    } finally {
      late.abort()
      tooLate.catch(() => {})
    }
  }

  doubt({ host, port }: Host): void {
    if (this.#known?.host === host && this.#known.port === port) this.#known = undefined
  }

  async #searchOnce(): Promise<Host> {
    try {
      this.#known = await Promise.any(this.#hosts.map((host) => this.#probe(host)))
      return this.#known
    } catch (error) {
      await sleep(REST_MS)
      const reasons = (error as AggregateError).errors.map((each, i) => {
        const { error: name, sqlState, reason } = failureFields(each)
        return `${nameOfHost(this.#hosts[i]!)}: ${reason ?? sqlState ?? name}`
      })
      throw new Unavailable(`no host of the database takes writes (${reasons.join('; ')})`)
    }
  }

  async #probe(host: Host): Promise<Host> {
    const client = new BoundedClient({
      ...this.#config,
      ...host,
      writable: true,
      connectionTimeoutMillis: PROBE_MS,
      statementMs: PROBE_MS,
      application_name: 'ingot probe',
    })
    try {
      await client.connect()
      return host
    } finally {
      void client.end().catch(() => {})
    }
  }
}
