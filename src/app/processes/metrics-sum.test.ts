import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCounter, addGauges, createRegistry, startAtZero } from '#base/metrics.ts'
import { MetricsSum } from './metrics-sum.ts'

function fakeProcess(id: number, state: { failing: number }) {
  const registry = createRegistry()
  const counter = addCounter(registry, 'requests_total', 'Requests')
  const rows = () => [state]
  addGauges(registry, rows, [], () => ({}), [
    { name: 'connections', help: 'Connections', figureOf: () => 4 },
    { name: 'failing', help: 'Failing', figureOf: ({ failing }) => failing, aggregator: 'max' },
  ])
  let isSilent = false
  return {
    id,
    counter,
    silence: () => {
      isSilent = true
    },
    ask: () => (isSilent ? new Promise<never>(() => {}) : registry.getMetricsAsJSON()),
  }
}

const figures = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\w+) (\d+)$/gm)].map(([, name, figure]) => [name, Number(figure)]))

test('the restarts of each process are counted, from 0', async () => {
  const sum = new MetricsSum()
  for (const name of ['api 1', 'worker', 'worker', 'worker']) sum.countStart(name)
  const counted = [
    ...(await sum.read([])).matchAll(/^ingot_process_restarts_total\{process="(.+)"\} (\d+)$/gm),
  ]
  assert.deepEqual(
    counted.map(([, name, count]) => [name, count]),
    [
      ['api 1', '0'],
      ['worker', '2'],
    ],
  )
})

test('a series that every process begins at 0 is one series, and an event in one process is 1', async () => {
  const sum = new MetricsSum()
  const begin = (id: number) => {
    const registry = createRegistry()
    const counter = addCounter(registry, 'stopped_total', 'Stopped', ['outcome'])
    startAtZero(counter, [{ outcome: 'stopped' }, { outcome: 'too_late' }])
    return { id, counter, ask: () => registry.getMetricsAsJSON() }
  }
  const [one, two] = [begin(1), begin(2)]
  const stopped = async (...processes: (typeof one)[]) =>
    [...(await sum.read(processes)).matchAll(/^stopped_total\{outcome="(\w+)"\} (\d+)$/gm)].map(
      ([, outcome, count]) => `${outcome} ${count}`,
    )
  assert.deepEqual(await stopped(one, two), ['stopped 0', 'too_late 0'])
  two.counter.inc({ outcome: 'stopped' })
  assert.deepEqual(await stopped(one, two), ['stopped 1', 'too_late 0'])
  sum.retire(two.id)
  assert.deepEqual(await stopped(one), ['stopped 1', 'too_late 0'])
})

test('a sum never shrinks: not for a process that ended, nor for one that does not answer', async () => {
  const sum = new MetricsSum()
  const [one, two] = [fakeProcess(1, { failing: 0 }), fakeProcess(2, { failing: 1 })]
  one.counter.inc(10)
  two.counter.inc(5)
  assert.deepEqual(figures(await sum.read([one, two])), { requests_total: 15, connections: 8, failing: 1 })
  sum.retire(two.id)
  assert.deepEqual(figures(await sum.read([one])), { requests_total: 15, connections: 4, failing: 0 })
  const three = fakeProcess(3, { failing: 0 })
  three.counter.inc(1)
  one.silence()
  assert.deepEqual(figures(await sum.read([one, three])), { requests_total: 16, connections: 8, failing: 0 })
  sum.retire(one.id)
  sum.retire(three.id)
  assert.deepEqual(figures(await sum.read([])), { requests_total: 16 })
})
