// The client's parts by their own paths. Its entry also loads what we do not use: a push gateway, a cluster's registry, and
// OpenTelemetry, which would be half of the modules.
declare module '@prometheus-io/client/lib/counter.js' {
  export { Counter as default } from '@prometheus-io/client'
}
declare module '@prometheus-io/client/lib/gauge.js' {
  export { Gauge as default } from '@prometheus-io/client'
}
declare module '@prometheus-io/client/lib/histogram.js' {
  export { Histogram as default } from '@prometheus-io/client'
}
declare module '@prometheus-io/client/lib/registry.js' {
  export { Registry as default } from '@prometheus-io/client'
}
declare module '@prometheus-io/client/lib/metrics/*.js' {
  import type { Registry } from '@prometheus-io/client'

  const collect: (registry: Registry, options?: { eventLoopMonitoringPrecision: number }) => void
  export default collect
}
