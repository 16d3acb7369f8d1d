import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '#base/crypto/secret.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import type { Applicant } from '#providers/identity/port.ts'
import type { Fault } from '#stand-ins/faults.ts'
import { applicantOf, persona, startPortone } from '#test/identity.ts'
import { patiently, until } from '#test/patience.ts'

const HANA = persona('김하나')
const MDN = { mdn: HANA.mdn }
const is = (call: string) => (request: { path: string }) => request.path.endsWith(`/${call}`)
const isResult = (request: { method: string }) => request.method === 'GET'

async function started(...options: Parameters<typeof startPortone>) {
  const portone = await startPortone(...options)
  assert.deepEqual(await portone.provider.start('idv-1', applicantOf(HANA)), { kind: 'sent' })
  return portone
}
type Started = Awaited<ReturnType<typeof started>>

const rightCode = ({ standIn }: Started) => standIn.codeOf('idv-1')!
const wrongCode = (portone: Started) => (rightCode(portone) === '111111' ? '222222' : '111111')
const confirm = async (portone: Started, code: string) =>
  (await portone.provider.confirm('idv-1', code, MDN)).kind

for (const one of PERSONAS) {
  test(`${one.name}: ${one.note.en}`, async () => {
    await using portone = await startPortone()
    const { provider, standIn } = portone
    assert.deepEqual(await provider.start('idv-1', applicantOf(one)), { kind: one.starts })
    if (one.starts !== 'sent') return
    const word = await provider.confirm('idv-1', standIn.codeOf('idv-1')!, { mdn: one.mdn })
    const { ci, name, birthday, gender, isForeigner, mdn } = one
    assert.deepEqual(word, { kind: 'verified', person: { ci, name, birthday, gender, isForeigner, mdn } })
  })
}

const details: [string, Partial<Applicant>, string][] = [
  ['another name', { name: '김두나' }, 'refused'],
  ['another day of birth', { birthday: '19920316' }, 'refused'],
  ['the other century', { birthday: '20920315' }, 'refused'],
  ['another sex', { gender: 'M' }, 'refused'],
  ['another carrier', { carrier: 'KT' }, 'refused'],
  ['an unknown number', { mdn: '01099998888' }, 'refused'],
  ['a name with spaces around it', { name: ' 김하나 ' }, 'sent'],
  ['no name', { name: ' ' }, 'refused'],
  ['a day that does not exist', { birthday: '19920231' }, 'refused'],
  ['a number with signs', { mdn: '010-0001-0001' }, 'refused'],
  ['an address that is none', { address: 'nowhere' }, 'refused'],
]
for (const [name, change, expected] of details) {
  test(`start with ${name}: ${expected}`, async () => {
    await using portone = await startPortone()
    const applicant = { ...applicantOf(HANA), ...change }
    assert.deepEqual(await portone.provider.start('idv-1', applicant), { kind: expected })
  })
}

test('five wrong codes are wrong, then nothing helps but another verification', async () => {
  await using portone = await started()
  for (let tried = 0; tried < 5; tried++)
    assert.equal(await confirm(portone, wrongCode(portone)), 'wrong_code')
  assert.equal(await confirm(portone, rightCode(portone)), 'failed')
  assert.deepEqual(await portone.provider.resend('idv-1'), { kind: 'refused' })
})

test('a code that is none is wrong, and nobody is asked', async () => {
  await using portone = await started()
  for (const code of ['', '12345', '1234567', '12345a', '１２３４５６']) {
    assert.equal(await confirm(portone, code), 'wrong_code')
  }
  assert.deepEqual(portone.standIn.requests, ['send'])
})

test('a code comes too late', async () => {
  await using portone = await started({ codeMs: 20 })
  await sleep(40)
  assert.equal(await confirm(portone, rightCode(portone)), 'failed')
})

test('another code makes the first one worthless', async () => {
  await using portone = await started()
  let first = rightCode(portone)
  while (first === rightCode(portone)) {
    first = rightCode(portone)
    assert.deepEqual(await portone.provider.resend('idv-1'), { kind: 'sent' })
  }
  assert.equal(await confirm(portone, first), 'wrong_code')
  assert.equal(await confirm(portone, rightCode(portone)), 'verified')
})

