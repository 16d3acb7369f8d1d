import { type CircuitOptions, createCircuit } from './circuit.ts'
import { type Answer, createHttp, type HttpOptions, type HttpRequest } from './client.ts'

export interface HttpCallerOptions<Call extends string> extends HttpOptions {
  circuit?: CircuitOptions | undefined
  // Whether an answer says that the next call would fail as well. No answer at all, and a key that is not taken, always do.
  isFailure(answer: Extract<Answer, { kind: 'answered' }>): boolean
  onRequest(call: Call, outcome: string, ms: number): void
  onCircuit(open: boolean): void
}

// Requests to one service: measured, and not made while it fails again and again.
export interface HttpCaller<Call extends string> {
  isAvailable(): boolean
  // Undefined: the circuit is open.
  call(name: Call, request: HttpRequest): Promise<Answer | undefined>
  // Passes by the circuit: it neither opens it nor closes it.
  ask(name: Call, request: HttpRequest): Promise<Answer>
  close(): Promise<void>
}

export function createHttpCaller<Call extends string>(options: HttpCallerOptions<Call>): HttpCaller<Call> {
  const http = createHttp(options)
  const circuit = createCircuit<Answer>(
    options.circuit ?? {},
    (answer) =>
      answer.kind !== 'answered' ||
      answer.status === 401 ||
      answer.status === 403 ||
      options.isFailure(answer),
    options.onCircuit,
  )
  const ask = async (name: Call, request: HttpRequest) => {
    const startMs = performance.now()
    const answer = await http.exchange(request)
    options.onRequest(name, nameOf(answer), performance.now() - startMs)
    return answer
  }
  return {
    isAvailable: () => circuit.isClosed(),
    call: (name, request) => circuit.run(() => ask(name, request)),
    ask,
    close: () => http.close(),
  }
}

function nameOf(answer: Answer): string {
  if (answer.kind === 'answered') return `status_${answer.status}`
  return answer.kind === 'in_doubt' ? answer.reason : answer.kind
}
