import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { auditList } from '#app/commands/audit.ts'
import { cardFind, cardShow } from '#app/commands/card-show.ts'
import { memberFind, memberShow } from '#app/commands/member.ts'
import { partnerShow } from '#app/commands/partner-show.ts'
import { userFind } from '#app/commands/user.ts'
import { withdrawalList } from '#app/commands/withdrawal.ts'
import { migrate, stampOf } from '#app/database/migrate.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createLog } from '#base/log.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { createReadActs, createReadHistory } from '#flows/holdings/read-history.ts'
import { LIST_NAMES, type ListName } from '#flows/lists/list-types.ts'
import type { Viewer } from '#flows/lists/open-reading.ts'
import { createLists } from '#flows/lists/read-lists.ts'
import { createSearch } from '#flows/lists/search.ts'
import { forgetOldKeys } from '#jobs/forget-old-keys.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { forgetOldQuotes } from '#jobs/forget-old-quotes.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { indexPeopleJob } from '#jobs/index-people.ts'
import { maintainCards } from '#jobs/maintain-cards.ts'
import { sweepDeliveriesJob } from '#jobs/sweep-deliveries.ts'
import { takeStatusQueries } from '#modules/deliveries/query-status.ts'
import { lockSendable } from '#modules/deliveries/sending.ts'
import { takeOverJobs } from '#modules/deliveries/store.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addMember, Browser, logIn, newPerson, userInfoOf } from '#test/member.ts'
import { ASSET, HASH, SIGNUP } from '#test/people.ts'
import { TEST_RING, TEST_RING_STORE } from '#test/postgres.ts'
import { noPostgres15, startPostgres15 } from '#test/postgres-15.ts'
import { watchReadings } from '#test/rows-read.ts'
import { BUY, call, startService, type TestService } from '#test/service.ts'
import { loadScale, settle } from '../../bench/scale/load.ts'

const CARDS = 4_000
const MEMBERS = 1_600
// Far more than any of these acts needs, far fewer than there are: a whole table or a whole index is not read unnoticed.
const MOST_ROWS = 150
// These grow with cards or members, or with the time that something is kept.
const LARGE = new Set(
  `gift_card transfer delivery delivery_event account idempotency_key redemption_key member member_ci member_account member_consent
   partner_user consent signup_trace former_details cancel_reason audit_entry device web_session hash_key trade_order trade_quote
   withdrawal notice notice_event`.split(/\s+/),
)
// An act that says so may read more.
const ALLOWED: Record<string, Record<string, number>> = {
  // A chunk of the oldest, however many there are.
  'forget old records': { delivery_event: 5_000 },
}

type Acts = Record<string, () => Promise<unknown>>

test('what happens every day reads no table of cards or people as a whole', async () => {
  await exercise(await startService())
})

test('nor does it on PostgreSQL 15', { skip: noPostgres15 }, async () => {
  const postgres = await startPostgres15()
  after(() => postgres.stop())
  const connection = { connectionString: postgres.url }
  await migrate(connection, stampOf('sandbox', TEST_RING))
  const on = { connection, url: postgres.url, drop: async () => {} } as unknown as TestService['on']
  const service = await startService({ beside: { on, companions: [] } as unknown as TestService })
  await exercise(service)
  await service.stop()
})

// The books of what was loaded are verified when the service stops, as after every test.
async function exercise(service: TestService): Promise<void> {
  const partners = [
    await service.addPartner(),
    await service.addPartner(),
    await service.addPartner(),
  ] as const
  const tell = () => {}
  const load = { firstCard: 1, cards: CARDS, firstMember: 1, members: MEMBERS, passwordHash: '$argon2id$' }
  const partnerCodes = partners.map(({ partner }) => partner.code)
  await loadScale(service.on.connection, { ...load, partnerCodes }, tell)
  await settle(service.on.connection, tell)
  const readings = watchReadings(service.database.pool)
  const worst: string[] = []
  for (const acts of [partnerActs, memberActs, operatorActs, consoleActs, jobs]) {
    for (const [name, act] of Object.entries(await acts(service, partners[0]))) {
      readings.take()
      await act()
      for (const { statements, scanned, rows } of readings.take()) {
        const whole = scanned.filter((table) => LARGE.has(table))
        const many = Object.entries(rows).filter(
          ([table, count]) => LARGE.has(table) && count > (ALLOWED[name]?.[table] ?? MOST_ROWS),
        )
        if (whole.length + many.length > 0) worst.push(`${name}: ${whole} ${many}\n${statements.join(';\n')}`)
      }
    }
  }
  assert.deepEqual(worst, [])
}

