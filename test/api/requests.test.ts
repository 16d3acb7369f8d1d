import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openDatabase } from '#base/db/db.ts'
import { connectionTo } from '#base/db/settings.ts'
import { createLog } from '#base/log.ts'
import { createRegistry } from '#base/metrics.ts'
import { addRequestRecordMetrics } from '#flows/requests/metrics.ts'
import { createRequestRecords } from '#flows/requests/record-requests.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import type { RequestRecord } from '#modules/requests/types.ts'
import { addMember, logIn, PASSWORD, userInfoOf } from '#test/member.ts'
import { operationsOf } from '#test/openapi.ts'
import { patiently, until } from '#test/patience.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { startPostgresProxy } from '#test/postgres-proxy.ts'
import { type Answer, BUY, call, PHONE, startService } from '#test/service.ts'

const service = await startService()
const own = await service.addPartner()
const other = await service.addPartner()
const admin = await service.consoleAs('admin')
const idOf = ({ headers }: Answer) => headers.get('x-request-id')!
const card = { phoneNumber: PHONE, amount: 10_000 }

// biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
type Row = any

const query = async (text: string, ...values: unknown[]): Promise<Row[]> =>
  (await service.database.pool.query(text, values)).rows

// Records are written behind the answers.
const recordOf = (id: string): Promise<Row> =>
  until(async () => (await query('select * from api_request where id = $1', id))[0])

async function kept(answer: Answer) {
  const { audience, method, route, status, code, reason, ...row } = await recordOf(idOf(answer))
  const told = `${audience} ${method} ${route} ${status} ${code ?? '-'} ${reason ?? '-'}`
  const { object_kind, object_id, partner_id, key_id, staff_id, member_id } = row
  const about = object_kind && `${object_kind} ${object_id}`
  return { told, about, partner: partner_id, key: key_id, staff: staff_id, member: member_id }
}

const NOBODY = { partner: null, key: null, staff: null, member: null }

test('a purchase names its card, also if it is repeated; a refused one names its cause and no card', async () => {
  const by = { ...NOBODY, partner: own.partner.id, key: own.keyId }
  const key = { 'idempotency-key': 'once' }
  const first = await own.buy(card, key)
  const again = await own.buy(card, key)
  const { giftId } = first.body.data
  for (const answer of [first, again])
    assert.deepEqual(await kept(answer), {
      told: `partner POST ${BUY} 200 - -`,
      about: `card ${giftId}`,
      ...by,
    })
  const reused = await own.buy({ ...card, amount: 20_000 }, key)
  const told = `partner POST ${BUY} 422 idempotency_key_reused key_reused`
  assert.deepEqual(await kept(reused), { told, about: null, ...by })
  const bad = await own.buy({ phoneNumber: 'hello', amount: 'much' })
  const fields = `partner POST ${BUY} 400 invalid_request #/phoneNumber #/amount`
  assert.equal((await kept(bad)).told.split(' ').toSorted().join(' '), fields.split(' ').toSorted().join(' '))
  const nobody = await call(`${service.url}${BUY}`, { method: 'POST' })
  assert.deepEqual(await kept(nobody), {
    told: `partner POST ${BUY} 401 unauthorized no_key`,
    about: null,
    ...NOBODY,
  })
  // The path named the transaction; the record names the card.
  const cancelled = await own.post(`${BUY}/${first.body.data.txId}/cancel`, { reason: 'ordered twice' })
  assert.equal((await kept(cancelled)).about, `card ${giftId}`)
  // A number that is nobody's, and what stood in the path, stay out.
  const absent = await own.post(`${BUY}/12345/resend`, undefined)
  assert.deepEqual(await kept(absent), {
    told: `partner POST ${BUY}/:giftUUID/resend 404 not_found -`,
    about: null,
    ...by,
  })
})

test("a partner's user is what a signup, a hash key and a look at the assets are about", async () => {
  const { code } = own.partner
  const signup = await own.post(SIGNUP, signupOf(code, 'recorded'))
  const [{ id }] = await query('select id from partner_user where partner_key = $1', signup.body.userKey)
  const user = { partner: code, partnerKey: signup.body.userKey }
  const hash = await own.post('/v1/partners/user/hash', user)
  const assets = await own.post('/v1/partners/user/asset/gross', user)
  for (const answer of [signup, hash, assets]) {
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await kept(answer)).about, `user ${id}`)
  }
  const page = await admin.get(`/users/${id}`)
  const shown = page.body.timeline.events.filter(({ source }: Row) => source === 'request')
  assert.deepEqual(
    shown.map(({ object }: Row) => object),
    [assets, hash, signup].map((answer) => ({ kind: 'api_request', id: idOf(answer) })),
  )
})

