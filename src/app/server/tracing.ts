import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, SpanKind as OtelKind, Span } from '@opentelemetry/api'
import type { TracingSettings } from '#app/settings/tracing.ts'
import { VERSION } from '#app/version.ts'
import type { Log } from '#base/log.ts'
import { type OpenSpan, type SpanKind, setTracer, type Tracer } from '#base/tracing.ts'

const SEND_MS = 10_000
const STOP_MS = 5_000
const COMPLAIN_MS = 60_000

// Sends traces to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names. The library is loaded only then. A collector that is
// away costs nothing but its traces: they wait in a queue of fixed size, and what does not fit is dropped.
export async function startTracing(
  settings: TracingSettings,
  log: Log,
): Promise<{ flush(): Promise<void>; stop(): Promise<void> }> {
  const api = await import('@opentelemetry/api')
  const sdk = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  api.diag.setLogger(complainTo(log), { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true })
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: headersOf(settings),
    timeoutMillis: SEND_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': VERSION }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  setTracer(tracerOf(api, provider.getTracer('ingot', VERSION)))
  return {
    flush: () => provider.forceFlush(),
    async stop() {
      setTracer(undefined)
      // What a collector does not take by then is lost: the service does not wait for it.
      await Promise.race([provider.shutdown().catch(() => {}), sleep(STOP_MS, undefined, { ref: false })])
      api.diag.disable()
    },
  }
}

type Api = typeof import('@opentelemetry/api')

class OurSpan implements OpenSpan {
  readonly span: Span
  readonly context: Context
  readonly traceId: string
  readonly #api: Api

  constructor(api: Api, span: Span) {
    this.#api = api
    this.span = span
    this.context = api.trace.setSpan(api.ROOT_CONTEXT, span)
    this.traceId = span.spanContext().traceId
  }

  end(fields: Record<string, string | number>, failed: boolean): void {
    this.span.setAttributes(fields)
    // A request's route is known only now.
    if (fields['http.route']) this.span.updateName(`${fields['http.request.method']} ${fields['http.route']}`)
    if (failed) this.span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    this.span.end()
  }
}

function tracerOf(api: Api, tracer: ReturnType<Api['trace']['getTracer']>): Tracer {
  const kinds: Record<SpanKind, OtelKind> = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
    consumer: api.SpanKind.CONSUMER,
  }
  return {
    begin({ name, kind, parent, msAgo }) {
      const context =
        typeof parent === 'string' ? remote(api, parent) : (parent as OurSpan | undefined)?.context
      const began = msAgo === undefined ? {} : { startTime: Temporal.Now.instant().epochMilliseconds - msAgo }
      return new OurSpan(
        api,
        tracer.startSpan(name, { kind: kinds[kind], ...began }, context ?? api.ROOT_CONTEXT),
      )
    },
  }
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

// W3C Trace Context. Anything else begins a trace of its own.
function remote(api: Api, traceparent: string): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined) return api.ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags!, 16) & api.TraceFlags.SAMPLED
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function headersOf({ headers }: TracingSettings): Record<string, string> {
  const given = headers.reveal()
  if (given === '') return {}
  return Object.fromEntries(
    given.split(',').map((header) => {
      const [name, ...value] = header.trim().split('=')
      return [name!, decodeURIComponent(value.join('='))]
    }),
  )
}

// The library complains of every batch. Its words may quote the collector's answer, so they are not logged.
function complainTo(log: Log) {
  let last = Number.NEGATIVE_INFINITY
  const complain = () => {
    if (performance.now() - last < COMPLAIN_MS) return
    last = performance.now()
    log.warn('traces are not taken', { reason: 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT failed' })
  }
  const silent = () => {}
  return { error: complain, warn: silent, info: silent, debug: silent, verbose: silent }
}
