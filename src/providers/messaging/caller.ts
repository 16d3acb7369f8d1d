import { createHttpCaller } from '#base/http/caller.ts'
import type { CircuitOptions } from '#base/http/circuit.ts'
import type { Answer, HttpRequest, Timeouts as HttpTimeouts } from '#base/http/client.ts'
import type { Channel, ListedPage, MessageOutcome, ProviderName, ProviderWatch } from './port.ts'

interface Timeouts extends HttpTimeouts {
  // One send() or find() may need many requests: it begins none after this.
  callMs: number
}

export interface CallerOptions {
  url: string
  timeouts?: Partial<Timeouts> | undefined
  provider: ProviderName
  channels: readonly Channel[]
  watch: ProviderWatch
  circuit?: CircuitOptions | undefined
  // Whether an answer says that the next message would be refused as well: a wrong key, an empty account.
  blamesAccount(body: unknown): boolean
}

// What every real provider is made with, beside its account there.
export interface ServiceOptions extends Pick<CallerOptions, 'timeouts' | 'watch' | 'circuit'> {
  pollAfterMs?: number | undefined
  absentAfterMs?: number | undefined
  retryAfterMs?: number | undefined
}

// A minute, for all of them. How long a message may be under way before it counts as absent differs by provider.
export function waitsOf(options: ServiceOptions, absentAfterMs: number) {
  return {
    pollAfterMs: options.pollAfterMs ?? 60_000,
    absentAfterMs: options.absentAfterMs ?? absentAfterMs,
    retryAfterMs: options.retryAfterMs ?? 60_000,
  }
}

export interface Caller {
  isAvailable(): boolean
  // For one send() or find(): says from when on it begins no more requests.
  startClock(): () => boolean
  // Undefined: the circuit is open.
  send(request: HttpRequest): Promise<Answer | undefined>
  // Questions pass by the circuit: they neither open it nor close it, and no message depends on their answer.
  find(request: HttpRequest): Promise<Answer>
  close(): Promise<void>
}

const CALL_MS = 20_000
// Our address of the provider is wrong: no message was taken.
const NOBODY_THERE = { 404: 'not_sent', 405: 'not_sent' } as const

export function createCaller(options: CallerOptions): Caller {
  const { url, timeouts, circuit, provider, channels, watch } = options
  const caller = createHttpCaller<'send' | 'find'>({
    url,
    timeouts,
    circuit,
    statuses: NOBODY_THERE,
    isFailure: ({ body }) => options.blamesAccount(body),
    onRequest: (call, outcome, ms) => watch.onRequest({ provider, call, outcome, ms }),
    onCircuit: (open) => watch.onCircuit(provider, channels, open),
  })
  return {
    isAvailable: () => caller.isAvailable(),
    startClock() {
      const lateMs = performance.now() + (timeouts?.callMs ?? CALL_MS)
      return () => performance.now() >= lateMs
    },
    send: (request) => caller.call('send', request),
    find: (request) => caller.ask('find', request),
    close: () => caller.close(),
  }
}

// What an exchange that brought no answer means for each message in it.
export function outcomeWithout(answer: Exclude<Answer, { kind: 'answered' }> | undefined): MessageOutcome {
  if (answer === undefined) return { kind: 'refused', reason: 'circuit_open', retryable: true }
  if (answer.kind === 'not_sent') return { kind: 'refused', reason: 'unreachable', retryable: true }
  return { kind: 'unknown', reason: answer.reason }
}

export function pageWithout(answer: Exclude<Answer, { kind: 'answered' }>): ListedPage {
  return { kind: 'unknown', reason: answer.kind === 'not_sent' ? 'connection_lost' : answer.reason }
}
