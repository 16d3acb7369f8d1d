import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemory } from '#base/memory.ts'
import { CI, identityNumberOf, isBirthday, isWellFormed } from './details.ts'
import { DEMO_PERSONA, PERSONAS } from './personas.ts'
import type { Applicant } from './port.ts'
import { createSimulatedIdentity, SIMULATED_CODE } from './simulated.ts'

const watch = { onRequest: () => {} }
const address = '127.0.0.1'
const SOMEBODY: Applicant = {
  name: '홍길동',
  birthday: '19700101',
  gender: 'M',
  mdn: '01077778888',
  carrier: 'KT',
  address,
}

test('personas are told apart, and a carrier could know them', () => {
  for (const field of ['ci', 'mdn', 'name'] as const) {
    assert.equal(new Set(PERSONAS.map((one) => one[field])).size, PERSONAS.length)
  }
  for (const one of PERSONAS) {
    assert.match(one.ci, CI)
    assert.ok(isWellFormed({ ...one, address }), one.name)
    assert.ok(one === DEMO_PERSONA || /^0100001000\d$/.test(one.mdn))
    assert.ok(one.note.ko && one.note.en)
  }
  // Members are known by these: they never change.
  assert.match(PERSONAS[1]!.ci, /^5iLsU16H69zW/)
})

for (const one of PERSONAS) {
  test(`${one.name}: started here, confirmed by another process`, async () => {
    const outcome = await createSimulatedIdentity({ watch }).start('a', { ...one, address })
    assert.deepEqual(outcome, { kind: one.starts })
    const elsewhere = createSimulatedIdentity({ watch })
    const { ci, name, birthday, gender, isForeigner, mdn } = one
    assert.deepEqual(
      await elsewhere.confirm('a', SIMULATED_CODE, { mdn }),
      one.starts === 'sent'
        ? { kind: 'verified', person: { ci, name, birthday, gender, isForeigner, mdn } }
        : { kind: 'failed' },
    )
  })
}

test("a persona's number is nobody else's", async () => {
  const provider = createSimulatedIdentity({ watch })
  for (const change of [{ name: '김둘' }, { birthday: '19920316' }, { gender: 'M' as const }]) {
    const outcome = await provider.start('a', { ...PERSONAS[1]!, address, ...change })
    assert.deepEqual(outcome, { kind: 'refused' })
  }
})

test('anybody else is who they say they are, always the same by their number', async () => {
  const [one, other] = [createSimulatedIdentity({ watch }), createSimulatedIdentity({ watch })]
  const cis = []
  for (const provider of [one, other]) {
    assert.deepEqual(await provider.start('a', SOMEBODY), { kind: 'sent' })
    assert.deepEqual(await provider.resend('a'), { kind: 'sent' })
    const outcome = await provider.confirm('a', SIMULATED_CODE, SOMEBODY)
    assert.ok(outcome.kind === 'verified')
    assert.deepEqual(
      [outcome.person.name, outcome.person.birthday, outcome.person.gender],
      ['홍길동', '19700101', 'M'],
    )
    assert.match(outcome.person.ci, CI)
    cis.push(outcome.person.ci)
  }
  assert.equal(cis[0], cis[1])
  assert.deepEqual(await one.confirm('b', SIMULATED_CODE, SOMEBODY), { kind: 'failed' }, 'never begun')
  const another = { mdn: '01077779999' }
  assert.deepEqual(await one.confirm('a', SIMULATED_CODE, another), { kind: 'failed' }, 'another number')
})

test('with one memory, anybody is confirmed by another process, and wrong codes count in all of them', async () => {
  const memory = createMemory()
  const [one, other] = [
    createSimulatedIdentity({ watch, memory }),
    createSimulatedIdentity({ watch, memory }),
  ]
  await one.start('a', SOMEBODY)
  for (const provider of [one, other, one, other])
    assert.deepEqual(await provider.confirm('a', '123456', SOMEBODY), { kind: 'wrong_code' })
  assert.equal((await other.confirm('a', SIMULATED_CODE, SOMEBODY)).kind, 'verified')
  assert.deepEqual(await one.confirm('a', '123456', SOMEBODY), { kind: 'wrong_code' })
  assert.deepEqual(await other.confirm('a', SIMULATED_CODE, SOMEBODY), { kind: 'failed' })
})

for (const change of [
  { name: '' },
  { birthday: '19900231' },
  { birthday: '901231' },
  { mdn: '0212345678' },
]) {
  test(`refused: ${JSON.stringify(change)}`, async () => {
    const outcome = await createSimulatedIdentity({ watch }).start('a', { ...SOMEBODY, ...change })
    assert.deepEqual(outcome, { kind: 'refused' })
  })
}

test('after five wrong codes the right one does not help', async () => {
  const provider = createSimulatedIdentity({ watch })
  const { mdn } = PERSONAS[1]!
  for (let tried = 0; tried < 5; tried++) {
    assert.deepEqual(await provider.confirm('a', '123456', { mdn }), { kind: 'wrong_code' })
  }
  assert.deepEqual(await provider.confirm('a', SIMULATED_CODE, { mdn }), { kind: 'failed' })
  assert.equal(
    (await provider.confirm('b', SIMULATED_CODE, { mdn })).kind,
    'verified',
    'only this verification',
  )
})

test('the first seven digits of a resident number', () => {
  const numbers = [
    ['19900131', 'M', '9001311'],
    ['19900131', 'F', '9001312'],
    ['20051224', 'M', '0512243'],
    ['20051224', 'F', '0512244'],
  ] as const
  for (const [birthday, gender, expected] of numbers) {
    assert.equal(identityNumberOf({ birthday, gender }), expected)
  }
  assert.deepEqual(['20000229', '19000229', '18991231', '2000229'].map(isBirthday), [
    true,
    false,
    false,
    false,
  ])
})
