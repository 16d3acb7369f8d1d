import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { linkCodeOf } from '#modules/gift-cards/link-code.ts'
import type { Role } from '#modules/staff/permissions.ts'
import { markSent } from '#test/deliveries.ts'
import { assertHides } from '#test/hidden.ts'
import { giveDeposit } from '#test/holders.ts'
import { addMember, Browser, ciOfPerson, logIn, newPerson, userInfoOf } from '#test/member.ts'
import { until } from '#test/patience.ts'
import { HASH, SIGNUP } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { refundScene } from '#test/refund-scene.ts'
import { watchReadings } from '#test/rows-read.ts'
import { startService } from '#test/service.ts'
import type { StaffBrowser } from '#test/staff.ts'

// One service with one member who used a card, traded, and is known to two partners.
const service = await startService()
const { database } = service
const partner = await service.addPartner({ name: '가온상점' })
const other = await service.addPartner({ name: '다른상점' })
const { code } = partner.partner
const person = newPerson({ name: '김 나래비', birthday: '19870623' })
const told = { traceNo: 'trace-7781', userInfo: userInfoOf(person) }
const user = (await partner.post(SIGNUP, { ...told, partner: code })).body
const foreign = (await other.post(SIGNUP, { ...told, partner: other.partner.code })).body
const member = await addMember(service, person)
const used = await buy(50_000)
const open = await buy(30_000)
const pins = [await pinOf(used.giftId), await pinOf(open.giftId)]
await member.browser.post('/cards/redeem', { pin: pins[0] })
await giveDeposit(service, member.loginId, 1_000_000n)

const admin = await service.consoleAs('admin')
const roles: [Role, StaffBrowser][] = [
  ['admin', admin],
  ...(await Promise.all(
    (['finance', 'support', 'viewer'] as const).map(
      async (role): Promise<[Role, StaffBrowser]> => [role, await service.consoleAs(role)],
    ),
  )),
  ...(await Promise.all(
    (['partner_manager', 'partner_developer', 'partner_viewer'] as const).map(
      async (role): Promise<[Role, StaffBrowser]> => [role, await service.consoleAs(role, { partner })],
    ),
  )),
]
const manager = roles.find(([role]) => role === 'partner_manager')![1]

async function buy(amount: number): Promise<{ giftId: string; txId: string }> {
  return (await partner.buy({ phoneNumber: person.mdn, amount })).body.data
}

async function pinOf(id: string): Promise<string> {
  const vault = (await openVaultKeeper(database, TEST_RING_STORE)).vault()
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [id])
  return vault.open({ table: 'gift_card', column: 'pin', row: id }, rows[0].pin)
}

async function one(sql: string, ...values: unknown[]) {
  return (await database.pool.query(sql, values)).rows[0]
}

const reason = 'a caller asked'

const quoted = await member.browser.post('/quotes', { side: 'buy', metal: 'gold', won: 120_000 })
const ordered = await member.browser.post('/orders', { quoteId: quoted.body.quoteId })
assert.equal(ordered.status, 200, ordered.text)
const { id: orderId } = await one('select id from trade_order')
const { member_id: memberId } = await one(
  'select member_id from member_account where login_id = $1',
  member.loginId,
)
const { id: linkId } = await one('select id from partner_user where partner_key = $1', user.userKey)
const { id: foreignLinkId } = await one('select id from partner_user where partner_key = $1', foreign.userKey)
const { id: deliveryId } = await one('select id from delivery where card_id = $1 order by id', open.giftId)
const foreignCard = (await other.buy({ phoneNumber: person.mdn, amount: 10_000 })).body.data
const { id: foreignDelivery } = await one(
  'select id from delivery where card_id = $1 order by id',
  foreignCard.giftId,
)
assert.equal((await partner.post(HASH, { partner: code, partnerKey: user.userKey })).status, 200)

const PAGES = [
  `/cards/${used.giftId}`,
  `/cards/${open.txId}`,
  `/cards/${open.giftId}/timeline`,
  `/members/${memberId}`,
  `/members/${member.loginId}`,
  `/members/${memberId}/timeline`,
  `/members/${memberId}/transfers?before=999999999`,
  '/partners',
  `/partners/${code}`,
  `/partners/${code}/timeline`,
  `/users/${linkId}`,
  `/users/${linkId}/timeline`,
  `/orders/${orderId}`,
  `/deliveries/${deliveryId}`,
]

// What must never be in an answer, however it is written.
async function secrets(): Promise<string[]> {
  const { mdn } = person
  const [a, b, c] = [mdn.slice(0, 3), mdn.slice(3, 7), mdn.slice(7)]
  const vault = (await openVaultKeeper(database, TEST_RING_STORE)).vault()
  const { rows } = await database.pool.query('select number from gift_card')
  return [
    mdn,
    mdn.slice(1),
    `${a}-${b}-${c}`,
    `${b}-${c}`,
    '나래',
    person.birthday,
    ciOfPerson(person),
    'trace-7781',
    partner.key,
    ...pins.flatMap((pin) => [pin, pin.match(/.{4}/g)!.join('-')]),
    ...rows.map(({ number }) => linkCodeOf(vault, BigInt(number)).reveal()),
  ]
}

