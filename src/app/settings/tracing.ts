import { Secret } from '#base/crypto/secret.ts'
import type { SettingSource } from './setting-source.ts'

// Where traces go, by the names that OpenTelemetry gives these settings. Read by config.ts.
export interface TracingSettings {
  endpoint: string
  headers: Secret<'tracing'>
  serviceName: string
  // The share of requests that are traced.
  ratio: number
}

const HEADER = /^[\w!#$%&'*+.^`|~-]+=[^,\s]*$/

export function readTracing(source: SettingSource): TracingSettings | undefined {
  const { get, refuse } = source
  const text = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  const headers = get('OTEL_EXPORTER_OTLP_HEADERS') ?? ''
  const ratio = get('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const serviceName = get('OTEL_SERVICE_NAME') ?? 'ingot'
  if (text === undefined) return undefined
  const endpoint = URL.parse(text)
  if (!endpoint || !/^https?:$/.test(endpoint.protocol) || endpoint.username || endpoint.password)
    refuse('OTEL_EXPORTER_OTLP_ENDPOINT', 'is not an http or https address without a password in it')
  if (headers !== '' && !headers.split(',').every((header) => HEADER.test(header.trim())))
    refuse('OTEL_EXPORTER_OTLP_HEADERS', 'is not name=value, or several of them with commas between')
  if (!/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(ratio))
    refuse('OTEL_TRACES_SAMPLER_ARG', 'is not a number from 0 to 1')
  if (!/^[\w.-]{1,100}$/.test(serviceName))
    refuse('OTEL_SERVICE_NAME', 'is not a name of letters, digits, . _ and -')
  return {
    endpoint: endpoint?.href.replace(/\/+$/, '') ?? '',
    headers: new Secret(headers),
    serviceName,
    ratio: Number(ratio),
  }
}
