import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { changePartner, setUserStatusOf } from '#test/operator.ts'
import { patiently } from '#test/patience.ts'
import { ciOf, personOf, SIGNUP, signupOf } from '#test/people.ts'
import { call, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const uuid = await service.addPartner()
const other = await service.addPartner()
const custom = await service.addPartner({ keyFormat: 'custom', keyPattern: 'NR-[0-9]{8}' })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const signUp = (partner: typeof uuid, person: string, changes?: Record<string, unknown>) =>
  partner.post(SIGNUP, signupOf(partner.partner.code, person, changes))

async function countRows(): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from member) as members, (select count(*)::int from member_ci) as cis,
           (select count(*)::int from partner_user) as links, (select count(*)::int from consent) as consents,
           (select count(*)::int from audit_entry) as audits`.execute(database.db)
  return rows[0]!
}

function consentsOf(userKey: string) {
  return sql<{ terms_id: string; agreed: boolean }>`
    select c.terms_id, c.agreed from consent c join partner_user u on u.id = c.partner_user_id
     where u.partner_key = ${userKey} order by c.id`
    .execute(database.db)
    .then(({ rows }) => rows.map((row) => `${row.terms_id} ${row.agreed ? 'Y' : 'N'}`))
}

test('a new person: exactly the documented fields, with a key issued by the service', async () => {
  const answer = await signUp(uuid, 'new')
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['traceNo', 'partner', 'userKey', 'newUserYn', 'registeredAt'])
  assert.equal(answer.body.traceNo, 'trace-1')
  assert.equal(answer.body.partner, uuid.partner.code)
  assert.equal(answer.body.newUserYn, 'Y')
  assert.match(answer.body.userKey, UUID)
  assert.match(answer.body.registeredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('a partner with keys of its own gets the one it sent', async () => {
  const answer = await signUp(custom, 'own key', { partnerKey: 'NR-00000001' })
  assert.deepEqual([answer.status, answer.body.userKey, answer.body.newUserYn], [200, 'NR-00000001', 'Y'])
})

test('the same person again: the same key and day, nothing written', async () => {
  const first = await signUp(uuid, 'again', { termsList: [{ termsId: 'marketing', agreeYn: 'Y' }] })
  const before = await countRows()
  const second = await signUp(uuid, 'again', {
    traceNo: 'other',
    termsList: [{ termsId: 'marketing', agreeYn: 'Y' }],
  })
  assert.deepEqual(second.body, { ...first.body, traceNo: 'other', newUserYn: 'N' })
  assert.deepEqual(await countRows(), before)
})

test('20 identical calls at once give one key, and one of them is new', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(uuid, 'twenty')))
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
  assert.equal(new Set(answers.map((answer) => answer.body.userKey)).size, 1)
  assert.equal(answers.filter((answer) => answer.body.newUserYn === 'Y').length, 1)
})

test('consents are a dated history of changes', async () => {
  const say = (...terms: string[]) => ({
    termsList: terms.map((one) => ({ termsId: one.slice(0, -2), agreeYn: one.slice(-1) })),
  })
  const { userKey } = (await signUp(uuid, 'consents', say('marketing Y', 'sms N'))).body
  await signUp(uuid, 'consents', say('marketing N'))
  await signUp(uuid, 'consents', say('marketing N', 'sms N'))
  await signUp(uuid, 'consents', say('sms Y', 'marketing Y'))
  await signUp(uuid, 'consents')
  assert.deepEqual(await consentsOf(userKey), ['marketing Y', 'sms N', 'marketing N', 'sms Y', 'marketing Y'])
  const { rows } = await sql<{ actor: string; details: unknown }>`
    select a.actor, a.details from audit_entry a join partner_user u on u.id::text = a.subject
     where u.partner_key = ${userKey} and action = 'user.consent' order by a.id`.execute(database.db)
  assert.deepEqual(
    rows.map((row) => row.details),
    [{ marketing: 'N' }, { sms: 'Y', marketing: 'Y' }],
  )
  assert.equal(rows[0]!.actor, `partner:${uuid.partner.code} key ${uuid.keyId}`)
})

test('changed details are recorded on the link, and audited without saying what they are', async () => {
  const { userKey } = (await signUp(uuid, 'moves')).body
  const changed = { ...personOf('moves'), mdn: '01011112222', name: '새이름' }
  const answer = await signUp(uuid, 'moves', { userInfo: changed })
  assert.deepEqual([answer.status, answer.body.userKey, answer.body.newUserYn], [200, userKey, 'N'])
  const { rows } = await sql<{ action: string; details: unknown }>`
    select action, a.details from audit_entry a join partner_user u on u.id::text = a.subject
     where u.partner_key = ${userKey} order by a.id`.execute(database.db)
  // Of the same trace number.
  const { traceId } = rows[0]!.details as { traceId: string }
  assert.deepEqual(rows, [
    { action: 'user.signup', details: { traceId } },
    { action: 'user.details', details: { traceId } },
  ])
  const before = await countRows()
  await signUp(uuid, 'moves', { userInfo: changed })
  assert.deepEqual(await countRows(), before)
})

test('many changes of one person at once: all succeed, the last one counts', async () => {
  await signUp(uuid, 'busy')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      signUp(uuid, 'busy', { userInfo: { ...personOf('busy'), mdn: `0101111000${i % 4}` } }),
    ),
  )
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
})

test('the same person at another partner: the same member, a key of its own', async () => {
  const here = await signUp(uuid, 'two partners')
  const there = await signUp(other, 'two partners')
  assert.equal(there.body.newUserYn, 'Y')
  assert.notEqual(there.body.userKey, here.body.userKey)
  const { rows } = await sql`select distinct member_id from partner_user
    where partner_key in (${here.body.userKey}, ${there.body.userKey})`.execute(database.db)
  assert.equal(rows.length, 1)
})

test('409: another custom key for the person, or a key of another person; nothing is written', async () => {
  const old = await signUp(custom, 'keeps', { partnerKey: 'NR-10000001' })
  assert.equal(old.status, 200)
  const before = await countRows()
  for (const [person, partnerKey] of [
    ['keeps', 'NR-10000002'],
    ['somebody else', 'NR-10000001'],
  ] as const) {
    const answer = await signUp(custom, person, {
      partnerKey,
      termsList: [{ termsId: 'marketing', agreeYn: 'Y' }],
    })
    assert.deepEqual([answer.status, answer.text], [409, '{"error":"Conflict"}'])
  }
  assert.deepEqual(await countRows(), before)
})

test('one custom key for 20 people at once: one gets it, 19 conflict and leave nothing', async () => {
  const before = await countRows()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => signUp(custom, `rival ${i}`, { partnerKey: 'NR-77777777' })),
  )
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(19).fill(409)])
  const after = await countRows()
  assert.deepEqual([after.members! - before.members!, after.cis! - before.cis!], [1, 1])
})

test('two processes: the same people at once become one member each', async () => {
  const second = await startService({ beside: service })
  const people = Array.from({ length: 40 }, (_, i) => `shared ${i}`)
  const both = await Promise.all(
    [...people, ...people.toReversed()].map((person, i) =>
      uuid.at(i % 2 ? service : second).post(SIGNUP, signupOf(uuid.partner.code, person)),
    ),
  )
  assert.deepEqual(new Set(both.map((answer) => answer.status)), new Set([200]))
  assert.equal(new Set(both.map((answer) => answer.body.userKey)).size, people.length)
})

test('403: a suspended user is not registered again', async () => {
  const { userKey } = (await signUp(uuid, 'closed')).body
  const command = { partner: uuid.partner.code, partnerKey: userKey, reason: 'test', actor: 'test' }
  await setUserStatusOf(database, { ...command, status: 'suspended' })
  const before = await countRows()
  assert.equal((await signUp(uuid, 'closed')).status, 403)
  assert.deepEqual(await countRows(), before)
  await setUserStatusOf(database, { ...command, status: 'active' })
  assert.equal((await signUp(uuid, 'closed')).body.userKey, userKey)
})

test('403: a suspended partner registers nobody', async () => {
  const closing = await service.addPartner()
  await changePartner(database, {
    code: closing.partner.code,
    changes: { status: 'suspended' },
    actor: 'test',
  })
  assert.equal((await signUp(closing, 'too late')).status, 403)
})

const good = personOf('field rules')
const info = (changes: Record<string, unknown>) => ({ userInfo: { ...good, ...changes } })
const without = (field: keyof typeof good) => {
  const { [field]: _, ...rest } = good
  return { userInfo: rest }
}
const terms = (...list: unknown[]) => ({ termsList: list })
const tomorrow = Temporal.Now.plainDateISO('Asia/Seoul').add({ days: 1 }).toString().replaceAll('-', '')

const BAD: [name: string, changes: Record<string, unknown>][] = [
  ['no traceNo', { traceNo: undefined }],
  ['an empty traceNo', { traceNo: '' }],
  ['a traceNo that is a number', { traceNo: 1 }],
  ['a traceNo of 256 characters', { traceNo: 'x'.repeat(256) }],
  ['a key for a partner that gets them issued', { partnerKey: 'NR-00000009' }],
  ['a UUID for a partner that gets them issued', { partnerKey: '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10' }],
  ['an empty partnerKey', { partnerKey: '' }],
  ['a null partnerKey', { partnerKey: null }],
  ['no userInfo', { userInfo: undefined }],
  ['userInfo that is a list', { userInfo: [] }],
  ['userInfo that is a text', { userInfo: 'x' }],
  ...Object.keys(good).map((field): [string, Record<string, unknown>] => [
    `no ${field}`,
    without(field as keyof typeof good),
  ]),
  ['an empty name', info({ name: '' })],
  ['a blank name', info({ name: '   ' })],
  ['a name with a control character', info({ name: 'a\u0000b' })],
  ['a name with half a character', info({ name: 'a\ud800' })],
  ['a name of 101 characters', info({ name: '가'.repeat(101) })],
  ['a birthday with hyphens', info({ birthday: '1990-01-31' })],
  ['a birthday that is a number', info({ birthday: 19900131 })],
  ['the 30th of February', info({ birthday: '19900230' })],
  ['month 13', info({ birthday: '19901301' })],
  ['day 0', info({ birthday: '19900100' })],
  ['the year 0', info({ birthday: '00000101' })],
  ['a birthday tomorrow in Seoul', info({ birthday: tomorrow })],
  ['a birthday in other digits', info({ birthday: '١٩٩٠٠١٣١' })],
  ['nationality F', info({ nationality: 'F' })],
  ['nationality k', info({ nationality: 'k' })],
  ['an mdn of 8 digits', info({ mdn: '01012345' })],
  ['an mdn of 16 digits', info({ mdn: '0101234567890123' })],
  ['an mdn with hyphens', info({ mdn: '010-1234-5678' })],
  ['an mdn with +82', info({ mdn: '+821012345678' })],
  ['an mdn that is a number', info({ mdn: 1012345678 })],
  ['gender X', info({ gender: 'X' })],
  ['gender m', info({ gender: 'm' })],
  ['a ci of 87', info({ ci: 'a'.repeat(87) })],
  ['a ci of 89', info({ ci: 'a'.repeat(89) })],
  ['a ci of spaces', info({ ci: ' '.repeat(88) })],
  ['a ci that was padded', info({ ci: 'a'.repeat(44).padEnd(88) })],
  ['a ci with a line break', info({ ci: `${'a'.repeat(87)}\n` })],
  ['a ci in Hangul', info({ ci: '가'.repeat(88) })],
  ['a ci with an accent', info({ ci: `${'a'.repeat(87)}é` })],
  ['a ci with a DEL', info({ ci: `${'a'.repeat(87)}\u007f` })],
  ['a ci with a no-break space', info({ ci: `${'a'.repeat(87)}\u00a0` })],
  ['a name with a right-to-left override', info({ name: '홍\u202e길동' })],
  ['a name that is an address', info({ name: 'www.evil.kr' })],
  ['a name that cannot be seen', info({ name: '\u3164\u200b' })],
  ['termsList that is an object', { termsList: {} }],
  ['termsList that is null', { termsList: null }],
  ['an item that is null', terms(null)],
  ['no termsId', terms({ agreeYn: 'Y' })],
  ['an empty termsId', terms({ termsId: '', agreeYn: 'Y' })],
  ['a termsId of 65', terms({ termsId: 'x'.repeat(65), agreeYn: 'Y' })],
  ['a termsId with a zero byte', terms({ termsId: 'a\u0000', agreeYn: 'Y' })],
  ['no agreeYn', terms({ termsId: 'a' })],
  ['agreeYn y', terms({ termsId: 'a', agreeYn: 'y' })],
  ['agreeYn true', terms({ termsId: 'a', agreeYn: true })],
  ['an id twice', terms({ termsId: 'a', agreeYn: 'Y' }, { termsId: 'a', agreeYn: 'N' })],
  ['51 terms', terms(...Array.from({ length: 51 }, (_, i) => ({ termsId: `t${i}`, agreeYn: 'Y' })))],
]

for (const [name, changes] of BAD) {
  test(`400: ${name}; nothing is written`, async () => {
    const before = await countRows()
    const answer = await signUp(uuid, 'field rules', changes)
    assert.deepEqual([answer.status, answer.text], [400, '{"error":"Invalid request"}'])
    assert.deepEqual(await countRows(), before)
  })
}

const GOOD: [name: string, changes: Record<string, unknown>][] = [
  ['an mdn of 9 digits', info({ mdn: '010123456', ci: ciOf('mdn 9') })],
  ['an mdn of 15 digits', info({ mdn: '010123456789012', ci: ciOf('mdn 15') })],
  ['a name of 100 characters', info({ name: '가'.repeat(100), ci: ciOf('long name') })],
  ['a ci that is not base64', info({ ci: '#'.repeat(88) })],
  [
    'a ci of every sign there is',
    info({ ci: Array.from({ length: 88 }, (_, i) => String.fromCharCode(33 + i)).join('') }),
  ],
  ["a foreigner's name", info({ name: 'Ana-María O’Brien Jr.', ci: ciOf('foreign name') })],
  ['the 29th of February of a leap year', info({ birthday: '20000229', ci: ciOf('leap') })],
  [
    'a birthday today in Seoul',
    info({
      birthday: Temporal.Now.plainDateISO('Asia/Seoul').toString().replaceAll('-', ''),
      ci: ciOf('today'),
    }),
  ],
  ['an empty termsList', { ...info({ ci: ciOf('no terms') }), termsList: [] }],
  [
    'fields that nobody named',
    { ...info({ ci: ciOf('extra'), role: 'admin' }), confirmed: true, __proto__: {} },
  ],
]
for (const [name, changes] of GOOD) {
  test(`200: ${name}`, async () => {
    const answer = await signUp(uuid, 'field rules', changes)
    assert.deepEqual([answer.status, answer.body?.newUserYn], [200, 'Y'])
  })
}

test('a person is the same one under whatever name a partner writes', async () => {
  const named = (name: string) => signUp(uuid, 'many names', info({ name, ci: ciOf('many names') }))
  const first = await named('홍길동')
  for (const name of ['Kim J.Ly', 'Ly.Kr', 'St.John', '\u845b\u{e0100}城', 'မြွှေ', '홍\ue000동']) {
    const again = await named(name)
    assert.deepEqual(
      [again.status, again.body.userKey, again.body.newUserYn],
      [200, first.body.userKey, 'N'],
      name,
    )
  }
})

const BAD_KEYS = ['', 'NR-1', 'nr-00000001', 'xNR-00000001', 'NR-000000011', 'NR-00000001\n', undefined, 7]
for (const partnerKey of BAD_KEYS) {
  test(`400: custom key ${JSON.stringify(partnerKey)}`, async () => {
    const before = await countRows()
    assert.equal((await signUp(custom, 'bad key', { partnerKey })).status, 400)
    assert.deepEqual(await countRows(), before)
  })
}

test('a body that is not UTF-8 is refused, whatever it says of itself', async () => {
  const text = JSON.stringify(
    signupOf(uuid.partner.code, 'bytes', { userInfo: { ...good, name: 'XX', ci: ciOf('bytes') } }),
  )
  // 김 in EUC-KR.
  const bytes = Buffer.from(text)
  bytes.set([0xb1, 0xe8], bytes.indexOf('XX'))
  const send = (body: string | Buffer, type: string) =>
    call(`${service.url}${SIGNUP}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${uuid.key}`, 'content-type': type },
      body,
    })
  const before = await countRows()
  assert.equal((await send(bytes, 'application/json')).status, 400)
  assert.equal((await send(bytes, 'application/json; charset=utf-8')).status, 400)
  for (const charset of ['euc-kr', '"EUC-KR"', 'utf-16', 'iso-8859-1']) {
    assert.equal((await send(text, `application/json; charset=${charset}`)).status, 415, charset)
  }
  assert.deepEqual(await countRows(), before)
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
    assert.equal((await send(text, `application/json; charset=${charset}`)).status, 200, charset)
  }
})

test('a problem names each bad field, never a value', async () => {
  const answer = await uuid.post(
    SIGNUP,
    signupOf(uuid.partner.code, 'x', {
      partnerKey: 'mine',
      userInfo: { ...good, birthday: '20990101' },
    }),
    { accept: 'application/problem+json' },
  )
  assert.deepEqual(
    answer.body.errors.map((error: { pointer: string }) => error.pointer),
    ['#/partnerKey', '#/userInfo/birthday'],
  )
  assert.ok(!answer.text.includes('2099') && !answer.text.includes('mine'))
})

// What only code can tell is named beside what the schema refuses, and so are other parts of the request.
for (const [what, change, expected] of [
  [
    'schema and code at once',
    { partnerKey: 'mine', userInfo: { ...good, birthday: '20990101', gender: 'X', ci: '한'.repeat(88) } },
    ['#/partnerKey', '#/userInfo/birthday', '#/userInfo/ci', '#/userInfo/gender'],
  ],
  ['no partner named', { partner: 7, userInfo: { ...good, mdn: 'x' } }, ['#/partner', '#/userInfo/mdn']],
  ['userInfo of another type', { userInfo: 'x', traceNo: '\u0000' }, ['#/traceNo', '#/userInfo']],
] as const) {
  test(`a problem names every bad field: ${what}`, async () => {
    const headers = { accept: 'application/problem+json' }
    const answer = await uuid.post(SIGNUP, { ...signupOf(uuid.partner.code, 'x'), ...change }, headers)
    const places = new Set(answer.body.errors.map((error: { pointer: string }) => error.pointer))
    assert.deepEqual([...places].sort(), expected)
    const plain = await uuid.post(SIGNUP, { ...signupOf(uuid.partner.code, 'x'), ...change })
    assert.deepEqual([plain.status, plain.text], [400, '{"error":"Invalid request"}'])
  })
}

test('however bad a request is, its problem stays small and comes soon', async () => {
  const keyed = await service.addPartner({ keyFormat: 'custom', keyPattern: '((a{1,15}){1,15})b' })
  const worst = {
    partner: keyed.partner.code,
    partnerKey: 'a'.repeat(4_000),
    termsList: Array(3_000).fill(0),
  }
  const answer = await keyed.post(SIGNUP, worst, { accept: 'application/problem+json' })
  assert.equal(answer.status, 400)
  assert.equal(answer.body.errors.length, 32)
})

test('no pattern can be made slow by a key', async () => {
  for (const keyPattern of [
    '(a+)+b',
    '(a|a)*b',
    '(.*)*(.*)*(.*)*b',
    '((a{1,15}){1,15})b',
    '([a-z]+)*[0-9]',
  ]) {
    const slow = await service.addPartner({ keyFormat: 'custom', keyPattern })
    const began = performance.now()
    const answer = await signUp(slow, 'slow', { partnerKey: 'a'.repeat(128) })
    assert.equal(answer.status, 400)
    const ms = performance.now() - began
    assert.ok(ms < patiently(20_000), `${keyPattern} took ${Math.round(ms)} ms`)
  }
})
