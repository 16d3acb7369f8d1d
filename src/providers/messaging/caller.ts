import { type CircuitOptions, createCircuit } from './circuit.ts'
import { type Answer, createHttp, type HttpOptions, type HttpRequest, TIMEOUTS } from './http.ts'
import type { Channel, ProviderName, ProviderWatch, Word } from './port.ts'

export interface CallerOptions extends HttpOptions {
  provider: ProviderName
  channels: readonly Channel[]
  watch: ProviderWatch
  circuit?: CircuitOptions | undefined
  // Whether an answer says that the next message would be refused as well: a wrong key, an empty account.
  blamesAccount(body: unknown): boolean
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

export function createCaller(options: CallerOptions): Caller {
  const { provider, channels, watch } = options
  const http = createHttp(options)
  const circuit = createCircuit<Answer>(
    options.circuit ?? {},
    (answer) =>
      answer.kind !== 'answered' || isUnauthorized(answer.status) || options.blamesAccount(answer.body),
    (open) => watch.onCircuit(provider, channels, open),
  )
  const measured = async (call: 'send' | 'find', request: HttpRequest) => {
    const startMs = performance.now()
    const answer = await http.exchange(request)
    watch.onRequest({ provider, call, outcome: nameOf(answer), ms: performance.now() - startMs })
    return answer
  }
  return {
    isAvailable: () => circuit.isClosed(),
    startClock() {
      const lateMs = performance.now() + (options.timeouts?.callMs ?? TIMEOUTS.callMs)
      return () => performance.now() >= lateMs
    },
    send: (request) => circuit.run(() => measured('send', request)),
    find: (request) => measured('find', request),
    close: () => http.close(),
  }
}

function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403
}

// What an exchange that brought no answer means for each message in it.
export function wordWithout(answer: Exclude<Answer, { kind: 'answered' }> | undefined): Word {
  if (answer === undefined) return { kind: 'refused', reason: 'circuit_open', retryable: true }
  if (answer.kind === 'not_sent') return { kind: 'refused', reason: 'unreachable', retryable: true }
  return { kind: 'unknown', reason: answer.reason }
}

function nameOf(answer: Answer): string {
  if (answer.kind === 'answered') return `status_${answer.status}`
  return answer.kind === 'in_doubt' ? answer.reason : answer.kind
}