for (const [role, browser] of roles) {
  test(`${role}: nothing of a person and no secret in any page, its timeline or its raw JSON`, async () => {
    const hidden = await secrets()
    const isOwn = role.startsWith('partner_')
    for (const path of PAGES) {
      const answer = await browser.get(path)
      const isOperators = /^\/(members|orders)/.test(path)
      assert.equal(answer.status, isOwn && isOperators ? 403 : 200, `${path} ${answer.text}`)
      assertHides(answer.text, hidden, path)
      if (!isOwn) continue
      // Who used a card, and what the operator knows of the person, is not for a partner.
      assertHides(answer.text, [memberId, member.loginId, foreignLinkId, other.partner.code], path)
    }
  })
}

test('what belongs to another partner looks the same as what is not there', async () => {
  const absent = '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10'
  const pairs: [foreign: string, absent: string][] = [
    [`/cards/${foreignCard.giftId}`, `/cards/${absent}`],
    [`/cards/${foreignCard.giftId}/timeline`, `/cards/${absent}/timeline`],
    [`/cards/${foreignCard.giftId}/resend`, `/cards/${absent}/resend`],
    [`/users/${foreignLinkId}`, `/users/${absent}`],
    [`/users/${foreignLinkId}/timeline`, `/users/${absent}/timeline`],
    [`/partners/${other.partner.code}`, '/partners/nobody'],
    [`/deliveries/${foreignDelivery}`, '/deliveries/999999999'],
  ]
  const answerOf = async (path: string) => {
    const { status, body } = await manager.get(path)
    return { status, code: body.code, title: body.title, errors: body.errors }
  }
  for (const [path, missing] of pairs) {
    const answer = await answerOf(path)
    assert.equal(answer.status, 404, path)
    assert.deepEqual(answer, await answerOf(missing))
    assert.equal((await admin.get(path)).status, 200, path)
  }
  for (const [path, body] of [
    [`/cards/${foreignCard.giftId}/resend`, { reason }],
    [`/keys/${other.keyId}/rotate`, { overlapMinutes: 0, reason }],
    [`/keys/${other.keyId}/revoke`, { afterMinutes: 0, reason }],
    [
      `/partners/${other.partner.code}/keys`,
      { label: '', scopes: ['usage:read'], networks: [], expiresInDays: null, reason },
    ],
  ] as const) {
    assert.equal((await manager.post(path, body)).status, 404, path)
  }
  assert.equal((await one('select revoked_at from api_key where id = $1', other.keyId)).revoked_at, null)
  assert.deepEqual(
    (await manager.get('/partners')).body.partners.map((one: { code: string }) => one.code),
    [code],
  )
})

test('a card: who used it, what moved between which accounts, and one timeline', async () => {
  const { body } = await admin.get(`/cards/${used.giftId}`)
  assert.deepEqual([body.status, body.amount, body.partner], ['used', 50_000, code])
  assert.deepEqual(body.usedBy, { memberId, loginId: member.loginId, name: '김***비' })
  assert.match(body.recipient, /^010-\*{4}-\d{4}$/)
  const moves = body.transfers.map((move: Move) => [
    move.kind,
    move.from.kind,
    move.from.owner,
    move.to.kind,
    move.to.owner,
  ])
  assert.deepEqual(moves, [
    ['redeem', 'outstanding_cards', null, 'holding', { kind: 'member', id: memberId }],
    ['issue', 'partner_receivable', { kind: 'partner', id: code }, 'outstanding_cards', null],
  ])
  const times = body.timeline.events.map((event: { at: string }) => event.at)
  assert.deepEqual(times, times.toSorted().toReversed())
  const what = body.timeline.events.map((event: { what: string }) => event.what)
  assert.ok(
    what.includes('card.issued') && what.includes('card.used') && what.includes('delivery.written'),
    what.join(),
  )
  const mine = (await manager.get(`/cards/${used.giftId}`)).body
  assert.deepEqual([mine.usedBy, mine.transfers[0].to], [null, { id: null, kind: 'holding', owner: null }])
})

interface Move {
  kind: string
  from: { kind: string; owner: unknown }
  to: { kind: string; owner: unknown }
}

test('sending a card again: what would be sent where, the limits, and an entry', async () => {
  assert.equal((await admin.get(`/cards/${open.giftId}/resend`)).body.refusal, 'on_its_way')
  await markSent(service, open.giftId, { status: 'failed' })
  await database.pool.query(
    `update delivery set created_at = created_at - interval '2 minutes' where card_id = $1`,
    [open.giftId],
  )
  const preview = (await admin.get(`/cards/${open.giftId}/resend`)).body
  assert.deepEqual([preview.possible, preview.channels], [true, ['alimtalk', 'text']])
  assert.match(preview.recipient, /^010-\*{4}-/)
  const sent = await admin.post(`/cards/${open.giftId}/resend`, { reason })
  assert.deepEqual([sent.status, sent.body.channels], [200, ['alimtalk', 'text']])
  const again = await admin.post(`/cards/${open.giftId}/resend`, { reason })
  assert.deepEqual([again.status, again.body.errors[0].detail], [409, 'on_its_way'])
  const { body } = await admin.get(`/cards/${open.giftId}`)
  const entry = body.timeline.events.find((event: { what: string }) => event.what === 'card.resend')
  assert.equal(entry.by, `staff:${admin.staff.email}`)
  assert.ok(
    entry.details.some(
      (one: { name: string; value: string }) => one.name === 'reason' && one.value === reason,
    ),
  )
})