test('what only reads is recorded if it is refused; pages and health checks never are', async () => {
  const { giftId } = (await own.buy(card)).body.data
  const read = await own.get(`${BUY}/${giftId}`)
  const absent = await own.get(`${BUY}/01900000-0000-7000-8000-000000000000`)
  const health = await call(`${service.url}/healthz`)
  const page = await call(`${service.url}/no-such-page`, { headers: { accept: 'text/html' } })
  const wrong = await call(`${service.url}${BUY}`, { method: 'PATCH' })
  const path = await call(`${service.url}/v2/partner/nothing`, { method: 'POST' })
  assert.deepEqual([read.status, absent.status, wrong.status, path.status], [200, 404, 405, 404])
  const refused = await kept(absent)
  assert.equal(refused.told, `partner GET ${BUY}/:giftUUID 404 not_found -`)
  assert.equal((await kept(wrong)).told, `partner PATCH ${BUY} 405 method_not_allowed -`)
  assert.equal((await kept(path)).told, 'none POST unmatched 404 not_found -')
  // The last one was written, so the others would be there.
  const rows = await query('select id from api_request where id = any($1)', [read, health, page].map(idOf))
  assert.deepEqual(rows, [])
})

test('a path that cannot be decoded is recorded, logged and counted like every other refusal', async () => {
  const headers = { accept: 'application/problem+json' }
  const counted = /^ingot_http_request_seconds_count\{route="unmatched",method="GET",status="400"\} (\d+)$/m
  const before = Number(counted.exec((await call(`${service.url}/metrics`)).text)?.[1] ?? 0)
  for (const path of ['/%', `${BUY}/%E0%A4%A`]) {
    const broken = await call(service.url + path, { headers })
    const { type, title, ...problem } = broken.body
    assert.deepEqual(problem, { status: 400, code: 'invalid_request', requestId: idOf(broken) })
    assert.deepEqual(
      [broken.status, title, type.endsWith('/errors/invalid_request')],
      [400, 'Invalid request', true],
    )
    const told = 'none GET unmatched 400 invalid_request -'
    assert.deepEqual(await kept(broken), { told, about: null, ...NOBODY })
    const lines = service.log.filter((line) => line.includes(idOf(broken))).map((line) => JSON.parse(line))
    assert.equal(lines.length, 1)
    const { event, method, route, status, code, ms } = lines[0]
    assert.deepEqual(
      [event, method, route, status, code],
      ['request', 'GET', 'unmatched', 400, 'invalid_request'],
    )
    assert.ok(ms >= 0)
  }
  const after = Number(counted.exec((await call(`${service.url}/metrics`)).text)?.[1])
  assert.equal(after, before + 2)
})

test('every route of the three APIs is recorded for its audience', async () => {
  const documents = {
    partner: '/openapi.json',
    member: '/member/openapi.json',
    console: '/console/api/openapi.json',
  }
  for (const [audience, document] of Object.entries(documents)) {
    const { body } = await call(`${service.url}${document}`)
    const [path] = [...new Set(operationsOf(body).map((one) => one.path))].filter((one) => !one.includes('{'))
    const refused = await call(`${service.url}${path}`, { method: 'PATCH' })
    assert.equal((await kept(refused)).told, `${audience} PATCH ${path} 405 method_not_allowed -`)
  }
})

