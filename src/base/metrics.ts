import type { Aggregator } from '@prometheus-io/client'
import Counter from '@prometheus-io/client/lib/counter.js'
import Gauge from '@prometheus-io/client/lib/gauge.js'
import Histogram from '@prometheus-io/client/lib/histogram.js'
import Registry from '@prometheus-io/client/lib/registry.js'

// How series are made. Each capability names its own in its metrics.ts, and app/metrics.ts puts all of them together.
export type { Registry }

export function createRegistry(): Registry {
  return new Registry()
}

export type MetricFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

// Gauges say themselves if not their sum counts.
export function sumFigures(processes: readonly MetricFigures[]): Registry {
  return Registry.aggregate([...processes])
}

export function addCounter<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] })
}

// For series that an alert counts. Prometheus sees no increase in a series that begins at 1, so without these the first event
// would raise no alert.
export function startAtZero<Label extends string>(
  counter: Counter<Label>,
  series: readonly Record<Label, string>[],
): Counter<Label> {
  for (const labels of series) (counter as Counter<string>).inc(labels, 0)
  return counter
}

export function addHistogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  { labelNames, buckets }: { labelNames: readonly Label[]; buckets: number[] },
): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets, registers: [registry] })
}

export function addGauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
  aggregator: Aggregator = 'sum',
): Gauge<Label> {
  return new Gauge({ name, help, labelNames, aggregator, registers: [registry] })
}

interface GaugeOf<Row> {
  name: string
  help: string
  // Null: there is nothing to tell.
  figureOf(row: Row): number | null
  // How the figures of several processes become one.
  aggregator?: Aggregator
}

// Gauges that are read when they are scraped, all from the same rows. While the source is away they say nothing.
export function addGauges<Row, Label extends string = never>(
  registry: Registry,
  read: () => Promise<readonly Row[]> | readonly Row[],
  labelNames: readonly Label[],
  labelsOf: (row: Row) => Record<Label, string>,
  gauges: readonly GaugeOf<Row>[],
): void {
  const rows = sharedWhileRead(async () => read())
  for (const { name, help, figureOf, aggregator = 'sum' } of gauges) {
    new Gauge<string>({
      name,
      help,
      labelNames,
      aggregator,
      registers: [registry],
      async collect() {
        const all = await rows().catch(() => [])
        this.reset()
        // Without labels a reset leaves a zero, which would be a figure.
        if (labelNames.length === 0) this.remove()
        for (const row of all) {
          const figure = figureOf(row)
          if (figure !== null) this.set(labelsOf(row), figure)
        }
      },
    })
  }
}

// One scrape asks every gauge at once: they share one read.
function sharedWhileRead<Row>(read: () => Promise<readonly Row[]>): () => Promise<readonly Row[]> {
  let reading: Promise<readonly Row[]> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

export type RequestMetrics = ReturnType<typeof addRequestMetrics>

// What is measured of every request.
export function addRequestMetrics(registry: Registry) {
  return {
    httpSeconds: addHistogram(
      registry,
      'ingot_http_request_seconds',
      'Time from the request to the last byte of its answer',
      {
        labelNames: ['route', 'method', 'status'],
        buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      },
    ),
    refusals: addCounter(
      registry,
      'ingot_refusals_total',
      'Answers that refuse, by error code and by what the log names as the cause',
      ['code', 'reason'],
    ),
  }
}

// Counted by the supervisor. A process alone has none to start again, and says so.
export function addRestartCounter(registry: Registry): Counter<'process'> {
  return addCounter(
    registry,
    'ingot_process_restarts_total',
    'Processes of the service that were started again after they ended',
    ['process'],
  )
}

export type BatchMetrics = ReturnType<typeof addBatchMetrics>

export function addBatchMetrics(registry: Registry) {
  return {
    batchSize: addHistogram(registry, 'ingot_batch_size', 'Commands per batch', {
      labelNames: ['batch'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    }),
    batchSeconds: addHistogram(
      registry,
      'ingot_batch_seconds',
      'Time from sending a batch to its answer, behind the batch ahead of it too',
      {
        labelNames: ['batch'],
        buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      },
    ),
    batchRerun: addCounter(
      registry,
      'ingot_batch_rerun_total',
      'Batches that were run again one command at a time',
      ['batch'],
    ),
  }
}

interface PoolCounts {
  totalCount: number
  idleCount: number
  waitingCount: number
}

export function addPoolGauge(registry: Registry, pool: PoolCounts): void {
  const read = () => [
    { state: 'busy', count: pool.totalCount - pool.idleCount },
    { state: 'idle', count: pool.idleCount },
    { state: 'waiting', count: pool.waitingCount },
  ]
  addGauges(registry, read, ['state'], ({ state }) => ({ state }), [
    {
      name: 'ingot_db_pool_connections',
      help: 'Connections of the pool by state',
      figureOf: ({ count }) => count,
    },
  ])
}

// What the processes of a service do. Several of one role are still one: the alerts ask whether any is there.
export function addRoleGauge(registry: Registry, roles: Record<string, boolean>): void {
  const taken = () => Object.keys(roles).filter((role) => roles[role])
  addGauges(registry, taken, ['role'], (role) => ({ role }), [
    {
      name: 'ingot_role',
      help: '1 for each role that a process of the service runs: api, worker',
      figureOf: () => 1,
      aggregator: 'max',
    },
  ])
}

// `workerStatus`: undefined if the service has no worker.
export function addWorkerGauge(registry: Registry, workerStatus: () => string | undefined): void {
  const statuses = () => [workerStatus()].filter((status) => status !== undefined)
  addGauges(registry, statuses, ['status'], (status) => ({ status }), [
    {
      name: 'ingot_worker_status',
      help: '1 for what the worker does: starting, running, standing still or paused',
      figureOf: () => 1,
    },
  ])
}

export function addRestGauge(registry: Registry, rest: () => number): void {
  addGauges(
    registry,
    () => [rest()],
    [],
    () => ({}),
    [
      {
        name: 'ingot_worker_rest',
        help: 'How many times as long as it worked the worker rests, at most a second: messages go out slower on a full machine',
        figureOf: Number,
        aggregator: 'max',
      },
    ],
  )
}

// Answered without the database.
export function addWriteGauge(registry: Registry, writes: { failing(): string | undefined }): void {
  addGauges(
    registry,
    () => [writes.failing() !== undefined],
    [],
    () => ({}),
    [
      {
        name: 'ingot_writes_failing',
        help: '1 while writes fail although the database answers, as on a full disk',
        figureOf: Number,
        aggregator: 'max',
      },
    ],
  )
}
