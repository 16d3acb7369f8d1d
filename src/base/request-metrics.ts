import { Counter, Histogram, type Registry } from '@prometheus-io/client'

// What is measured of every request.
export function requestMetrics(registers: Registry[]) {
  return {
    httpSeconds: new Histogram({
      name: 'ingot_http_request_seconds',
      help: 'Time from the request to the last byte of its answer',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    refusals: new Counter({
      name: 'ingot_refusals_total',
      help: 'Answers that refuse, by error code and by what the log names as the cause',
      labelNames: ['code', 'reason'],
      registers,
    }),
  }
}