test('never begun: nothing to send again, nothing to confirm', async () => {
  await using portone = await startPortone()
  assert.deepEqual(await portone.provider.resend('idv-1'), { kind: 'refused' })
  assert.deepEqual(await portone.provider.confirm('idv-1', '123456', MDN), { kind: 'failed' })
})

test('what was verified stays so: started, sent and confirmed again', async () => {
  await using portone = await started()
  assert.equal(await confirm(portone, rightCode(portone)), 'verified')
  assert.equal(await confirm(portone, rightCode(portone)), 'verified')
  assert.deepEqual(await portone.provider.start('idv-1', applicantOf(HANA)), { kind: 'sent' })
  assert.deepEqual(await portone.provider.resend('idv-1'), { kind: 'sent' })
  assert.equal(portone.standIn.codesSent('idv-1'), 1)
})

// What a fault does to each call, and what the same call brings once it is over.
const faults: [Fault, start: string, lostConfirm: string][] = [
  ['error_500', 'unavailable', 'unavailable'],
  ['reset_before', 'unavailable', 'unavailable'],
  ['accepted_then_500', 'unavailable', 'verified'],
  ['reset_after', 'unavailable', 'verified'],
  ['hang_after', 'unavailable', 'verified'],
  ['html', 'unavailable', 'verified'],
  ['gateway_502', 'unavailable', 'verified'],
]
const timeoutsFor = (fault: Fault) => ({ timeouts: { answerMs: fault === 'hang_after' ? 400 : 5_000 } })
for (const [fault, start, lostConfirm] of faults) {
  test(`${fault}: nothing is known, asking again is safe`, async () => {
    await using portone = await startPortone({}, timeoutsFor(fault))
    const { provider, standIn } = portone
    standIn.breakAll(fault)
    assert.deepEqual(await provider.start('idv-1', applicantOf(HANA)), { kind: start })
    standIn.breakAll(undefined)
    assert.deepEqual(await provider.start('idv-1', applicantOf(HANA)), { kind: 'sent' })
    assert.equal(standIn.codesSent('idv-1'), 1, 'nobody gets two codes')
    standIn.breakAll(fault, is('resend'))
    assert.deepEqual(await provider.resend('idv-1'), { kind: 'unavailable' })
    standIn.breakAll(fault)
    assert.equal(await confirm(portone, wrongCode(portone)), 'unavailable')
    standIn.breakAll(fault, isResult)
    assert.equal(await confirm(portone, wrongCode(portone)), 'unavailable', 'only the result counts')
    standIn.breakAll(fault, is('confirm'))
    assert.equal(await confirm(portone, rightCode(portone)), lostConfirm, 'the result clears it up')
    standIn.breakAll(undefined)
    assert.equal(await confirm(portone, rightCode(portone)), 'verified')
  })
}

const misfits: [string, Parameters<typeof startPortone>[1]][] = [
  ['secret', { apiSecret: new Secret('another') }],
  ['store', { storeId: 'store-2' }],
  ['channel', { channelKey: 'channel-key-2' }],
  ['address', { url: 'http://127.0.0.1:9' }],
]
for (const [name, options] of misfits) {
  test(`a wrong ${name}: unavailable, and the circuit opens`, async () => {
    await using portone = await startPortone({}, { ...options, circuit: { failures: 3 } })
    const { provider, standIn, lines } = portone
    for (let tried = 0; tried < 5; tried++) {
      assert.deepEqual(await provider.start(`idv-${tried}`, applicantOf(HANA)), { kind: 'unavailable' })
    }
    assert.equal(lines.filter((line) => line === 'open').length, 1)
    assert.ok(standIn.requests.length <= 3)
    assert.deepEqual(await provider.confirm('idv-1', '123456', MDN), { kind: 'unavailable' })
    assert.deepEqual(await provider.resend('idv-1'), { kind: 'unavailable' })
  })
}

