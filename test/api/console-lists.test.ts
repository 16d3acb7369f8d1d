import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { LISTS } from '#flows/lists/all-lists.ts'
import { createExportList } from '#flows/lists/export-list.ts'
import { LIST_NAMES, type ListName } from '#flows/lists/list-types.ts'
import type { Viewer } from '#flows/lists/open-reading.ts'
import { createLists, PAGE_SIZE } from '#flows/lists/read-lists.ts'
import { insertNotice } from '#modules/deliveries/notices/store.ts'
import { isPartnerRole, ROLES } from '#modules/staff/permissions.ts'
import { markSent } from '#test/deliveries.ts'
import { assertHides } from '#test/hidden.ts'
import { addMember, userInfoOf } from '#test/member.ts'
import { until } from '#test/patience.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { type Answer, BUY, startService, type TestPartner } from '#test/service.ts'
import { loadScale, settle } from '../../bench/scale/load.ts'

const CARDS = 260
const MEMBERS = 120
const OPERATOR: Viewer = { actor: 'test', partnerId: null }

const service = await startService()
const partners = [await service.addPartner(), await service.addPartner(), await service.addPartner()]
const partnerCodes = partners.map(({ partner }) => partner.code)
const load = { firstCard: 1, cards: CARDS, firstMember: 1, members: MEMBERS, passwordHash: '$argon2id$' }
await loadScale(service.on.connection, { ...load, partnerCodes }, () => {})
await settle(service.on.connection, () => {})
const keys = await openVaultKeeper(service.database, TEST_RING_STORE)
// Beside what was loaded, whose sealed values are noise: people and cards as the service writes them.
const PHONE = '010-7777-0001'
const bought = (await partners[0]!.buy({ phoneNumber: PHONE, amount: 37_000 })).body.data
const member = await addMember(service)
const user = await addPartnerUser(member.person)
await markSent(service, bought.giftId, { channel: 'text', status: 'failed', secondsAgo: 60 })
const { rows: planted } = await service.database.pool.query(
  `select id, reason from delivery where card_id = $1 and status = 'failed'`,
  [bought.giftId],
)
await service.database.pool.query(
  `insert into audit_entry (actor, action, subject, details)
   select 'staff:a@ingot.test', 'card.void', '=subject-' || n % 7, '{}' from generate_series(1, 120) n`,
)
const { rows: accounts } = await service.database.pool.query(
  'select id from member_account where login_id = $1',
  [member.loginId],
)
await service.database.withTransaction(async (tx) => {
  for (let n = 0; n < 55; n += 1) {
    await insertNotice(tx, keys.vault(), {
      key: crypto.randomUUID(),
      accountId: accounts[0].id,
      purpose: n % 2 === 0 ? 'new_device' : 'password',
      actId: null,
      language: 'ko',
      to: '+821077770001',
      values: { device: 'Chrome' },
    })
  }
})
const lists = createLists({ database: service.database, keys })
const exportList = createExportList({ database: service.database, lists })

// biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
type Row = any

// Every page in turn, as the links of the page lead.
async function walk(
  list: ListName,
  asked: Record<string, string>,
  viewer = OPERATOR,
  by = lists,
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await by.readPage(list, { ...asked, ...(cursor ? { cursor } : {}) }, viewer)
    assert.ok(page.kind === 'page')
    assert.ok(page.rows.length <= PAGE_SIZE)
    ids.push(...page.rows.map(({ id }) => id))
    cursor = page.next
  }
  return ids
}

const day = (moment: Temporal.Instant) => moment.toZonedDateTimeISO('Asia/Seoul').toPlainDate().toString()
const newest = (column: string) => (a: Row, b: Row) => compare(b[column], a[column]) || compare(b.id, a.id)
const oldest = (column: string) => (a: Row, b: Row) => newest(column)(b, a)