test('a card, an order and the log-in of a member name the member', async () => {
  const { browser, loginId, person } = await addMember(service)
  const [{ id: memberId }] = await query(
    'select member_id as id from member_account where login_id = $1',
    loginId,
  )
  const { giftId } = (await own.buy({ ...card, phoneNumber: person.mdn })).body.data
  const redeemed = await browser.post('/cards/redeem', { pin: await pinOf(giftId) })
  const by = { ...NOBODY, member: memberId }
  const told = 'member POST /member/cards/redeem 200 - -'
  assert.deepEqual(await kept(redeemed), { told, about: `card ${giftId}`, ...by })
  const quote = await browser.post('/quotes', { side: 'buy', metal: 'gold', won: 5_000 })
  const order = await browser.post('/orders', { quoteId: quote.body.quoteId })
  assert.equal((await kept(order)).about, `order ${order.body.orderId}`)
  const late = await browser.post('/orders', { quoteId: crypto.randomUUID() })
  const refused = 'member POST /member/orders 409 quote_expired -'
  assert.deepEqual(await kept(late), { told: refused, about: null, ...by })
  const wrong = await logIn(browser, loginId, 'another password')
  assert.equal((await kept(wrong)).told, 'member POST /member/login 401 wrong_login -')
  const right = await logIn(browser, loginId)
  assert.equal((await kept(right)).member, memberId)

  // Support finds what it was about first; the pages of both show the request.
  const support = await service.consoleAs('support')
  const { body } = await support.get(`/search?q=${idOf(order)}`)
  assert.deepEqual(
    body.hits.map(({ path }: Row) => path),
    [`/orders/${order.body.orderId}`, `/requests/${idOf(order)}`],
  )
  assert.deepEqual(
    (await support.get(`/search?q=${idOf(right)}`)).body.hits.map(({ path }: Row) => path),
    [`/members/${memberId}`, `/requests/${idOf(right)}`],
  )
  for (const path of [`/orders/${order.body.orderId}`, `/members/${memberId}`]) {
    const { events } = (await support.get(path)).body.timeline
    const found = events.filter(({ object }: Row) => object?.id === idOf(order))
    assert.deepEqual(
      found.map(({ what, by: who, details }: Row) => [what, who, details[0].value]),
      [['request.done', 'member', 'POST /member/orders']],
    )
  }
  // A partner's staff see the card, and not who registered it how.
  const manager = await service.consoleAs('partner_manager', { partner: own })
  for (const [reader, sees] of [
    [support, true],
    [manager, false],
  ] as const) {
    const { events } = (await reader.get(`/cards/${giftId}`)).body.timeline
    assert.equal(
      events.some(({ object }: Row) => object?.id === idOf(redeemed)),
      sees,
    )
    assert.equal((await reader.get(`/requests/${idOf(redeemed)}`)).status, sees ? 200 : 404)
    assert.deepEqual((await reader.get(`/search?q=${idOf(redeemed)}`)).body.hits.length, sees ? 2 : 0)
  }
})

async function pinOf(giftId: string): Promise<string> {
  const [{ pin }] = await query('select pin from gift_card where id = $1', giftId)
  return TEST_VAULT.open({ table: 'gift_card', column: 'pin', row: giftId }, pin)
}

test("the console's acts name who acted and on what; a refusal for the role does, too", async () => {
  const { giftId } = (await own.buy(card)).body.data
  const sent = await admin.post(`/cards/${giftId}/void`, { reason: 'asked for' })
  assert.equal(sent.status, 200, sent.text)
  const by = { ...NOBODY, staff: admin.staff.id }
  const told = 'console POST /console/api/cards/:cardId/void 200 - -'
  assert.deepEqual(await kept(sent), { told, about: `card ${giftId}`, ...by })
  const viewer = await service.consoleAs('viewer')
  const refused = await viewer.post(`/cards/${giftId}/void`, { reason: 'curious' })
  assert.deepEqual(await kept(refused), {
    told: 'console POST /console/api/cards/:cardId/void 403 forbidden role_missing',
    about: `card ${giftId}`,
    ...NOBODY,
    staff: viewer.staff.id,
  })
  const { body } = await admin.get(`/requests/${idOf(refused)}`)
  const { at, ms, ...page } = body
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < patiently(60_000), at)
  assert.equal(typeof ms, 'number')
  assert.deepEqual(page, {
    id: idOf(refused),
    audience: 'console',
    method: 'POST',
    route: '/console/api/cards/:cardId/void',
    status: 403,
    code: 'forbidden',
    reason: 'role_missing',
    partner: null,
    partnerName: null,
    keyId: null,
    staff: viewer.staff.email,
    memberId: null,
    object: { kind: 'card', id: giftId },
    keptDays: 30,
  })
  // A login id in a path is a person's.
  const { loginId } = await addMember(service)
  const frozen = await admin.post(`/members/${loginId}/freeze`, {})
  assert.equal((await kept(frozen)).about, null)
})