test('voiding a card: first what would happen, then the act, then it is over', async () => {
  const { giftId } = await buy(20_000)
  await markSent(service, giftId, { channel: 'text' })
  const preview = (await admin.get(`/cards/${giftId}/void`)).body
  assert.deepEqual(
    [preview.possible, preview.amount, preview.owed - preview.owedAfter, preview.withdrawn, preview.told],
    [true, 20_000, 20_000, 1, ['text']],
  )
  assert.equal((await admin.get(`/cards/${giftId}`)).body.status, 'issued')
  const stale = await service.consoleAs('admin', { fresh: false })
  assert.equal((await stale.post(`/cards/${giftId}/void`, { reason })).body.code, 'proof_required')
  assert.equal((await admin.post(`/cards/${giftId}/void`, { reason: '  ' })).status, 400)
  const done = await admin.post(`/cards/${giftId}/void`, { reason })
  assert.equal(done.status, 200, done.text)
  const { body } = await admin.get(`/cards/${giftId}`)
  assert.equal(body.status, 'voided')
  assert.deepEqual([body.deliveries.length, body.deliveries.at(-1).purpose], [3, 'cancellation'])
  assert.deepEqual((await admin.get(`/cards/${giftId}/void`)).body.refusal, 'voided')
  assert.equal((await admin.post(`/cards/${giftId}/void`, { reason })).body.errors[0].detail, 'voided')
})

test('a large card waits for a second person; nothing has happened yet', async () => {
  const { giftId } = await buy(600_000)
  assert.equal((await admin.get(`/cards/${giftId}/void`)).body.waits, true)
  const asked = (await admin.post(`/cards/${giftId}/void`, { reason })).body
  assert.equal((await admin.get(`/cards/${giftId}`)).body.voidWaits, asked.requestId)
  assert.ok(asked.waiting && asked.requestId)
  const { body } = await admin.get(`/cards/${giftId}`)
  assert.equal(body.status, 'issued')
  assert.equal(body.timeline.events[0].what, 'card.void.request')
})

test('why a partner cancelled a card is sealed; each look is an entry', async () => {
  const { giftId, txId } = await buy(20_000)
  const cancelled = await partner.post(`/v2/partner/metal/giftcard/buy/${txId}/cancel`, {
    reason: '고객 김나래비 요청',
  })
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.ok(!(await admin.get(`/cards/${giftId}`)).text.includes('고객 김'))
  const revealed = await admin.post(`/cards/${giftId}/cancel-reason`, { reason })
  assert.equal(revealed.body.cancelReason, '고객 김나래비 요청')
  assert.equal((await entries('card.reveal', giftId)).length, 1)
})

async function entries(action: string, subject: string) {
  const { rows } = await database.pool.query(
    'select actor, details from audit_entry where action = $1 and subject = $2 order by id',
    [action, subject],
  )
  return rows
}

test('a member: balances with their time, links, consents, sessions, and one timeline', async () => {
  const { body } = await admin.get(`/members/${memberId}`)
  assert.deepEqual([body.status, body.loginId, body.person.name], ['open', member.loginId, '김***비'])
  assert.equal(body.holdings[0].points + body.holdings[0].deposit, 50_000 + 1_000_000 - body.orders[0].total)
  assert.ok(body.now && body.holdings[0].goldGrams !== '0.0000')
  assert.deepEqual(
    body.links.map((link: { partner: string }) => link.partner),
    [code, other.partner.code],
  )
  assert.deepEqual(
    body.consents.map((one: { termsId: string; agreed: boolean }) => [one.termsId, one.agreed]),
    [
      ['service', true],
      ['privacy', true],
      ['marketing', false],
    ],
  )
  assert.ok('version' in body.consents[0])
  assert.equal(body.sessions.length, 1)
  const what = body.timeline.events.map((event: { what: string }) => event.what)
  for (const word of ['member.joined', 'money.redeem', 'money.buy', 'link.registered', 'consent.given']) {
    assert.ok(what.includes(word), `${word} of ${what}`)
  }
  const bought = body.timeline.events.find((event: { what: string }) => event.what === 'money.buy')
  assert.deepEqual(bought.object, { kind: 'order', id: orderId })
})

