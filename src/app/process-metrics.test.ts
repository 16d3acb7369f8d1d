import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectDefaultMetrics, Registry } from '@prometheus-io/client'
import { collectProcessMetrics } from '#app/process-metrics.ts'

test("the process is measured by every metric of the client's own set", async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  collectProcessMetrics(ours)
  collectDefaultMetrics({ register: theirs })
  const described = async (registry: Registry) =>
    (await registry.getMetricsAsJSON()).map(({ name, help, type }) => `${name} ${type} ${help}`).sort()
  assert.deepEqual(await described(ours), await described(theirs))
})

test('CPU time grows from one reading to the next', async () => {
  const registry = new Registry()
  collectProcessMetrics(registry)
  const read = async () => {
    const metric = await registry.getSingleMetric('process_cpu_seconds_total')!.get()
    return metric.values[0]!.value as number
  }
  const first = await read()
  const from = process.cpuUsage()
  while (process.cpuUsage(from).user < 2_000) {}
  assert.ok((await read()) > first)
})
