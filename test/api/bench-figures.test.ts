import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadOption, readOptions } from '../../bench/options.ts'
import { type Goal, verdictOf } from '../../bench/outcome.ts'
import type { ProfileNode } from '../../bench/profile/inspector.ts'
import { selfTimes } from '../../bench/profile/self-time.ts'
import { ratios } from '../../bench/rounds.ts'

const goal = (values: number[], target: Goal['target']): Goal => ({
  what: 'a figure',
  values,
  unit: '×',
  ...(target && { target }),
})

test('a target is hit or missed only if every round says so', () => {
  assert.equal(verdictOf(goal([1, 1.1, 1.2], { atLeast: 1 })), 'hit')
  assert.equal(verdictOf(goal([0.9, 1.1, 1.2], { atLeast: 1 })), 'within noise')
  assert.equal(verdictOf(goal([0.9, 0.8, 0.7], { atLeast: 1 })), 'missed')
  assert.equal(verdictOf(goal([1.5, 1.4], { atMost: 1.5 })), 'hit')
  assert.equal(verdictOf(goal([1.6, 1.4], { atMost: 1.5 })), 'within noise')
  assert.equal(verdictOf(goal([1], undefined)), undefined)
})

test('a ratio is taken within each round', () => {
  const measured = (...perSecond: number[]) => ({
    name: 'purchases',
    samples: perSecond.map((one) => ({ perSecond: one, errors: 0 })),
  })
  assert.deepEqual(ratios(measured(100, 50), measured(200, 100), 'perSecond'), [0.5, 0.5])
})

const node = (id: number, functionName: string, url: string, ...children: number[]): ProfileNode => ({
  id,
  callFrame: { functionName, url, lineNumber: 6, columnNumber: 0 },
  children,
})

test('self time goes to the area of the code, and of C++ to its caller', () => {
  const nodes = [
    node(1, '(root)', '', 2, 3, 4, 8),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'buy', 'file:///ingot/src/flows/gift-cards/buy-gift-cards.ts', 5, 7),
    node(5, 'createHmac', 'node:internal/crypto/hash', 6),
    node(6, 'update', ''),
    node(7, 'toString', 'file:///ingot/node_modules/pg-protocol/dist/serializer.js'),
    node(8, 'onRead', 'node:internal/stream_base_commons'),
  ]
  const samples = [2, 3, 4, 5, 6, 7, 8]
  const times = selfTimes({ nodes, samples, timeDeltas: samples.map(() => 1000) }, 'file:///ingot/')
  assert.equal(times.busyMilliseconds, 6)
  const areas = Object.fromEntries(times.byArea.map(({ name, milliseconds }) => [name, milliseconds]))
  assert.deepEqual(areas, { crypto: 2, 'garbage collection': 1, 'flows/gift-cards': 1, pg: 1, Node: 1 })
  assert.ok(
    times.byFunction.some(({ name }) => name === 'buy (flows/gift-cards, gift-cards/buy-gift-cards.ts:7)'),
  )
  assert.ok(times.byFunction.some(({ name }) => name === 'update (crypto)'))
})

test('options are read, and bad ones named', () => {
  assert.deepEqual(readOptions(['--profile']).parts, ['profile'])
  assert.deepEqual(readOptions(['--only', 'members']).parts, ['members'])
  assert.ok(!readOptions([]).parts.includes('profile'))
  assert.throws(() => readOptions(['--only', 'nothing']), BadOption)
  assert.throws(() => readOptions(['--cards', 'many']), /--cards takes a number/)
})