function compare(a: Row, b: Row): number {
  if (a instanceof Temporal.Instant) return Temporal.Instant.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

interface Case {
  list: ListName
  table: string
  asked: Record<string, string>
  holds: (row: Row) => boolean
  order: (a: Row, b: Row) => number
}

async function addPartnerUser(person: Parameters<typeof userInfoOf>[0]) {
  const { code } = partners[0]!.partner
  const told = signupOf(code, 'x', { userInfo: userInfoOf(person) })
  return (await partners[0]!.post(SIGNUP, told)).body as { userKey: string }
}

function of(list: ListName, table: string, newestFirst: string) {
  return (asked: Case['asked'], holds: Case['holds'], order = newest(newestFirst)): Case => ({
    list,
    table,
    asked,
    holds,
    order,
  })
}

async function cardCases(): Promise<Case[]> {
  const [first, , third] = partners.map(({ partner }) => partner)
  const { rows } = await service.database.pool.query('select * from gift_card order by issued_at')
  const middle = rows[rows.length >> 1]
  const [from, to] = [day(rows[60].issued_at), day(rows[150].issued_at)]
  const between = (moment: Temporal.Instant | null) =>
    moment !== null && day(moment) >= from && day(moment) <= to
  const cards = of('cards', 'gift_card', 'issued_at')
  return [
    cards({}, () => true),
    cards({ sort: 'issued' }, () => true, oldest('issued_at')),
    cards({ partner: first!.code }, (c) => c.partner_id === first!.id),
    cards({ partner: third!.code.toUpperCase() }, (c) => c.partner_id === third!.id),
    cards({ status: 'used' }, (c) => c.status === 'used'),
    cards({ status: 'voided,expired' }, (c) => c.status === 'voided' || c.status === 'expired'),
    cards({ amount: String(middle.amount) }, (c) => c.amount === middle.amount),
    cards({ amount: '10000..50000' }, (c) => c.amount >= 10_000n && c.amount <= 50_000n),
    cards({ amount: '..30,000' }, (c) => c.amount <= 30_000n),
    cards({ issued: `${from}..${to}` }, (c) => between(c.issued_at)),
    cards({ issued: `${to}..` }, (c) => day(c.issued_at) >= to),
    cards({ issued: from }, (c) => day(c.issued_at) === from),
    cards({ expires: `..${middle.expires_on}` }, (c) => c.expires_on <= middle.expires_on),
    cards(
      { expires: `${middle.expires_on}..`, status: 'issued' },
      (c) => c.expires_on >= middle.expires_on && c.status === 'issued',
      oldest('expires_on'),
    ),
    cards(
      { status: 'issued', sort: '-expires', amount: '20000..' },
      (c) => c.status === 'issued' && c.amount >= 20_000n,
      newest('expires_on'),
    ),
    cards({ used: `${from}..${to}` }, (c) => between(c.used_at), newest('used_at')),
    cards(
      { status: 'used', sort: 'used', partner: first!.code },
      (c) => c.status === 'used' && c.partner_id === first!.id,
      oldest('used_at'),
    ),
    cards(
      { status: 'voided', voided: `${from}..` },
      (c) => c.voided_at && day(c.voided_at) >= from,
      newest('voided_at'),
    ),
    cards({ expired: `..${to}` }, (c) => c.expired_at && day(c.expired_at) <= to, newest('expired_at')),
    cards(
      { status: 'voided', sort: 'voided', partner: first!.code },
      (c) => c.status === 'voided' && c.partner_id === first!.id,
      oldest('voided_at'),
    ),
    cards({ phone: '+82 10 7777 0001' }, (c) => c.id === bought.giftId),
    cards(
      { partner: first!.code, status: 'used', amount: '..50000', issued: `${from}..` },
      (c) =>
        c.partner_id === first!.id && c.status === 'used' && c.amount <= 50_000n && day(c.issued_at) >= from,
    ),
  ]
}

async function peopleCases(): Promise<Case[]> {
  const [first] = partners.map(({ partner }) => partner)
  const { pool } = service.database
  const all = async (text: string) => (await pool.query(text)).rows
  const accounts = await all('select * from member_account')
  const links = await all('select * from partner_user')
  const account = (m: Row) => accounts.filter((a) => a.member_id === m.id)
  const isOpen = (m: Row) => account(m).some((a) => a.closed_at === null)
  const members = of('members', 'member', 'created_at')
  const users = of('users', 'partner_user', 'registered_at')
  const joined = day(
    (await all('select created_at from member order by created_at offset 40 limit 1'))[0].created_at,
  )
  const { rows: own } = await pool.query('select member_id from member_account where login_id = $1', [
    member.loginId,
  ])
  const isOwn = (m: Row) => m.id === own[0].member_id
  const ofUser = (u: Row) => u.partner_key === user.userKey
  return [
    members({}, () => true),
    members({ account: 'open' }, isOpen),
    members({ account: 'none,closed' }, (m) => !isOpen(m)),
    members({ joined: `..${joined}` }, (m) => day(m.created_at) <= joined),
    members({ partner: first!.code }, (m) =>
      links.some((u) => u.member_id === m.id && u.partner_id === first!.id),
    ),
    members({ login: member.loginId.toUpperCase() }, isOwn),
    members({ phone: member.person.mdn }, isOwn),
    members({ name: member.person.name, account: 'open' }, isOwn),
    members({ frozen: 'yes' }, () => false),
    members({ frozen: 'no' }, () => true),
    users({}, () => true),
    users({ sort: 'registered' }, () => true, oldest('registered_at')),
    users({ partner: first!.code }, (u) => u.partner_id === first!.id),
    users({ status: 'active', confirmed: 'yes' }, (u) => u.status === 'active' && u.confirmed),
    users({ status: 'suspended,frozen' }, (u) => u.status === 'suspended' || u.status === 'frozen'),
    users({ registered: `${joined}..` }, (u) => day(u.registered_at) >= joined),
    users({ key: user.userKey }, ofUser),
    users({ phone: member.person.mdn }, ofUser),
    users({ name: member.person.name }, ofUser),
  ]
}

async function otherCases(): Promise<Case[]> {
  const [first, , third] = partners.map(({ partner }) => partner)
  const { pool } = service.database
  const all = async (text: string) => (await pool.query(text)).rows
  const cards = new Map((await all('select id, partner_id from gift_card')).map((c) => [c.id, c.partner_id]))
  const created = day(
    (await all('select created_at from delivery order by id offset 200 limit 1'))[0].created_at,
  )
  const traded = await all('select * from trade_order order by at')
  const [order] = traded
  const drawn = await all('select * from withdrawal order by requested_at')
  const deliveries = of('deliveries', 'delivery', 'id')
  const orders = of('orders', 'trade_order', 'at')
  const withdrawals = of('withdrawals', 'withdrawal', 'requested_at')
  const audit = of('audit', 'audit_entry', 'at')
  const notices = of('notices', 'notice', 'id')
  const told = await all('select * from notice')
  const { rows: own } = await pool.query('select id, member_id from member_account where login_id = $1', [
    member.loginId,
  ])
  return [
    deliveries({}, () => true),
    deliveries({ status: 'failed' }, (d) => d.status === 'failed'),
    deliveries({ status: 'queued,accepted' }, (d) => d.status === 'queued' || d.status === 'accepted'),
    deliveries(
      { status: 'delivered,failed', channel: 'text' },
      (d) => /^(delivered|failed)$/.test(d.status) && d.channel === 'text',
    ),
    deliveries({ partner: third!.code }, (d) => cards.get(d.card_id) === third!.id),
    deliveries({ created }, (d) => day(d.created_at) === created),
    deliveries(
      { created: `..${created}`, purpose: 'gift' },
      (d) => day(d.created_at) <= created && d.purpose === 'gift',
    ),
    deliveries(
      { created: `${created}..`, sort: 'created' },
      (d) => day(d.created_at) >= created,
      oldest('id'),
    ),
    deliveries({ reason: planted[0].reason }, (d) => d.reason === planted[0].reason),
    deliveries({ card: bought.giftId, provider: 'nobody' }, () => false),
    deliveries({ card: bought.giftId }, (d) => d.card_id === bought.giftId),
    orders({}, () => true),
    orders({ side: 'buy', metal: 'XAU' }, (o) => o.side === 'buy' && o.metal === 'XAU'),
    orders({ total: `..${order.total}` }, (o) => o.total <= order.total),
    orders({ at: `${day(order.at)}..`, sort: 'at' }, () => true, oldest('at')),
    orders({ member: order.holder_id }, (o) => o.holder_id === order.holder_id),
    withdrawals({}, () => true),
    withdrawals({ status: 'paid' }, (w) => w.status === 'paid'),
    withdrawals({ status: 'requested,approved' }, (w) => w.status === 'requested' || w.status === 'approved'),
    withdrawals({ amount: '1..', bank: drawn[0].bank }, (w) => w.bank === drawn[0].bank),
    withdrawals(
      { requested: `..${day(drawn[0].requested_at)}` },
      (w) => day(w.requested_at) <= day(drawn[0].requested_at),
    ),
    withdrawals({ member: drawn[0].holder_id }, (w) => w.holder_id === drawn[0].holder_id),
    notices({}, () => true),
    notices(
      { status: 'queued', purpose: 'new_device' },
      (n) => n.status === 'queued' && n.purpose === 'new_device',
    ),
    notices({ created: `${day(told.at(-1)!.created_at)}..` }, () => true),
    notices({ member: own[0].member_id }, (n) => n.account_id === own[0].id),
    notices({ reason: 'nothing' }, () => false),
    audit({ action: 'card.void' }, (e) => e.action === 'card.void'),
    audit({ actor: 'staff:a@ingot.test', action: 'card.void' }, (e) => e.actor === 'staff:a@ingot.test'),
    audit({ subject: '=subject-3' }, (e) => e.subject === '=subject-3'),
    audit(
      { actor: 'staff:a@ingot.test', subject: '=subject-3', action: 'card.void' },
      (e) => e.subject === '=subject-3',
    ),
    audit({ at: '2000-01-01..2001-01-01' }, () => false),
    audit({ subject: first!.code, sort: 'at' }, (e) => e.subject === first!.code, oldest('at')),
  ]
}

test('pages, figures and exports are what a plain filter over all rows gives', async () => {
  const tables = new Map<string, Row[]>()
  for (const { list, table, asked, holds, order } of [
    ...(await cardCases()),
    ...(await peopleCases()),
    ...(await otherCases()),
  ]) {
    if (!tables.has(table))
      tables.set(table, (await service.database.pool.query(`select * from ${table}`)).rows)
    const matching = tables.get(table)!.filter(holds).sort(order)
    const expected = matching.map(({ id }) => String(id))
    const what = `${list} ${JSON.stringify(asked)}`
    // A search for people is itself an entry of the audit log, and these are not asked for.
    assert.deepEqual(await walk(list, asked), expected, what)
    const figure = await lists.readFigure(list, asked, OPERATOR)
    const exact = await lists.readExactFigure(list, asked, OPERATOR)
    assert.ok(figure.kind === 'figure' && exact !== 'too_long' && exact.kind === 'figure')
    const column = LISTS[list].sum?.column
    const sum = column ? matching.reduce((won, row) => won + row[column], 0n) : null
    assert.deepEqual([figure.count, figure.sum, figure.isWhole], [expected.length, sum, true], what)
    assert.deepEqual([exact.count, exact.sum], [expected.length, sum], what)
    const file = await exportOf(list, asked)
    assert.equal(file.at(-1), `End of file: all ${expected.length} rows`, what)
    assert.equal(file.length, expected.length + 2, what)
  }
})

async function exportOf(list: ListName, asked: Record<string, string>): Promise<string[]> {
  const file = await exportList({ list, asked, viewer: OPERATOR, format: 'csv', language: 'en' })
  assert.ok(typeof file === 'object' && !('kind' in file))
  const text = Buffer.concat(await Array.fromAsync(file)).toString()
  assert.ok(text.startsWith('\uFEFF') && text.endsWith('\r\n'))
  return text.slice(1).split('\r\n').slice(0, -1)
}

test('going back page by page gives the same rows, and ends at the first page', async () => {
  const forward: string[][] = []
  let page = await pageOf({})
  for (;;) {
    forward.push(page.rows.map(({ id }) => id))
    if (page.next === null) break
    page = await pageOf({ cursor: page.next })
  }
  assert.ok(forward.length > 3)
  for (const expected of forward.slice(0, -1).reverse()) {
    page = await pageOf({ cursor: page.previous! })
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      expected,
    )
  }
  assert.equal(page.previous, null)
})