test("a partner's staff find what their partner asked, and nothing of another's", async () => {
  const mine = await own.buy(card)
  const theirs = await other.buy(card)
  // Their card, asked for by us: the request is ours, the card is not.
  const foreign = await own.post(`${BUY}/${theirs.body.data.giftId}/cancel`, { reason: 'a mistake' })
  assert.equal(foreign.status, 404)
  for (const answer of [mine, theirs, foreign]) await recordOf(idOf(answer))
  const viewer = await service.consoleAs('partner_viewer', { partner: own })
  const hitsOf = async (answer: Answer) =>
    (await viewer.get(`/search?q=${idOf(answer)}`)).body.hits.map(({ path }: Row) => path)
  const { giftId } = mine.body.data
  assert.deepEqual(await hitsOf(mine), [`/cards/${giftId}`, `/requests/${idOf(mine)}`])
  assert.deepEqual(await hitsOf(foreign), [`/requests/${idOf(foreign)}`])
  assert.deepEqual(await hitsOf(theirs), [])
  assert.equal((await viewer.get(`/requests/${idOf(theirs)}`)).status, 404)
  assert.equal((await viewer.get(`/requests/${idOf(mine)}`)).body.partner, own.partner.code)
  // Nor do the other partner's staff learn who else asked about their card.
  const others = await service.consoleAs('partner_viewer', { partner: other })
  const path = `/cards/${theirs.body.data.giftId}`
  const isSeen = ({ body }: Answer) =>
    body.timeline.events.some(({ object }: Row) => object?.id === idOf(foreign))
  assert.deepEqual([isSeen(await others.get(path)), isSeen(await admin.get(path))], [false, true])
  const { body } = await viewer.get('/search?q=req_neverseen0001')
  assert.deepEqual(body, { hits: [], list: null, isRequestId: true, requestsKeptDays: 30 })
})

test('a caller that hangs up: the record has the card that was issued all the same', async () => {
  const { partner, key } = await service.addPartner()
  const holder = await service.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from account where partner_id = $1 for update', [partner.id])
  const { hostname, port } = new URL(service.url)
  const body = JSON.stringify(card)
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST ${BUY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
  })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await query(waiting)).length > 0)
  socket.destroy()
  await until(() => service.log.some((line) => line.includes(`"${partner.code}"`)))
  await holder.query('commit')
  holder.release()
  const row = await until(
    async () => (await query('select * from api_request where partner_id = $1', partner.id))[0],
  )
  const [{ id }] = await query('select id from gift_card where partner_id = $1', partner.id)
  assert.deepEqual([row.status, row.object_kind, row.object_id], [499, 'card', id])
})

const lost = async (why: string) => {
  const { text } = await call(`${service.url}/metrics`)
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`ingot_request_records_lost_total{why="${why}"}`))
  return Number(line?.split(' ')[1] ?? 0)
}

test('a flood without a key leaves a bounded number of records, and the rest is counted', async () => {
  const before = await lost('flood')
  const flood = await Promise.all(
    Array.from({ length: 400 }, () => call(`${service.url}${BUY}`, { method: 'POST' })),
  )
  const bought = await own.buy(card)
  assert.ok(bought.status === 200)
  await recordOf(idOf(bought))
  const [{ count }] = await query('select count(*)::int from api_request where id = any($1)', flood.map(idOf))
  assert.ok(count <= 400 && count < 300, `${count} of 400 were kept`)
  assert.equal((await lost('flood')) - before, 400 - count)
})

test('records are forgotten after thirty days, in chunks', async () => {
  await query(
    `insert into api_request (id, at, audience, method, route, status, ms)
     select 'req_old' || n, service_now() - interval '30 days' - interval '1 minute', 'partner', 'POST', '/x', 200, 1
       from generate_series(1, 5001) n
     union all select 'req_young', service_now() - interval '30 days' + interval '1 hour', 'partner', 'POST', '/x', 200, 1`,
  )
  await forgetOldLogins({ database: service.database, log: createLog('silent') })
  const rows = await query(`select id from api_request where id like 'req\\_old%' or id = 'req_young'`)
  assert.deepEqual(rows, [{ id: 'req_young' }])
})

