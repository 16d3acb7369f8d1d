import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { buildSerializer } from '#edge/http/serializers.ts'
import { buildValidator } from '#edge/http/validators.ts'
import { isWeakPassword } from '#modules/accounts/password-strength.ts'
import { normalizeMobile } from '#modules/gift-cards/phone.ts'
import { proveMade } from '#modules/passkeys/ceremony.ts'
import type { MadeCredential } from '#modules/passkeys/types.ts'
import { loadRest } from './load-rest.ts'

const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })
const API = { roles: { api: true, worker: false }, publicUrl: 'https://ingot.example' }

test('what a first use needs is in memory before: a replaced folder is not read', async () => {
  const loaded: string[] = []
  const hooks = registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  try {
    await loadRest(API, log, { pauseMs: 0 })
    for (const name of [
      'ajv',
      'ajv-formats',
      'fast-json-stringify',
      'libphonenumber-js',
      '@zxcvbn-ts',
      'webauthn',
    ])
      assert.ok(
        loaded.some((url) => url.includes(name)),
        name,
      )
    const before = loaded.length
    const route = { schema: { type: 'string', format: 'date' }, method: 'GET', url: '/' }
    const validate = buildValidator({}, { customOptions: {} })({ ...route, httpPart: 'body' })
    assert.deepEqual([validate('2026-11-16'), validate('tomorrow')], [true, false])
    const write = buildSerializer({}, {} as never)({ ...route, httpStatus: '200' })
    assert.equal(write('2026-11-16'), '"2026-11-16"')
    assert.equal(normalizeMobile('011-234-5678'), '+82112345678')
    assert.equal(await isWeakPassword('password1234', { loginId: 'someone' }), true)
    const party = { id: 'ingot.example', origin: API.publicUrl }
    const response = { clientDataJSON: 'e30', attestationObject: 'oA', transports: [] }
    const made = { id: 'AA', rawId: 'AA', type: 'public-key', response } as unknown as MadeCredential
    assert.equal(await proveMade(made, { challenge: 'c', party }), undefined)
    assert.deepEqual(loaded.slice(before), [])
  } finally {
    hooks.deregister()
  }
  assert.deepEqual(lines, [])
})

test('what cannot be loaded is logged, and the rest is loaded', async () => {
  let count = 0
  const failing = (error: Error) => () => {
    throw error
  }
  await loadRest(API, log, {
    pauseMs: 0,
    loads: {
      gone: failing(Object.assign(new Error('/srv/gone.js'), { code: 'MODULE_NOT_FOUND' })),
      rejected: () => Promise.reject(new SyntaxError('half a file')),
      there: () => {
        count += 1
      },
    },
  })
  assert.equal(count, 1)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ event, check, error }) => [event, check, error]),
    [
      ['code not loaded', 'gone', 'Error MODULE_NOT_FOUND'],
      ['code not loaded', 'rejected', 'SyntaxError'],
    ],
  )
})