async function pageOf(asked: Record<string, string>) {
  const page = await lists.readPage('cards', asked, OPERATOR)
  assert.ok(page.kind === 'page')
  return page
}

test('while rows are written, no row comes twice and none that was there is left out', async () => {
  const { rows } = await service.database.pool.query('select id from gift_card')
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await pageOf(cursor ? { cursor } : {})
    seen.push(...page.rows.map(({ id }) => id))
    cursor = page.next
    const { status } = await partners[1]!.buy({ phoneNumber: PHONE, amount: 10_000 })
    assert.equal(status, 200)
    const { body } = await partners[0]!.buy({ phoneNumber: PHONE, amount: 10_000 })
    assert.equal(
      (await partners[0]!.post(`${BUY}/${body.data.giftId}/cancel`, { reason: 'test' })).status,
      200,
    )
  }
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(new Set(rows.map(({ id }) => id)).difference(new Set(seen)), new Set())
})

test('a page that looks at rows one by one stops in time, says how far it looked, and goes on from there', async () => {
  const slow = createLists({ database: service.database, keys, lookAt: 7 }, 0)
  for (const [list, asked] of [
    ['members', { account: 'none,closed' }],
    ['users', { confirmed: 'yes' }],
    ['deliveries', { status: 'delivered,failed', channel: 'text' }],
    ['cards', { expires: '..2027-06-01' }],
    // Decided inside the index.
    ['cards', { status: 'voided' }],
    ['cards', { amount: '1..2', partner: partnerCodes[0]! }],
    ['orders', { side: 'sell', total: '1..' }],
  ] as const) {
    const first = await slow.readPage(list, asked, OPERATOR)
    assert.ok(first.kind === 'page' && first.lookedTo !== null && first.next !== null)
    const figure = await slow.readFigure(list, asked, OPERATOR)
    assert.ok(figure.kind === 'figure' && !figure.isWhole && figure.sum === null)
    assert.deepEqual(await walk(list, asked, OPERATOR, slow), await walk(list, asked))
  }
})