test("a member's file has their requests, and erasure deletes them", async () => {
  const { browser, loginId, person } = await addMember(service)
  const [{ id }] = await query('select member_id as id from member_account where login_id = $1', loginId)
  const link = await own.post(SIGNUP, signupOf(own.partner.code, 'erased', { userInfo: userInfoOf(person) }))
  const asked = await browser.post('/quotes', { side: 'buy', metal: 'gold', won: 5_000 })
  const found = await admin.post(`/members/${id}/reveal`, { reason: 'asked by phone' })
  for (const answer of [link, asked, found]) await recordOf(idOf(answer))
  const file = await admin.post(`/members/${id}/export`, { reason: 'asked in writing' })
  const section = JSON.parse(file.body.content).sections.find(({ name }: Row) => name === 'api_request')
  const rows = section.rows as Row[]
  assert.ok(
    rows.some((row) => row.id === idOf(asked) && row.route === '/member/quotes'),
    file.text,
  )
  assert.ok(rows.some((row) => row.id === idOf(found) && row.staffId === undefined))
  await recordOf(idOf(file))
  const closed = await browser.post('/close', { password: PASSWORD, waive: false, erase: true })
  assert.equal(closed.status, 204, closed.text)
  const left = await query(
    `select id from api_request where id = any($1) order by id`,
    [link, asked, found, file].map(idOf),
  )
  // What the partner asked about its own user goes with its time.
  assert.deepEqual(left, [{ id: idOf(link) }])
})

const RECORD: Omit<RequestRecord, 'id' | 'receivedAt'> = {
  audience: 'partner',
  method: 'POST',
  route: BUY,
  status: 200,
  code: null,
  reason: null,
  ms: 3,
  partnerId: own.partner.id,
  keyId: own.keyId,
  staffId: null,
  memberId: null,
  object: null,
}

test('a name that the caller chose is told to the caller and not kept, and no record of others is lost by it', async () => {
  const bought = await own.buy(card)
  const wrong = await admin.get(`/lists/cards?${encodeURIComponent('홍길동')}=1`)
  assert.deepEqual(Object.keys(wrong.body.errors[0]).sort(), ['detail', 'parameter'])
  assert.equal(wrong.body.errors[0].parameter, '홍길동')
  assert.match((await kept(wrong)).told, /400 invalid_request unknown_field$/)
  assert.equal((await kept(bought)).about, `card ${bought.body.data.giftId}`)
  assert.ok(!service.log.join('').includes('홍길동'))
})

test('while the database is away records wait, as many as there is room for; a stop writes what is left', async () => {
  const proxy = await startPostgresProxy(service.on)
  const database = openDatabase({
    connection: connectionTo(proxy.url),
    maxConnections: 2,
    onIdleError: () => {},
  })
  const registry = createRegistry()
  const failures: unknown[] = []
  const records = createRequestRecords({
    database,
    metrics: addRequestRecordMetrics(registry),
    onError: (error) => failures.push(error),
  })
  let made = 0
  const ask = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      made += 1
      const id = `req_away${String(made).padStart(6, '0')}`
      records.record({ ...RECORD, id, receivedAt: performance.now() })
    }
  }
  const countKept = async () =>
    (await query(`select count(*)::int as n from api_request where id like 'req\\_away%'`))[0].n
  ask(1)
  await until(async () => (await countKept()) === 1)
  proxy.goAway()
  ask(2_500)
  await until(() => failures.length === 1)
  ask(20_000)
  proxy.comeBack()
  await until(async () => (await countKept()) > 2_500)
  ask(1)
  await records.stop()
  const metric = await registry.metrics()
  const full = Number(/why="full"\} (\d+)/.exec(metric)![1])
  assert.ok(full > 0)
  assert.equal(await countKept(), made - full)
  assert.deepEqual((await query('select id from api_request where id = $1', lastOf(made))).length, 1)
  await database.close()
})

const lastOf = (made: number) => `req_away${String(made).padStart(6, '0')}`

test('a service that stops writes what is left', async () => {
  const beside = await startService({ beside: service })
  const answers = await Promise.all(Array.from({ length: 20 }, () => own.at(beside).buy(card)))
  await beside.stop()
  const rows = await query('select id from api_request where id = any($1)', answers.map(idOf))
  assert.equal(rows.length, 20)
})