type TestPartner = Awaited<ReturnType<TestService['addPartner']>>
const PHONE = '010-7777-0001'

async function partnerActs({ database }: TestService, partner: TestPartner): Promise<Acts> {
  const { code } = partner.partner
  const person = userInfoOf(newPerson())
  const ok = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.equal(status, 200, text)
  }
  const { giftId, txId } = (await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).body.data
  const { userKey } = (await partner.post(SIGNUP, { traceNo: 'trace-7', partner: code, userInfo: person }))
    .body
  const buy = () => ok(partner.buy({ phoneNumber: PHONE, amount: 50_000 }, { 'idempotency-key': 'one' }))
  const { rows } = await database.pool.query('select number from gift_card where id = $1', [giftId])
  return {
    purchase: buy,
    replay: buy,
    'lookup by gift id': () => ok(partner.get(`${BUY}/${giftId}`)),
    'lookup by purchase': () => ok(partner.get(`${BUY}/${txId}`)),
    'lookup by number': () => ok(partner.get(`${BUY}/${rows[0].number}`)),
    'deliveries of a card': () => ok(partner.get(`${BUY}/${giftId}/deliveries`)),
    usage: () => ok(partner.get('/v2/partner/usage?startDate=2026-1-1&endDate=2026-12-30')),
    list: () => ok(partner.get('/v2/partner/metal/giftcard?startDate=2026-1-1&limit=10')),
    signup: () =>
      ok(partner.post(SIGNUP, { traceNo: 't', partner: code, userInfo: userInfoOf(newPerson()) })),
    'known signup': () => ok(partner.post(SIGNUP, { traceNo: 't', partner: code, userInfo: person })),
    'hash key': () => ok(partner.post(HASH, { partner: code, partnerKey: userKey })),
    'asset lookup': () => ok(partner.get(`${ASSET}?source=${code}&partnerKey=${userKey}`)),
    cancel: () => ok(partner.post(`${BUY}/${giftId}/cancel`, { reason: 'test' })),
  }
}

async function memberActs(service: TestService, partner: TestPartner): Promise<Acts> {
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).body.data
  const pin = await pinOf(service, giftId)
  const { browser, loginId } = await addMember(service)
  const get = (path: string) => async () => assert.equal((await browser.get(path)).status, 200, path)
  const post = (path: string, body: unknown) => async () => {
    const answer = await browser.post(path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const { database } = service
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const { rows } = await database.pool.query(
    `select holder_id from account where kind = 'holding' order by balance desc limit 1`,
  )
  const holder: string = rows[0].holder_id
  return {
    'member sign-up': () => addMember(service),
    'log-in': () => logIn(new Browser(service.url), loginId),
    'check a card': post('/cards/check', { pin }),
    'redeem a card': post('/cards/redeem', { pin }),
    'asset page': get('/assets'),
    'history page': get('/history'),
    'page of acts': get('/history/acts'),
    'withdrawals of a member': get('/withdrawals'),
    'sessions of a member': get('/sessions'),
    'links of a member': get('/links'),
    prices: get('/prices'),
    'quote and order': async () => {
      const quote = await post('/quotes', { side: 'buy', metal: 'gold', won: 10_000 })()
      await post('/orders', { quoteId: quote.quoteId })()
    },
    'history of a busy member': () => createReadHistory({ database, keys })(holder, {}),
    'acts of a busy member': () => createReadActs({ database, keys })(holder, {}),
  }
}

async function operatorActs(service: TestService, partner: TestPartner): Promise<Acts> {
  const { done } = await commandsOn(service)
  const { loginId, person } = await addMember(service)
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).body.data
  const pin = await pinOf(service, giftId)
  const { code } = partner.partner
  return {
    'card find': () => done(cardFind, '--phone', PHONE),
    'card show': () => done(cardShow, giftId),
    'card show by PIN': () => done(cardShow, '--pin', pin),
    'member find by phone': () => done(memberFind, '--phone', person.mdn),
    'member find by name': () => done(memberFind, '--name', person.name),
    'member show': () => done(memberShow, loginId),
    'user find': () => done(userFind, code, 'trace-7'),
    'partner show': () => done(partnerShow, code),
    'withdrawal list': () => done(withdrawalList),
    'audit list': () => done(auditList),
    'audit list of an action': () => done(auditList, '--action', 'card.find'),
    metrics: () => call(`${service.url}/metrics`),
  }
}