const WRONG: [list: string, query: string, field: string][] = [
  ['cards', 'colour=red', 'colour'],
  ['cards', 'status=red', 'status'],
  ['cards', 'status=used,', 'status'],
  ['cards', 'amount=-1', 'amount'],
  ['cards', 'amount=50000..10000', 'amount'],
  ['cards', 'amount=1e5', 'amount'],
  ['cards', 'amount=..', 'amount'],
  ['cards', 'issued=2026-02-30', 'issued'],
  ['cards', 'issued=2026-11-02..2026-11-01', 'issued'],
  ['cards', 'issued=2026-11-01..2026-11-02..2026-11-03', 'issued'],
  ['cards', 'issued=yesterday', 'issued'],
  ['cards', 'partner=nobody', 'partner'],
  ['cards', 'phone=%00', 'phone'],
  ['cards', 'sort=amount', 'sort'],
  ['cards', 'sort=expires', 'sort'],
  ['cards', 'sort=toString', 'sort'],
  ['cards', '__proto__=x', '__proto__'],
  ['cards', 'cursor=after', 'cursor'],
  ['cards', `cursor=after~2026-99-99T00:00:00Z~${crypto.randomUUID()}`, 'cursor'],
  ['cards', 'cursor=after~2026-11-01T00:00:00Z~x', 'cursor'],
  [
    'cards',
    'status=issued&sort=expires&cursor=after~2026-02-30~00000000-0000-0000-0000-000000000000',
    'cursor',
  ],
  ['deliveries', 'cursor=after~99999999999999999999', 'cursor'],
  ['cards', 'status=used&status=issued', 'status'],
]