test('a reveal takes the permission, fresh proof and a reason, and leaves an entry', async () => {
  const path = `/members/${memberId}/reveal`
  const stale = await service.consoleAs('support', { fresh: false })
  assert.equal((await stale.post(path, { reason })).body.code, 'proof_required')
  for (const [role, browser] of roles) {
    if (['admin', 'support'].includes(role)) continue
    assert.equal((await browser.post(path, { reason })).status, 403, role)
  }
  assert.equal((await admin.post(path, {})).status, 400)
  const { account_id } = await one(
    'select id as account_id from member_account where login_id = $1',
    member.loginId,
  )
  assert.deepEqual(await entries('member.reveal', account_id), [])
  const revealed = await admin.post(path, { reason })
  const { name, birthday, mdn } = person
  assert.deepEqual(revealed.body.person, { name, birthday, gender: 'F', mdn })
  assert.equal(revealed.headers.get('cache-control'), 'no-store')
  // What a person typed is sealed apart. The timeline opens it, and says from where.
  const actor = `staff:${admin.staff.email}`
  assert.deepEqual(await entries('member.reveal', account_id), [{ actor, details: {} }])
  const { events } = (await admin.get(`/members/${memberId}`)).body.timeline
  const entry = events.find((event: { what: string }) => event.what === 'member.reveal')
  assert.deepEqual([entry.by, entry.details], [actor, [{ name: 'reason', value: reason }]])
  assert.deepEqual(entry.from[0], { name: 'by', value: 'console' })
  const ofUser = await admin.post(`/users/${linkId}/reveal`, { reason })
  assert.equal(ofUser.body.person.mdn, mdn)
  assert.equal((await entries('user.reveal', linkId)).length, 1)
})

test('a session is ended, a device distrusted, a member frozen and thawed', async () => {
  const browser = new Browser(service.url)
  assert.equal((await logIn(browser, member.loginId)).status, 200)
  const before = (await admin.get(`/members/${memberId}`)).body
  const newest = before.sessions[0].id
  assert.equal(
    (await admin.post(`/members/${memberId}/end-sessions`, { reason, session: newest })).body.ended,
    1,
  )
  assert.equal((await browser.get('/assets')).status, 401)
  assert.equal((await member.browser.get('/assets')).status, 200)
  const gone = await admin.post(`/members/${memberId}/end-sessions`, { reason, session: newest })
  assert.equal(gone.status, 404)

  const { ref } = before.devices[0]
  const distrusted = await admin.post(`/members/${memberId}/distrust-devices`, { reason, device: ref })
  assert.deepEqual([distrusted.body.devices, distrusted.body.sessions], [1, 1], distrusted.text)
  assert.equal((await member.browser.get('/assets')).status, 401)
  assert.equal(
    (await admin.post(`/members/${memberId}/distrust-devices`, { reason, device: ref })).status,
    404,
  )

  const frozen = await admin.post(`/members/${memberId}/freeze`, { reason })
  assert.equal(frozen.status, 200, frozen.text)
  assert.equal((await admin.get(`/members/${memberId}`)).body.status, 'frozen')
  // The partner learns that its user is closed, not that the operator froze the person.
  assert.equal((await manager.get(`/users/${linkId}`)).body.status, 'suspended')
  assert.equal(
    (await admin.post(`/members/${memberId}/freeze`, { reason })).body.errors[0].detail,
    'already_frozen',
  )
  assert.equal((await admin.post(`/members/${memberId}/thaw`, { reason })).status, 200)
  assert.equal((await admin.get(`/members/${memberId}`)).body.freezes.length, 1)
})

test('a page of movements goes on where the one before ended', async () => {
  for (let i = 0; i < 30; i += 1) await giveDeposit(service, member.loginId, 1n)
  const first = (await admin.get(`/members/${memberId}`)).body
  const seen = first.transfers.transfers.map((move: { id: string }) => move.id)
  let { next } = first.transfers
  while (next) {
    const page = (await admin.get(`/members/${memberId}/transfers?before=${next}`)).body
    seen.push(...page.transfers.map((move: { id: string }) => move.id))
    next = page.next
  }
  const { count } = await one(
    `select count(distinct t.id)::int from transfer t join account a on a.id in (t.debit_account, t.credit_account)
      where a.holder_id = $1`,
    memberId,
  )
  assert.deepEqual([seen.length, new Set(seen).size], [count, count])

  const events = [...first.timeline.events]
  let below = first.timeline.next
  assert.ok(below, 'there are more than a page')
  while (below) {
    const page = (await admin.get(`/members/${memberId}/timeline?below=${below}`)).body
    events.push(...page.events)
    below = page.next
  }
  const acts = events.flatMap(
    ({ details }) => details.find((one: { name: string }) => one.name === 'act')?.value ?? [],
  )
  assert.equal(new Set(acts).size, acts.length, 'no act twice')
  assert.equal(events.filter(({ what }) => what === 'money.grant').length, 31)
  assert.equal((await admin.get(`/members/${memberId}/timeline?below=bm9uc2Vuc2U`)).status, 400)
})

