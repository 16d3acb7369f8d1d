import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCircuit } from './circuit.ts'

// Time passes when the test says so.
function scene() {
  let now = 1_000
  const changes: string[] = []
  let isBroken = true
  let calls = 0
  const circuit = createCircuit<boolean>(
    { failures: 2, firstPauseMs: 1_000, maxPauseMs: 3_000 },
    (ok) => !ok,
    (open) => changes.push(open ? 'open' : 'closed'),
    () => now,
  )
  const run = () =>
    circuit.run(async () => {
      calls += 1
      return !isBroken
    })
  return {
    circuit,
    run,
    changes,
    calls: () => calls,
    pass: (ms: number) => {
      now += ms
    },
    mend: () => {
      isBroken = false
    },
    break: () => {
      isBroken = true
    },
  }
}

test('failures in a row open it; a success between them does not count', async () => {
  const { run, mend, changes, circuit, calls, ...scenery } = scene()
  await run()
  mend()
  await run()
  scenery.break()
  await run()
  assert.ok(circuit.isClosed())
  await run()
  assert.ok(!circuit.isClosed())
  assert.equal(await run(), undefined)
  assert.deepEqual([calls(), changes], [4, ['open']])
})

test('pauses double up to a limit, and begin anew after a success', async () => {
  const { run, pass, mend, changes, circuit, ...scenery } = scene()
  await run()
  await run()
  for (const pauseMs of [1_000, 2_000, 3_000, 3_000]) {
    pass(pauseMs - 1)
    assert.equal(await run(), undefined)
    pass(1)
    assert.ok(circuit.isClosed(), 'for the call that tries the way')
    assert.equal(await run(), false)
  }
  pass(3_000)
  mend()
  assert.equal(await run(), true)
  scenery.break()
  await run()
  await run()
  pass(1_000)
  assert.ok(circuit.isClosed())
  assert.deepEqual(changes, [...Array(5).fill('open'), 'closed', 'open'])
})

test('one call tries the way, and the others wait for what it finds', async () => {
  for (const finds of [true, false]) {
    const { circuit, run, pass } = scene()
    await run()
    await run()
    pass(1_000)
    const answer = Promise.withResolvers<boolean>()
    const trial = circuit.run(() => answer.promise)
    assert.ok(!circuit.isClosed())
    let others = 0
    const other = circuit.run(async () => {
      others += 1
      return true
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(others, 0)
    answer.resolve(finds)
    assert.deepEqual([await trial, await other], finds ? [true, true] : [false, undefined])
  }
})

test('a call that throws is told, and the next one tries', async () => {
  const { circuit, run, pass } = scene()
  await run()
  await run()
  pass(1_000)
  await assert.rejects(
    circuit.run(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.ok(circuit.isClosed())
})