test('a wrong filter is refused by name, on the page, the figure and the export', async () => {
  for (const [list, query, field] of WRONG) {
    const admin = await service.consoleAs('admin')
    for (const path of ['', '/figure', '/export']) {
      if (path === '/figure' && /sort=|cursor=/.test(query)) continue
      if (path === '/export' && /cursor=/.test(query)) continue
      const end = path === '/export' ? '&format=csv' : ''
      const answer = await admin.get(`/lists/${list}${path}?${query}${end}`)
      assert.equal(answer.status, 400, `${path} ${query} ${answer.text}`)
      assert.equal(answer.body.errors?.[0]?.parameter, field, `${path} ${query} ${answer.text}`)
    }
  }
})

test('every role gets people masked, in every list, figure and export', async () => {
  const { person } = member
  const secrets = [person.name, person.mdn, person.birthday, PHONE.replaceAll('-', ''), PHONE]
  for (const role of ROLES) {
    const options = isPartnerRole(role) ? { partner: partners[0]! } : {}
    const browser = await service.consoleAs(role, options)
    let answered = 0
    for (const list of LIST_NAMES) {
      for (const path of ['', '/export?format=csv', '/export?format=csv&lang=en']) {
        const answer = await browser.get(`/lists/${list}${path}`)
        if (answer.status === 403) continue
        assert.equal(answer.status, 200, `${role} ${list}${path} ${answer.text}`)
        answered += 1
        assertHides(answer.text, secrets, `${role} ${list}${path}`)
      }
    }
    assert.ok(answered >= 3, role)
  }
})

