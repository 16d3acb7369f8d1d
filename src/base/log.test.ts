import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogFields } from './log.ts'

function logged(fields: unknown): Record<string, unknown> {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  log.info('something', fields as LogFields)
  assert.equal(lines.length, 1)
  const { level, time, event, ...rest } = JSON.parse(lines[0]!)
  assert.deepEqual([level, typeof time, event], [30, 'string', 'something'])
  return rest
}

test('log: only listed fields of the right type, whatever is passed', () => {
  assert.deepEqual(logged({ route: '/v1', ms: 3, status: 200 }), { route: '/v1', ms: 3, status: 200 })
  assert.deepEqual(logged({ phoneNumber: '+821012345678', pin: 'X', code: 'not_found' }), {
    code: 'not_found',
  })
  assert.deepEqual(logged({ code: { pin: 'X' }, route: ['X'], ms: '3', count: undefined, partner: null }), {})
  // Neither the message and the stack of an error, nor what toJSON of an object gives.
  assert.deepEqual(logged(Object.assign(new Error('secret'), { code: 'E1', detail: 'secret' })), {
    code: 'E1',
  })
  assert.deepEqual(logged({ code: 'E1', toJSON: () => ({ pin: 'X' }) }), { code: 'E1' })
  assert.deepEqual(logged(Object.create({ code: 'inherited' })), {})
  assert.deepEqual(logged(JSON.parse('{"__proto__":{"pin":"X"},"constructor":"X"}')), {})
})

test('log: a line is JSON for any value', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) }, 'api 1')
  log.info('too low')
  log.warn('한 "line"\n', { reason: '골드 😀 \ud83d "\\', count: Number.NaN })
  assert.equal(lines.length, 1)
  const { time, ...rest } = JSON.parse(lines[0]!)
  assert.equal(typeof time, 'string')
  assert.deepEqual(rest, {
    level: 40,
    process: 'api 1',
    reason: '골드 😀 \ud83d "\\',
    count: null,
    event: '한 "line"\n',
  })
})