// The planner takes a partner for an average one: that it has next to no rows must not make it read everyone else's.
async function consoleActs(service: TestService, partner: TestPartner): Promise<Acts> {
  const { database } = service
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const lists = createLists({ database, keys })
  const search = createSearch({ database, keys }, createWorkQueue())
  const { giftId, txId } = (await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).body.data
  const small = (await service.addPartner()).partner
  const operator = { actor: 'test', partnerId: null }
  const everything = { mayFind: () => true, mayList: () => true, mayFindPeople: true }
  const page =
    (list: ListName, asked = {}, viewer: Viewer = operator) =>
    async () => {
      const first = await lists.readPage(list, asked, viewer)
      assert.ok(first.kind === 'page' && first.lookedTo === null)
      if (first.next) await lists.readPage(list, { ...asked, cursor: first.next }, viewer)
    }
  const find = (text: string) => () => search(text, operator, everything)
  const own = { actor: 'test', partnerId: small.id }
  const asked: [ListName, Record<string, string>, Viewer?][] = [
    ...LIST_NAMES.map((list): [ListName, Record<string, string>] => [list, {}]),
    ...(['cards', 'users', 'deliveries'] as const).flatMap(
      (list): [ListName, Record<string, string>, Viewer][] => [
        [list, { partner: small.code }, operator],
        [list, {}, own],
      ],
    ),
    ['members', { partner: small.code }],
    ['cards', { voided: '2020-01-01' }],
    ['cards', { expired: '2020-01-01' }],
    ['cards', { used: '2020-01-01' }],
    ['cards', { issued: '2020-01-01', partner: partner.partner.code }],
    ['cards', { status: 'issued', sort: 'expires' }],
    ['cards', { phone: PHONE }],
    ['deliveries', { card: giftId }],
    ['deliveries', { status: 'queued' }],
    ['audit', { actor: 'nobody' }],
    ['audit', { action: 'nothing' }],
    ['audit', { subject: small.code }],
  ]
  return {
    ...Object.fromEntries(
      asked.map(([list, filters, viewer = operator]) => [
        `list ${list} ${JSON.stringify(filters)} ${viewer.partnerId}`,
        page(list, filters, viewer),
      ]),
    ),
    ...Object.fromEntries(
      [giftId, txId, '123456789012', 'nobody', '홍길동', PHONE].map((q) => [`search ${q}`, find(q)]),
    ),
  }
}

async function jobs({ database }: TestService): Promise<Acts> {
  const log = createLog('silent', { write: () => {} })
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const inTransaction = database.withTransaction
  return {
    'take over jobs': () =>
      inTransaction((tx) => takeOverJobs(tx, 'delivery', { channel: 'text', room: 50 })),
    'claim messages': () => inTransaction((tx) => lockSendable(tx, { ids: [1n, 2n], withDoubtful: false })),
    'ask about messages': () => inTransaction((tx) => takeStatusQueries(tx, [1n, 2n], 1_000)),
    'expire, remind, erase PINs': () => maintainCards({ database, log }),
    'sweep messages': () => sweepDeliveriesJob({ database, log, providers: [], onChange: () => {} }),
    'index people': () => indexPeopleJob({ database, keys, log }),
    'forget old keys': () => forgetOldKeys({ database, log }),
    'forget old logins': () => forgetOldLogins({ database, log }),
    'forget old quotes': () => forgetOldQuotes({ database, log }),
    'forget old records': () => forgetOldRecords({ database, log }),
  }
}

async function pinOf({ database }: TestService, id: string): Promise<string> {
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [id])
  return keys.vault().open({ table: 'gift_card', column: 'pin', row: id }, rows[0].pin)
}
