import type { Metric } from '@prometheus-io/client'
import Counter from '@prometheus-io/client/lib/counter.js'
import eventLoopLag from '@prometheus-io/client/lib/metrics/eventLoopLag.js'
import eventLoopUtilization from '@prometheus-io/client/lib/metrics/eventLoopUtilization.js'
import gc from '@prometheus-io/client/lib/metrics/gc.js'
import heapSizeAndUsed from '@prometheus-io/client/lib/metrics/heapSizeAndUsed.js'
import heapSpacesSizeAndUsed from '@prometheus-io/client/lib/metrics/heapSpacesSizeAndUsed.js'
import osMemoryHeap from '@prometheus-io/client/lib/metrics/osMemoryHeap.js'
import processHandles from '@prometheus-io/client/lib/metrics/processHandles.js'
import processMaxFileDescriptors from '@prometheus-io/client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from '@prometheus-io/client/lib/metrics/processOpenFileDescriptors.js'
import processRequests from '@prometheus-io/client/lib/metrics/processRequests.js'
import processResources from '@prometheus-io/client/lib/metrics/processResources.js'
import processStartTime from '@prometheus-io/client/lib/metrics/processStartTime.js'
import version from '@prometheus-io/client/lib/metrics/version.js'
import { createRegistry, type Registry } from '#base/metrics.ts'

const EVENT_LOOP_PRECISION_MS = 10

// Every metric of the client's collectDefaultMetrics. All but the one of CPU time are its own.
const COLLECTED = [
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  eventLoopUtilization,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  heapSpacesSizeAndUsed,
  version,
  gc,
]

// There is one process, however many services a test starts in it. Its timers never end.
let measured: readonly Metric[] | undefined

export function collectProcessMetrics(registry: Registry): void {
  measured ??= measureProcess()
  for (const metric of measured) registry.registerMetric(metric)
}

function measureProcess(): readonly Metric[] {
  const registry = createRegistry()
  addCpuTime(registry)
  for (const collect of COLLECTED) {
    collect(registry, { eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  }
  return registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name)!)
}

// The client's own loads OpenTelemetry, for exemplars that we do not give.
function addCpuTime(registry: Registry): void {
  const counter = (name: string, help: string, kinds: readonly (keyof NodeJS.CpuUsage)[]) => {
    let last = process.cpuUsage()
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        const now = process.cpuUsage()
        for (const kind of kinds) this.inc((now[kind] - last[kind]) / 1e6)
        last = now
      },
    })
  }
  counter('process_cpu_user_seconds_total', 'Total user CPU time spent in seconds.', ['user'])
  counter('process_cpu_system_seconds_total', 'Total system CPU time spent in seconds.', ['system'])
  counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', ['user', 'system'])
}