test("a partner's staff see their own rows only, whatever the filter or the cursor says", async () => {
  const [own, other] = partners as [TestPartner, TestPartner]
  const browser = await service.consoleAs('partner_manager', { partner: own })
  const viewer = { actor: 'test', partnerId: own.partner.id }
  const { rows } = await service.database.pool.query('select id from gift_card where partner_id = $1', [
    own.partner.id,
  ])
  assert.deepEqual(new Set(await walk('cards', {}, viewer)), new Set(rows.map(({ id }) => id)))
  const { rows: sent } = await service.database.pool.query(
    'select d.id from delivery d join gift_card c on c.id = d.card_id where c.partner_id = $1',
    [own.partner.id],
  )
  assert.deepEqual(new Set(await walk('deliveries', {}, viewer)), new Set(sent.map(({ id }) => String(id))))
  // Another partner's code is no code at all.
  const foreign = await browser.get(`/lists/cards?partner=${other.partner.code}`)
  const nobody = await browser.get('/lists/cards?partner=nobody')
  assert.deepEqual([foreign.status, nobody.status], [400, 400])
  assert.deepEqual(foreign.body.errors, nobody.body.errors)
  for (const list of ['members', 'orders', 'withdrawals', 'audit'])
    for (const path of ['', '/figure', '/export?format=csv'])
      assert.equal((await browser.get(`/lists/${list}${path}`)).status, 403, list)
  const users = await browser.get('/lists/users/export?format=csv&lang=en')
  assert.ok(!users.text.includes('Member id'))
})

test("that a member is frozen is not told to a partner's staff: not by a row, a filter, a figure or a file", async () => {
  const { rows } = await service.database.pool.query(
    `update partner_user set status = 'frozen' where partner_key = $1 returning id`,
    [user.userKey],
  )
  const manager = await service.consoleAs('partner_manager', { partner: partners[0]! })
  const admin = await service.consoleAs('admin')
  const key = `key=${user.userKey}`
  assert.match((await admin.get(`/lists/users?${key}&status=frozen`)).text, new RegExp(rows[0].id))
  assert.equal((await manager.get(`/users/${rows[0].id}`)).body.status, 'suspended')
  for (const path of ['', '/export?format=csv&lang=en', '/export?format=csv'])
    assert.doesNotMatch((await manager.get(`/lists/users${path}`)).text, /frozen|회원 정지/i, path)
  assert.doesNotMatch((await manager.get('/lists')).text, /frozen/i)
  for (const path of ['', '/figure'])
    assert.equal((await manager.get(`/lists/users${path}?status=frozen`)).status, 400)
  assert.equal((await manager.get(`/lists/users/figure?${key}&status=suspended`)).body.count, 1)
  assert.match((await manager.get(`/lists/users?${key}&status=suspended,active`)).text, /"suspended"/)
  await service.database.pool.query(`update partner_user set status = 'active' where id = $1`, [rows[0].id])
})