test('people the carrier does not know do not open the circuit; once open, it tries the way and closes', async () => {
  const circuit = { failures: 2, firstPauseMs: patiently(2_000) } // the third try comes within the pause
  await using portone = await startPortone({}, { circuit })
  const { provider, standIn, lines } = portone
  for (let tried = 0; tried < 4; tried++) await provider.start(`idv-${tried}`, applicantOf(persona('정모름')))
  assert.deepEqual(lines, Array(4).fill('portone start status_502'))
  standIn.breakAll('error_500')
  for (let tried = 0; tried < 3; tried++) await provider.start('idv-9', applicantOf(HANA))
  standIn.breakAll(undefined)
  await until(async () => (await provider.start('idv-9', applicantOf(HANA))).kind === 'sent')
  assert.deepEqual(lines.slice(4), [
    'portone start server_error',
    'portone start server_error',
    'open',
    'portone start status_200',
    'closed',
  ])
})

test('an error page of somebody in between is no word of theirs', async () => {
  await using portone = await startPortone()
  await using between = await startPortone({}, { url: `${portone.standIn.url}/elsewhere` })
  assert.deepEqual(await between.provider.start('idv-1', applicantOf(HANA)), { kind: 'unavailable' })
  assert.deepEqual(await between.provider.confirm('idv-1', '123456', MDN), { kind: 'unavailable' })
})

test('what a contract does not tell: the number as typed, and no foreigner', async () => {
  await using portone = await started({ leavesOut: ['phoneNumber', 'isForeigner'] })
  const word = await portone.provider.confirm('idv-1', rightCode(portone), { mdn: '01055556666' })
  assert.ok(word.kind === 'verified')
  assert.deepEqual([word.person.mdn, word.person.isForeigner], ['01055556666', false])
})

const customer = (change: object) => (body: Record<string, unknown>) => ({
  ...body,
  verifiedCustomer: { ...(body.verifiedCustomer as object), ...change },
})
const hostile: [string, (body: Record<string, unknown>) => unknown][] = [
  ['a list', () => []],
  ['null', () => null],
  ['another id', (body) => ({ ...body, id: 'idv-2' })],
  ['another channel', (body) => ({ ...body, channel: { key: 'channel-key-2' } })],
  ['a status nobody knows', (body) => ({ ...body, status: 'PENDING' })],
  ['nobody', (body) => ({ ...body, verifiedCustomer: undefined })],
  ['no ci', customer({ ci: undefined })],
  ['a short ci', customer({ ci: 'abc==' })],
  ['a ci with a line break', customer({ ci: `${'a'.repeat(85)}\n==` })],
  ['a ci that is a list', customer({ ci: [HANA.ci] })],
  ['an empty name', customer({ name: '' })],
  ['a name with a control character', customer({ name: '김\u0000' })],
  ['an endless name', customer({ name: '김'.repeat(101) })],
  ['a birthday that does not exist', customer({ birthDate: '1992-02-31' })],
  ['a birthday of another shape', customer({ birthDate: '19920315' })],
  ['a sex it has no word for', customer({ gender: 'OTHER' })],
  ['a sex called constructor', customer({ gender: 'constructor' })],
  ['a foreigner called yes', customer({ isForeigner: 'yes' })],
  ['a number that is none', customer({ phoneNumber: '+82 10' })],
  ['endless text', (body) => ({ ...body, pgRawResponse: 'x'.repeat(300_000) })],
]
for (const [name, distort] of hostile) {
  test(`a result with ${name}: unavailable`, async () => {
    await using portone = await started({ distort })
    assert.equal(await confirm(portone, rightCode(portone)), 'unavailable')
  })
}

test('ids are written into the address safely', async () => {
  await using portone = await startPortone()
  const id = 'a/../b?c=d#e'
  assert.deepEqual(await portone.provider.start(id, applicantOf(HANA)), { kind: 'sent' })
  assert.match(portone.standIn.codeOf(id)!, /^\d{6}$/)
})

test('no measurement holds a person, a code or a secret', async () => {
  await using portone = await started()
  await confirm(portone, rightCode(portone))
  assert.deepEqual(portone.lines, [
    'portone start status_200',
    'portone confirm status_200',
    'portone result status_200',
  ])
})