test('an order, line by line, and its transfers', async () => {
  const { body } = await admin.get(`/orders/${orderId}`)
  assert.deepEqual(body.holder, { kind: 'member', id: memberId })
  assert.equal(body.value + body.rounding + body.fee, body.total)
  assert.equal(body.fromPoints + body.fromDeposit, body.total)
  assert.ok(body.transfers.length >= 2)
  assert.ok(body.transfers.every((move: Move & { act: string }) => move.act === orderId))
  const what = body.timeline.events.map((event: { what: string }) => event.what)
  assert.deepEqual([what.includes('order.buy'), what.at(-1)], [true, 'order.price'])
  assert.equal(what.filter((word: string) => word === 'money.buy').length, body.transfers.length)
})

test('a message: its attempts, and what it said without the PIN and the code of its link', async () => {
  const { body } = await admin.get(`/deliveries/${deliveryId}`)
  assert.deepEqual([body.cardId, body.status, body.partner], [open.giftId, 'failed', code])
  assert.equal(body.events[0].reason, 'rejected')
  assert.match(body.text, /\*{4}-\*{4}-\*{4}-\*{4}/)
  assert.match(body.text, /#\*{16}/)
})

test('a partner user: hash keys without values, suspend and resume', async () => {
  const { body } = await admin.get(`/users/${linkId}`)
  assert.deepEqual([body.partnerKey, body.memberId, body.hashKeys.length], [user.userKey, memberId, 1])
  assert.equal((await admin.post(`/users/${linkId}/suspend`, { reason })).body.status, 'suspended')
  const again = await admin.post(`/users/${linkId}/suspend`, { reason })
  assert.equal(again.body.errors[0].detail, 'already_in_status')
  assert.equal((await admin.post(`/users/${linkId}/resume`, { reason })).body.status, 'active')
  assert.equal((await manager.post(`/users/${linkId}/suspend`, { reason })).status, 403)
})

test('keys: issued once, rotated with an overlap, revoked', async () => {
  const wanted = { label: 'web', scopes: ['giftcards:read'], networks: [], expiresInDays: 30, reason }
  const issued = await manager.post(`/partners/${code}/keys`, wanted)
  assert.equal(issued.status, 200, issued.text)
  assert.match(issued.body.key, /^ik_test_/)
  assert.equal(issued.headers.get('cache-control'), 'no-store')
  const rotated = (await manager.post(`/keys/${issued.body.id}/rotate`, { overlapMinutes: 60, reason })).body
  assert.equal(rotated.replaces, issued.body.id)
  const { body } = await manager.get(`/partners/${code}`)
  const find = (id: string) => body.keys.find((key: { id: string }) => key.id === id)
  assert.deepEqual([find(rotated.id).scopes, find(rotated.id).label], [['giftcards:read'], 'web'])
  assert.ok(find(rotated.id).expiresAt, 'as long a life as the old one had')
  assert.ok(find(issued.body.id).revokedAt > body.now, 'the old one works on for an hour')
  assert.ok(!JSON.stringify(body).includes(issued.body.key))
  assert.equal((await manager.post(`/keys/${rotated.id}/revoke`, { afterMinutes: 0, reason })).status, 200)
  const over = await manager.post(`/keys/${rotated.id}/rotate`, { overlapMinutes: 0, reason })
  assert.equal(over.body.errors[0].detail, 'key_ended')
  const bad = await manager.post(`/partners/${code}/keys`, { ...wanted, networks: ['nowhere'] })
  assert.equal(bad.body.errors[0].detail, 'network_invalid')
})

test("a partner's terms, its templates and its key pattern; a new partner with its first key", async () => {
  const path = `/partners/${code}/terms`
  const changed = await admin.post(path, {
    changes: { amountMax: 500_000, networks: ['10.0.0.0/8'] },
    reason,
  })
  assert.deepEqual([changed.status, changed.body.amountMax, changed.body.waiting], [200, 500_000, false])
  assert.equal(
    (await admin.post(path, { changes: { validityMonths: 3 }, reason })).body.errors[0].detail,
    'validity_too_short',
  )
  assert.equal((await manager.post(path, { changes: { amountMax: 1 }, reason })).status, 403)
  const template = { provider: 'solapi', purpose: 'gift', language: 'ko', version: 2, templateId: 'KA01TP1' }
  assert.ok((await admin.post(`/partners/${code}/templates`, template)).status < 300)
  const { body } = await admin.get(`/partners/${code}`)
  assert.deepEqual(body.templates, [{ ...template, partner: code }])
  assert.deepEqual(body.months.length, 1)
  assert.equal(body.owed, body.months[0].issued)
  const what = body.timeline.events.map((event: { what: string }) => event.what)
  for (const word of ['partner.add', 'partner.set', 'key.issue', 'template.set'])
    assert.ok(what.includes(word), word)

  const tested = async (keyPattern: string | null, key: string) =>
    (await admin.post('/partners/test-key-pattern', { keyFormat: 'custom', keyPattern, key })).body.why
  assert.equal(await tested('[a-z]{3}', 'abc'), null)
  assert.equal(await tested('[a-z]{3}', 'abcd'), 'no_match')
  assert.equal(await tested('(a)\\1', 'aa'), 'pattern_invalid')
  // A pattern may take long to compile, and nothing else is done meanwhile: a person tries one a second.
  const developer = await service.consoleAs('partner_developer', { partner })
  const slow = { keyFormat: 'custom', keyPattern: '(a{9}){99}'.repeat(20), key: 'a' }
  const tries = await Promise.all(
    Array.from({ length: 30 }, () => developer.post('/partners/test-key-pattern', slow)),
  )
  assert.ok(tries.some(({ status }) => status === 429))

  const made = await admin.post('/partners', {
    code: 'new-shop',
    terms: { name: '새상점', creditLimit: 1_000_000 },
  })
  assert.equal(made.status, 200, made.text)
  assert.match(made.body.key, /^ik_test_/)
  assert.equal((await admin.get('/partners/new-shop')).body.creditLimit, 1_000_000)
  const twice = await admin.post('/partners', { code: 'new-shop', terms: { name: '새상점' } })
  assert.equal(twice.body.errors[0].detail, 'partner_exists')
})

const browserOf = (role: Role) => roles.find(([one]) => one === role)![1]

interface Event {
  what: string
  by: string | null
  from: { name: string; value: string }[]
  details: { name: string; value: string }[]
  object: unknown
}
const eventsOf = async (browser: StaffBrowser, path: string, what: string): Promise<Event[]> =>
  (await browser.get(path)).body.timeline.events.filter((event: Event) => event.what === what)
const detail = (event: Event, name: string) => event.details.find((one) => one.name === name)?.value

test('what a person typed, and from where, is for those who may act on the object', async () => {
  const { giftId } = await buy(20_000)
  await admin.post(`/cards/${giftId}/void`, { reason })
  await admin.post(`/users/${linkId}/suspend`, { reason })
  await admin.post(`/users/${linkId}/resume`, { reason })
  await admin.post(`/partners/${code}/terms`, { changes: { rateLimit: 900 }, reason })
  await admin.post(`/members/${memberId}/end-sessions`, { reason })
  const readers: [path: string, what: string, readers: Role[]][] = [
    [`/cards/${giftId}`, 'card.void', ['admin', 'support']],
    [`/users/${linkId}`, 'user.suspend', ['admin', 'support']],
    [`/members/${memberId}`, 'member.end_sessions', ['admin', 'support']],
    [`/partners/${code}`, 'partner.set', ['admin', 'finance']],
  ]
  for (const [path, what, mayRead] of readers) {
    for (const [role, browser] of roles) {
      if (role.startsWith('partner_') && path.startsWith('/members')) continue
      const [event] = await eventsOf(browser, path, what)
      assert.ok(event, `${role}: ${path} ${what}`)
      const isReader = mayRead.includes(role)
      assert.equal(detail(event, 'reason'), isReader ? reason : undefined, `${role}: ${path}`)
      assert.equal(event.from.length > 0, isReader, `${role}: ${path}`)
      if (!isReader) assert.ok(!(await browser.get(path)).text.includes(reason), `${role}: ${path}`)
    }
  }
})

test('a partner is suspended and resumed, and its timeline says what changed', async () => {
  const path = `/partners/${code}/terms`
  const purchase = () => partner.buy({ phoneNumber: person.mdn, amount: 10_000 })
  for (const [role, browser] of roles) {
    if (role === 'admin' || role === 'finance') continue
    assert.equal((await browser.post(path, { changes: { status: 'suspended' }, reason })).status, 403, role)
  }
  const stopped = await browserOf('finance').post(path, { changes: { status: 'suspended' }, reason })
  assert.deepEqual([stopped.body.status, stopped.body.waiting], ['suspended', false])
  // A process trusts what it has read of a partner for two seconds.
  await until(async () => (await purchase()).status === 403)
  const [event] = await eventsOf(admin, `/partners/${code}`, 'partner.set')
  assert.equal(detail(event!, 'status'), 'active → suspended')
  assert.equal((await admin.post(path, { changes: { status: 'active' }, reason })).body.status, 'active')
  await until(async () => (await purchase()).status === 200)
})

test("a partner's payment is booked and reversed by two people each", async () => {
  const path = `/partners/${code}/payments`
  const { owed } = (await admin.get(`/partners/${code}`)).body
  const wish = { amount: 10_000, reference: '입금 1', prepay: false, reason }
  for (const [role, browser] of roles) {
    if (role !== 'admin' && role !== 'finance')
      assert.equal((await browser.post(path, wish)).status, 403, role)
  }
  const stale = await service.consoleAs('finance', { fresh: false })
  assert.equal((await stale.post(path, wish)).body.code, 'proof_required')
  const refusalOf = async (body: object) => (await admin.post(path, body)).body.errors[0].detail
  assert.equal((await admin.post(path, { ...wish, amount: 1.5 })).status, 400)
  assert.equal(await refusalOf({ ...wish, amount: owed + 1 }), 'more_than_owed')
  assert.equal(await refusalOf({ ...wish, reference: '\u0007' }), 'reference_invalid')
  const asked = await admin.post(path, wish)
  assert.deepEqual([asked.status, asked.body.waiting], [200, true], asked.text)
  assert.deepEqual((await admin.post(path, wish)).body, asked.body)
  assert.equal(await refusalOf({ ...wish, amount: 1 }), 'reference_waits')
  const page = (await admin.get(`/partners/${code}`)).body
  assert.deepEqual(
    [page.owed, page.waiting[0].id, page.waiting[0].kind],
    [owed, asked.body.requestId, 'payment'],
  )
  const approved = await browserOf('finance').post(`/approvals/${asked.body.requestId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  const booked = (await admin.get(`/partners/${code}`)).body
  assert.deepEqual([booked.owed, booked.payments[0].reference], [owed - 10_000, '입금 1'])
  assert.deepEqual((await admin.post(path, wish)).body, { waiting: false, requestId: null })

  const back = { reference: '입금 1', reason }
  assert.equal((await admin.post(`${path}/reverse`, { ...back, reference: '입금 2' })).status, 404)
  const reversal = (await admin.post(`${path}/reverse`, back)).body
  assert.ok(reversal.waiting)
  await browserOf('finance').post(`/approvals/${reversal.requestId}/approve`, {})
  const after = (await admin.get(`/partners/${code}`)).body
  assert.equal(after.owed, owed)
  assert.ok(after.payments[0].reversedAt)
  const [request] = await eventsOf(admin, `/partners/${code}`, 'partner.payment.reversal.request')
  assert.equal(detail(request!, 'request'), reversal.requestId)
})

test('an adjustment is asked for, approved by another, and leads to its request', async () => {
  const path = `/members/${memberId}/adjustments`
  const wish = { asset: 'deposit', amount: -1_000, reason }
  assert.equal((await browserOf('viewer').post(path, wish)).status, 403)
  const deposit = async () => (await admin.get(`/members/${memberId}`)).body.holdings[0].deposit
  const before = await deposit()
  assert.equal(
    (await admin.post(path, { ...wish, amount: -before - 1 })).body.errors[0].detail,
    'adjusted_below_zero',
  )
  assert.equal((await admin.post(path, { ...wish, amount: 0 })).body.errors[0].detail, 'amount_out_of_bounds')
  const { requestId } = (await admin.post(path, wish)).body
  assert.equal(await deposit(), before)
  const approved = await browserOf('finance').post(`/approvals/${requestId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  assert.equal(await deposit(), before - 1_000)
  const [moved] = await eventsOf(admin, `/members/${memberId}`, 'money.adjust_down')
  assert.deepEqual(moved!.object, { kind: 'request', id: requestId })
})

test('a failed message is retried from its page, whose timeline says so', async () => {
  const { giftId } = await buy(20_000)
  await markSent(service, giftId, { status: 'failed' })
  await database.pool.query(
    `update delivery set created_at = created_at - interval '2 minutes' where card_id = $1`,
    [giftId],
  )
  const { id } = await one('select id from delivery where card_id = $1 order by id', giftId)
  const done = await browserOf('support').post(`/deliveries/${id}/retry`, { reason })
  assert.equal(done.status, 200, done.text)
  const [event] = await eventsOf(admin, `/deliveries/${id}`, 'delivery.retry')
  assert.equal(event!.by, `staff:${browserOf('support').staff.email}`)
  assert.equal((await admin.post(`/deliveries/${id}/retry`, { reason })).status, 409)
})

test('a busy member costs what a new one does', async () => {
  const fresh = await addMember(service)
  const { member_id: freshId } = await one(
    'select member_id from member_account where login_id = $1',
    fresh.loginId,
  )
  await database.pool.query(
    `insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
     select gen_random_uuid(), 'grant', 'KRW', 1, g.id, a.id, service_now()
       from account a, account g, generate_series(1, 20000)
      where a.holder_id = $1 and a.asset = 'KRW' and g.kind = 'sandbox_grants' and g.asset = 'KRW'`,
    [memberId],
  )
  await database.pool.query(
    `update account set balance = balance + case when holder_id is null then -20000 else 20000 end
      where asset = 'KRW' and (kind = 'sandbox_grants' or holder_id = $1)`,
    [memberId],
  )
  const readings = watchReadings(database.pool)
  const rowsOf = async (id: string) => {
    assert.equal((await admin.get(`/members/${id}`)).status, 200)
    const taken = readings.take().flatMap(({ rows }) => Object.values(rows))
    return taken.reduce((sum, rows) => sum + rows, 0)
  }
  const quiet = await rowsOf(freshId)
  const busy = await rowsOf(memberId)
  // A page of movements and a page of events, each from two indexes, and no more of the 20,000.
  assert.ok(busy < quiet + 4_000, `${busy} rows against ${quiet}`)
})

// The last: it travels past a year, where sessions end.
test('an expired card: extended once before, quoted line by line, and refunded by two people', async () => {
  const scene = refundScene(database, partner)
  const kept = await scene.buy(40_000)
  const lost = await scene.buy(9_999)
  const path = `/cards/${lost.giftId}`
  const preview = (await admin.get(`/cards/${kept.giftId}/extension`)).body
  assert.deepEqual([preview.possible, preview.policy], [true, 'kr-2025-09'])
  assert.equal((await browserOf('finance').post(`/cards/${kept.giftId}/extend`, { reason })).status, 403)
  const extended = await browserOf('support').post(`/cards/${kept.giftId}/extend`, { reason })
  assert.deepEqual(
    [extended.body.fromDay, extended.body.toDay],
    [preview.fromDay, preview.toDay],
    extended.text,
  )
  assert.equal((await admin.get(`/cards/${kept.giftId}/extension`)).body.refusal, 'extended')
  const shown = (await admin.get(`/cards/${kept.giftId}`)).body
  assert.deepEqual([shown.extendedFrom, shown.expires], [preview.fromDay, preview.toDay])
  assert.equal((await eventsOf(manager, `/cards/${kept.giftId}`, 'card.extended')).length, 1)

  const wish = { member: member.loginId, payout: 'money' }
  const early = await admin.post(`${path}/refund-quotes`, wish)
  assert.equal(early.body.errors[0].detail, 'still_valid')
  await scene.travel(370 * 86_400)
  const support = await service.consoleAs('support')
  const finance = await service.consoleAs('finance')
  const buyer = await service.consoleAs('partner_manager', { partner })
  assert.equal((await finance.post(`${path}/refund-quotes`, wish)).status, 403)
  assert.equal((await buyer.post(`${path}/refund-quotes`, wish)).status, 403)
  assert.equal((await support.post(`${path}/refund-quotes`, { ...wish, member: 'nobody' })).status, 404)
  const { body: quote } = await support.post(`${path}/refund-quotes`, wish)
  const { quoteId, expiresAt, policyFrom: _, refundableUntil: _until, ...lines } = quote
  assert.deepEqual(lines, {
    member: { memberId, loginId: member.loginId, name: '김***비' },
    payout: 'money',
    face: 9_999,
    percent: 90,
    deduction: 999,
    total: 9_000,
    policy: 'kr-2025-09',
  })
  assert.ok(expiresAt)
  const stale = await service.consoleAs('support', { fresh: false })
  const refund = `/refund-quotes/${quoteId}/refund`
  assert.equal((await stale.post(refund, { reason })).body.code, 'proof_required')
  assert.equal((await support.post(`/refund-quotes/${orderId}/refund`, { reason })).status, 404)
  const asked = (await support.post(refund, { reason })).body
  assert.ok(asked.waiting)
  assert.equal((await support.get(path)).body.refundWaits, asked.requestId)
  assert.equal((await support.post(`/approvals/${asked.requestId}/approve`, {})).status, 403)
  const approved = await finance.post(`/approvals/${asked.requestId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  assert.deepEqual((await support.post(refund, { reason })).body, { ...asked, waiting: false })
  const { body } = await support.get(path)
  assert.deepEqual([body.refund.total, body.refund.memberId, body.refundWaits], [9_000, memberId, null])
  assert.equal((await eventsOf(support, path, 'card.refunded')).length, 1)
  // For its buyer the card is expired, and that is all.
  const mine = await buyer.get(path)
  assert.deepEqual([mine.body.status, mine.body.refund], ['expired', null])
  assert.doesNotMatch(mine.text, /card\.refund|"refund_|"kind":"refund"|refund_fees/)
  assert.ok(!mine.text.includes(memberId))
})

test('a refund policy is listed, and a new version takes two people; a gap is refused by name', async () => {
  const finance = await service.consoleAs('finance')
  const second = await service.consoleAs('admin')
  // Another test has just travelled, and the service looks at its clock every other second.
  const day = `select seoul_date(service_now())::text as day`
  const [now] = (await service.database.pool.query<{ day: string }>(day)).rows
  await until(async () => (await finance.get('/refund-policies')).body.today === now!.day)
  const { policies, today } = (await finance.get('/refund-policies')).body
  assert.deepEqual([policies[0].version, policies[0].smallPercent], ['kr-2025-09', 90])
  const plus = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString()
  const wish = { version: 'kr-next', effectiveFrom: plus(1), smallPercent: 92, reason }
  const support = await service.consoleAs('support')
  assert.equal((await support.post('/refund-policies', wish)).status, 403)
  const refusal = async (body: object) =>
    (await finance.post('/refund-policies', { ...wish, ...body })).body.errors[0].detail
  assert.equal(await refusal({ effectiveFrom: today }), 'policy_begins_too_soon')
  assert.equal(await refusal({ until: plus(9) }), 'policy_gap')
  assert.equal(await refusal({ version: policies[0].version }), 'policy_exists')
  assert.equal((await finance.post('/refund-policies', { ...wish, smallPercent: 101 })).status, 400)
  const { requestId } = (await finance.post('/refund-policies', wish)).body
  const approved = await second.post(`/approvals/${requestId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  const [newest, before] = (await finance.get('/refund-policies')).body.policies
  assert.deepEqual(newest, { ...before, version: 'kr-next', effectiveFrom: plus(1), smallPercent: 92 })
})