test('an export is in the audit log before and after, without what was typed to find a person', async () => {
  const finance = await service.consoleAs('finance')
  const query = `phone=${encodeURIComponent(PHONE)}&status=issued,voided,used`
  const { status, text, headers } = await finance.get(`/lists/cards/export?${query}&format=csv`)
  assert.equal(status, 200)
  assert.match(
    headers.get('content-disposition')!,
    /^attachment; filename="ingot-cards-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const lines = text.split('\r\n').length - 3
  await until(async () => (await entries()).length === 2)
  const [before, after] = await entries()
  assert.deepEqual([before.action, after.action], ['list.export', 'list.export_end'])
  assert.deepEqual(
    [before.details.filter, after.details.rows, after.details.complete],
    ['phone=…&status=issued,voided,used', lines, true],
  )
  async function entries() {
    const { rows } = await service.database.pool.query(
      `select action, details from audit_entry where actor = $1 and action like 'list.export%' order by id`,
      [`staff:${finance.staff.email}`],
    )
    return rows
  }
})

test('whoever looks for a person is recorded: by a page, from any cursor on, and by a figure', async () => {
  const viewer = await service.consoleAs('viewer')
  const phone = `amount=37000&phone=${encodeURIComponent(PHONE)}`
  const far = 'cursor=after~9999-12-31T00:00:00Z~ffffffff-ffff-ffff-ffff-ffffffffffff'
  for (const path of [`?${phone}`, `?${phone}&${far}`, `/figure?${phone}`, `/figure?${phone}&exact=yes`])
    assert.equal((await viewer.get(`/lists/cards${path}`)).status, 200, path)
  const { rows } = await service.database.pool.query(
    `select details from audit_entry where actor = $1 and action = 'list.search' order by id`,
    [`staff:${viewer.staff.email}`],
  )
  const page = { by: 'phone', found: [bought.giftId] }
  const figure = { by: 'phone', counted: 1 }
  assert.deepEqual(
    rows.map(({ details }) => details),
    [page, page, figure, figure],
  )
})

test('a masked number is not found by trying: a person looks for so many an hour', async () => {
  const viewer = await service.consoleAs('viewer')
  const known = `/lists/cards/figure?phone=${encodeURIComponent(PHONE)}`
  assert.equal((await viewer.get(known)).status, 200)
  let refused: Answer | undefined
  for (let tried = 1; refused === undefined; tried += 1) {
    assert.ok(tried < 100, 'nobody was stopped')
    const number = `010-${String(tried).padStart(4, '0')}-0001`
    const path = [
      `/lists/cards/figure?phone=${number}`,
      `/lists/members?phone=${number}`,
      `/search?q=${number}&people=yes`,
    ][tried % 3]!
    // A session has a limit by itself, of some a second.
    const answer = await until(async () => {
      const { status, ...rest } = await viewer.get(path)
      return (status === 200 || Number(rest.headers.get('retry-after')) > 5) && { status, ...rest }
    })
    if (answer.status === 429) refused = answer
  }
  // What names nobody is not counted, nor is the same number again.
  for (const path of ['/lists/cards', known])
    await until(async () => {
      const { status, headers } = await viewer.get(path)
      assert.ok(status === 200 || Number(headers.get('retry-after')) <= 5, path)
      return status === 200
    })
})

test('a reader who goes away, or takes nothing, keeps nobody else from exporting', async () => {
  const impatient = createExportList({ database: service.database, lists, stalledMs: 1 })
  const begin = async (actor: string, partnerId: number | null = null, by = exportList) => {
    const viewer = { actor, partnerId }
    const file = await by({ list: 'cards', asked: {}, viewer, format: 'csv', language: 'en' })
    return file === 'busy' ? file : (file as AsyncGenerator<Buffer>)
  }
  const endsOf = async (actor: string) =>
    (
      await service.database.pool.query(
        `select details from audit_entry where actor = $1 and action = 'list.export_end'`,
        [actor],
      )
    ).rows.map(({ details }) => details.complete)
  // Gone before the first byte, as when a tab is closed at once.
  for (let i = 0; i < 4; i += 1) {
    const file = await begin('gone')
    assert.ok(file !== 'busy', `the ${i + 1}. export`)
    await file.return(undefined)
  }
  assert.deepEqual(await endsOf('gone'), [false, false, false, false])

  const stalled = await begin('stalled', null, impatient)
  assert.ok(stalled !== 'busy')
  await until(async () => (await endsOf('stalled')).length === 1)
  await assert.rejects(async () => Buffer.concat(await Array.fromAsync(stalled)), /nobody took the rows/)
  assert.deepEqual(await endsOf('stalled'), [false], 'told once')

  const own = partners[0]!.partner.id
  const open = [await begin('a', own), await begin('b', own)]
  assert.equal(await begin('c', own), 'busy', "partners' staff leave room")
  open.push(await begin('d'))
  assert.equal(await begin('e'), 'busy')
  for (const file of open.splice(0)) {
    assert.ok(file !== 'busy')
    await file.return(undefined)
  }
  open.push(await begin('f'), await begin('f'))
  assert.equal(await begin('f'), 'busy', 'one person has two')
  for (const file of open) if (file !== 'busy') await file.return(undefined)
})

test('a spreadsheet has the same rows, typed, and no formula', async () => {
  const admin = await service.consoleAs('admin')
  const response = await fetch(
    `${service.url}/console/api/lists/audit/export?format=xlsx&lang=en&actor=staff:a@ingot.test`,
    {
      headers: { cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    },
  )
  const { sheets } = await readXlsx(Buffer.from(await response.arrayBuffer()))
  const [header, ...rows] = sheets[0]!.rows
  assert.deepEqual(header, ['Time', 'Actor', 'Action', 'Subject', 'Reason', ...header!.slice(5)])
  assert.equal(rows.length, 121)
  assert.match(String(rows[0]![3]), /^=subject-\d$/)
  assert.equal(rows.at(-1)![0], 'End of file: all 120 rows')
})

test('search: anything by what it is known by, for those who may read it', async () => {
  const admin = await service.consoleAs('admin')
  const { pool } = service.database
  const one = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows[0]
  const card = await one('select * from gift_card where id = $1', [bought.giftId])
  const account = await one('select * from member_account where login_id = $1', [member.loginId])
  const link = await one('select * from partner_user where partner_key = $1', [user.userKey])
  const order = await one('select id from trade_order limit 1')
  const withdrawal = await one('select id from withdrawal limit 1')
  const { code } = partners[0]!.partner
  const spaced = String(card.number).replace(/(\d{4})(?=\d)/g, '$1 ')
  const found: [q: string, path: string][] = [
    [bought.giftId, `/cards/${bought.giftId}`],
    [bought.giftId.toUpperCase(), `/cards/${bought.giftId}`],
    [bought.txId, `/cards/${bought.giftId}`],
    [String(card.number), `/cards/${bought.giftId}`],
    [spaced, `/cards/${bought.giftId}`],
    [spaced.replaceAll(' ', '-'), `/cards/${bought.giftId}`],
    [code.toUpperCase(), `/partners/${code}`],
    [partners[0]!.keyId, `/partners/${code}`],
    [partners[0]!.key, `/partners/${code}`],
    [member.loginId, `/members/${account.member_id}`],
    [account.id, `/members/${account.member_id}`],
    [account.member_id, `/members/${account.member_id}`],
    [user.userKey, `/users/${link.id}`],
    [`${code} ${user.userKey}`, `/users/${link.id}`],
    [link.id, `/users/${link.id}`],
    [order.id, `/orders/${order.id}`],
    [withdrawal.id, `/withdrawals/${withdrawal.id}`],
    [admin.staff.email, '/staff'],
  ]
  for (const [q, path] of found) {
    const { body, text } = await admin.get(`/search?q=${encodeURIComponent(q)}`)
    assert.deepEqual(
      body.hits?.map((hit: { path: string }) => hit.path),
      [path],
      `${q} ${text}`,
    )
  }
  const find = async (q: string, more = '') =>
    (await admin.get(`/search?q=${encodeURIComponent(q)}${more}`)).body
  const filters = await find('partner:hanbit-pay status:used amount:50000 issued:2026-11-01..')
  assert.deepEqual(filters.list, {
    list: 'cards',
    query: 'partner=hanbit-pay&status=used&amount=50000&issued=2026-11-01..',
  })
  assert.deepEqual((await find('회원 account:open')).list, { list: 'members', query: 'account=open' })
  assert.deepEqual((await find('audit action:card.void')).list, { list: 'audit', query: 'action=card.void' })
  assert.deepEqual((await find('50,000')).list, { list: 'cards', query: 'amount=50000' })
  assert.equal((await find('req_abcdefgh0001')).isRequestId, true)
  assert.deepEqual(await find('no such thing'), {
    hits: [],
    list: null,
    isRequestId: false,
    requestsKeptDays: 30,
  })
  // People are looked for on request, and that is recorded.
  assert.deepEqual((await find(member.person.mdn)).hits, [])
  for (const q of [member.person.mdn, member.person.name]) {
    const { hits } = await find(q, '&people=yes')
    assert.deepEqual(
      hits.map((hit: { path: string }) => hit.path),
      [`/members/${account.member_id}`],
      q,
    )
  }
  const { count } = await one(
    `select count(*)::int from audit_entry where actor = $1 and action = 'list.search' and details -> 'found' ? $2`,
    [`staff:${admin.staff.email}`, account.member_id],
  )
  assert.equal(count, 2)
  // What a role may not read, and what is another partner's, is not there.
  const developer = await service.consoleAs('partner_developer', { partner: partners[1]! })
  for (const [q] of found)
    assert.deepEqual((await developer.get(`/search?q=${encodeURIComponent(q)}&people=yes`)).body.hits, [], q)
  assert.equal((await developer.get('/search?q=members%20account:open')).body.list, null)
  const mine = await service.consoleAs('partner_viewer', { partner: partners[0]! })
  assert.equal((await mine.get(`/search?q=${bought.txId}`)).body.hits.length, 1)
})
