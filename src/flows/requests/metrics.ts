import { addCounter, type Registry } from '#base/metrics.ts'

export type RequestRecordMetrics = ReturnType<typeof addRequestRecordMetrics>

export function addRequestRecordMetrics(registry: Registry) {
  return {
    recordsLost: addCounter(
      registry,
      'ingot_request_records_lost_total',
      'Requests that are in the log only: refused in a flood, or not written because the database was away or failed',
      ['why'],
    ),
  }
}
