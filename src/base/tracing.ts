import { AsyncLocalStorage } from 'node:async_hooks'

// What happens within a request or a job, for a collector of traces. A tracer is set only if the operator named one. Without
// it nothing is made, and a call here costs next to nothing.
export type SpanKind = 'server' | 'client' | 'internal' | 'consumer'

// An allow-list, as for the log: none of these can hold a person's data, a key or a PIN.
export interface SpanFields {
  'http.request.method'?: string
  'http.route'?: string
  'http.response.status_code'?: number
  'db.system.name'?: 'postgresql'
  'db.operation.name'?: string
  'error.type'?: string
  'ingot.request_id'?: string
  'ingot.partner'?: string
  'ingot.outcome'?: string
}

export interface OpenSpan {
  readonly traceId: string
  // `failed`: it is our fault, or that of what we called.
  end(fields: SpanFields, failed: boolean): void
}

interface Beginning {
  name: string
  kind: SpanKind
  // The span it is part of, or the header of a caller who traces too.
  parent: OpenSpan | string | undefined
  // If it began before now.
  msAgo?: number
}

export interface Tracer {
  begin(beginning: Beginning): OpenSpan
}

let tracer: Tracer | undefined
const current = new AsyncLocalStorage<OpenSpan>()

// Before anything is served: what is made meanwhile asks whether there is one.
export function setTracer(made: Tracer | undefined): void {
  tracer = made
}

export const isTracing = () => tracer !== undefined

// A request. `work` and what it waits for belong to it.
export function beginSpan(name: string, traceparent: string | undefined): OpenSpan | undefined {
  return tracer?.begin({ name, kind: 'server', parent: traceparent })
}

export function within<Result>(span: OpenSpan, work: () => Result): Result {
  return current.run(span, work)
}

export async function traced<Result>(
  name: string,
  kind: SpanKind,
  fields: SpanFields,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = tracer?.begin({ name, kind, parent: current.getStore() })
  if (!span) return work()
  let failure: unknown
  try {
    return await current.run(span, work)
  } catch (error) {
    failure = error ?? 'unknown'
    throw error
  } finally {
    span.end(
      failure === undefined ? fields : { ...fields, 'error.type': typeOf(failure) },
      failure !== undefined,
    )
  }
}

// A call that has ended already.
export function noteSpan(name: string, fields: SpanFields, ms: number, failed: boolean): void {
  tracer?.begin({ name, kind: 'client', parent: current.getStore(), msAgo: ms }).end(fields, failed)
}

// The name of an error. Its message may quote values.
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return (error as { code?: string }).code ?? error.name
}
