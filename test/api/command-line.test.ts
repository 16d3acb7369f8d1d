import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { addMember, Browser, logIn } from '#test/member.ts'
import { ciOf, HASH, SIGNUP, signupOf } from '#test/people.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { ingot, MAIN, startIngot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

// The command line on a database of its own, beside a running server.
const database = await createTestDatabase('empty')
const folder = temporaryFolder()
const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path, INGOT_ROLES: 'api' }
const server = await startServer(settings)
test.after(async () => {
  await server.kill('SIGTERM')
  await database.drop()
  folder.remove()
})

async function json(...args: string[]) {
  const { code, stdout, stderr } = await ingot(settings, ...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

function buy(key: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return call(`${server.url}${BUY}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

test('partner add, list, set; key issue, list, revoke; card show, void; verify', async () => {
  const added = await json('partner', 'add', 'acme', '--name', 'Acme', '--rate-limit', '0')
  assert.deepEqual(
    [added.code, added.name, added.keyFormat, added.status, added.rateLimit],
    ['acme', 'Acme', 'uuid', 'active', 0],
  )
  const custom = ['--key-format', 'custom', '--key-pattern', '[0-9]{8}']
  await json('partner', 'add', 'beta', '--name', 'Beta', ...custom, '--network', '10.0.0.0/8')
  const list = await json('partner', 'list')
  assert.deepEqual(
    list.map((partner: { code: string; keyFormat: string }) => [partner.code, partner.keyFormat]),
    [
      ['acme', 'uuid'],
      ['beta', 'custom'],
    ],
  )

  const issued = await json('key', 'issue', 'acme')
  assert.deepEqual(Object.keys(issued), ['id', 'key'])
  assert.match(issued.key, /^ik_test_/)
  const bought = await buy(issued.key, { phoneNumber: PHONE, amount: 5000 })
  assert.equal(bought.status, 200)

  const shown = await json('card', 'show', bought.body.data.giftId)
  assert.equal(shown.recipient, '010-****-5678')
  assert.equal(shown.status, 'issued')
  assert.deepEqual(
    shown.transfers.map((transfer: { kind: string; amount: number }) => [transfer.kind, transfer.amount]),
    [['issue', 5000]],
  )
  assert.equal((await json('card', 'show', String(shown.number))).giftId, bought.body.data.giftId)
  const voided = await json('card', 'void', bought.body.data.txId, '--reason', 'wrong number')
  assert.equal(voided.status, 'voided')
  const after = await json('card', 'show', bought.body.data.giftId)
  assert.deepEqual(
    [after.partner, after.status, after.changes[0].details],
    [
      'acme',
      'voided',
      {
        reason: 'wrong number',
        approvalFrom: '500000',
        before: { status: 'issued' },
        after: { status: 'voided' },
      },
    ],
  )
  const again = await ingot(settings, 'card', 'void', bought.body.data.txId, '--reason', 'twice')
  assert.deepEqual([again.code, again.stderr], [1, 'ingot: the card is voided already\n'])

  const [key] = await json('key', 'list', '--partner', 'acme')
  assert.equal(key.id, issued.id)
  assert.ok(!JSON.stringify(key).includes(issued.key.slice(20, 40)))
  await json('key', 'revoke', issued.key)
  assert.ok((await json('key', 'list', '--partner', 'acme'))[0].revokedAt)

  const checked = await json('verify')
  assert.equal(checked.ok, true)
  assert.ok(checked.checks.length >= 10)
})

test('limits set from the command line hold at once', async () => {
  await json('partner', 'add', 'limited', '--name', 'L', '--credit-limit', '1000', '--rate-limit', '0')
  const { key } = await json('key', 'issue', 'limited', '--label', 'first', '--scope', 'giftcards:buy')
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 600 })).status, 200)
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 600 })).status, 402)
  await json('partner', 'set', 'limited', '--credit-limit', '1200', '--amount-max', '700')
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 600 })).status, 200)
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 701 })).status, 400)
  const listed = await json('partner', 'list')
  assert.equal(listed.find((partner: { code: string }) => partner.code === 'limited').owed, 1200)
  const below = await ingot(settings, 'partner', 'set', 'limited', '--credit-limit', '1199')
  assert.equal(below.code, 1)
  assert.match(below.stderr, /owes ₩1,200 already/)
  await json('partner', 'set', 'limited', '--status', 'suspended')
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 1 })).status, 403)
})

test('a payment: asked for, approved as another person, listed, and refused otherwise', async () => {
  await json('partner', 'add', 'payer', '--name', 'P', '--credit-limit', '1000')
  const { key } = await json('key', 'issue', 'payer')
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 1000 })).status, 200)
  const pay = ['partner', 'pay', 'payer', '400', '--reference', 'KB-1']
  const asked = await json(...pay)
  assert.deepEqual([asked.status, asked.won, asked.reference], ['waiting', 400, 'KB-1'])
  const pending = await ingot(settings, 'partner', 'pending')
  assert.match(pending.stdout, / a payment of ₩400, reference KB-1 {2}/)
  const own = await ingot(settings, 'partner', 'approve', asked.id)
  assert.deepEqual([own.code, /another person/.test(own.stderr)], [1, true])
  assert.equal((await json('partner', 'approve', asked.id, '--as', 'mina')).status, 'executed')
  assert.equal((await json(...pay)).status, 'booked')
  assert.equal((await buy(key, { phoneNumber: PHONE, amount: 400 })).status, 200)
  const [listed] = await json('partner', 'payments', 'payer')
  assert.deepEqual(
    [listed.amount, listed.reference, / as mina$/.test(listed.approvedBy)],
    [400, 'KB-1', true],
  )
  const undo = await json(
    'partner',
    'reverse-payment',
    'payer',
    'KB-1',
    '--reason',
    'x',
    '--as',
    'mina',
  ).catch((error) => error.message)
  assert.match(undo, /has bought cards on this payment/)
  // A sandbox's second person may be named in the same call.
  const both = ['partner', 'pay', 'payer', '600', '--reference', 'KB-2', '--as', 'mina']
  assert.deepEqual([(await json(...both)).status, (await json(...both)).status], ['booked', 'booked'])
  const ahead = await ingot(settings, 'partner', 'pay', 'payer', '5000', '--reference', 'KB-3', '--prepay')
  assert.match(
    ahead.stdout,
    /^payer: a payment of ₩5,000, reference KB-3, prepaid waits for a second person /,
  )
  const partners: { code: string; owed: number }[] = await json('partner', 'list')
  assert.equal(partners.find(({ code }) => code === 'payer')?.owed, 400)
  const back = ['partner', 'reverse-payment', 'payer', 'KB-2', '--reason', 'x']
  const waits = /^payer: the reversal of a payment of ₩600, reference KB-2 waits for a second person /
  assert.match((await ingot(settings, ...back)).stdout, waits)
  assert.equal((await json(...back, '--as', 'mina')).status, 'reversed')
})

test('validity is per partner and never under a year', async () => {
  await json('partner', 'add', 'longer', '--name', 'L', '--validity-months', '60')
  const { key } = await json('key', 'issue', 'longer')
  const { giftId } = (await buy(key, { phoneNumber: PHONE, amount: 1 })).body.data
  const { expires, issuedAt } = await json('card', 'show', giftId)
  const issuedOn = Temporal.Instant.from(issuedAt).toZonedDateTimeISO('Asia/Seoul').toPlainDate()
  assert.equal(expires, issuedOn.add({ months: 60 }).toString())
  const under = await ingot(settings, 'partner', 'set', 'longer', '--validity-months', '6')
  assert.deepEqual([under.code, under.stderr], [1, 'ingot: cards are valid for at least 12 months\n'])
})

test('each command explains itself', async () => {
  const run = await ingot(settings, 'partner', 'add', '--help')
  assert.equal(run.code, 0)
  assert.match(run.stdout, /usage: ingot partner add CODE --name NAME .*--amount-max/)
})

test('a process of its own says the same and ends with the same code', async () => {
  for (const args of [['partner', 'list', '--json'], ['card', 'show', 'abc'], ['nonsense'], ['--help']]) {
    assert.deepEqual(await startIngot(settings, ...args), await ingot(settings, ...args))
  }
})

test('a reader that has seen enough is no error', () => {
  const { status, stderr } = spawnSync(
    '/bin/sh',
    ['-c', '{ "$0" "$1" help; echo "$?" >&2; } | true', process.execPath, MAIN],
    {
      encoding: 'utf8',
    },
  )
  assert.deepEqual([status, stderr], [0, '0\n'])
})

test('help COMMAND, -h and --version', async () => {
  for (const args of [
    ['help', 'partner', 'pay'],
    ['partner', 'pay', '-h'],
  ]) {
    assert.match((await ingot(settings, ...args)).stdout, /\nusage: ingot partner pay CODE WON/)
  }
  const { stdout } = await ingot(settings, '-h')
  assert.match(stdout, /Exit codes: 0 done, 1 refused or failed, 2/)
  for (const row of stdout.split('\n\n')[1]!.split('\n'))
    assert.match(row, /^ {2}[a-z].{39,} [a-z]/, 'one row each')
  assert.match((await ingot(settings, '--version')).stdout, /^\d+\.\d+\.\d+\n$/)
})

test('clock advance: forward only', async () => {
  const before = await json('clock', 'advance', '61m')
  const after = await json('clock', 'advance', '1s')
  assert.ok(Temporal.Instant.compare(after.now, before.now) > 0)
  for (const duration of ['-5m', '5', '5 minutes', '0s', '99999d']) {
    assert.notEqual((await ingot(settings, 'clock', 'advance', duration)).code, 0, duration)
  }
})

const WRONG: [args: string[], code: number, says: RegExp][] = [
  [[], 2, /^$/],
  [['nonsense'], 2, /^ingot: there is no command nonsense: see ingot help\n$/],
  [['parner', 'list'], 2, /^ingot: .*did you mean partner list\?\nusage: ingot partner list\n$/],
  [['partner', 'pya', 'acme'], 2, /did you mean partner pay\?\nusage: ingot partner pay CODE WON/],
  [['migarte'], 2, /did you mean migrate\?/],
  [['partner', 'abracadabra'], 2, /partner is followed by one of/],
  [['partner', 'abracadabra', '--json'], 2, /^\{"error":"there is no command.*"code":"usage"\}\n$/],
  [['card', 'show', '123', '--json'], 1, /^\{"error":"there is no such card","code":"refused"\}\n$/],
  [['partner', 'add', 'x'], 2, /--name is required/],
  [['partner', 'add', 'acme', '--name', 'again'], 1, /a partner acme already/],
  [['partner', 'add', 'ACME', '--name', 'again'], 1, /a partner ACME already/],
  [['partner', 'add', 'a b', '--name', 'x'], 1, /partner code/],
  [['partner', 'add', 'x', '--name', 'x', '--rate-limit', '-1'], 2, /rate-limit/],
  [['partner', 'add', 'x', '--name', 'x', '--key-format', 'custom'], 1, /needs a key pattern/],
  [['partner', 'add', 'x', '--name', 'x', '--colour', 'red'], 2, /colour/],
  [['partner', 'set', 'nobody', '--name', 'x'], 1, /no partner nobody/],
  [['partner', 'set', 'acme'], 2, /nothing to change/],
  [['partner', 'pay', 'acme', '1,000', '--reference', 'x'], 2, /whole number, without commas/],
  [['partner', 'pay', 'acme', '1000'], 2, /--reference/],
  [['partner', 'pay', 'acme', '999999999', '--reference', 'x'], 1, /--prepay/],
  [['partner', 'payments', 'nobody'], 1, /no partner nobody/],
  [['key', 'issue', 'nobody'], 1, /no partner nobody/],
  [['key', 'issue', 'acme', '--scope', 'everything'], 1, /scopes are among/],
  [['key', 'revoke', 'nothing'], 1, /no such key/],
  [['key', 'issue', 'acme', '--expires-days', '999999999999'], 1, /1 to 3650 days/],
  [['key', 'issue', 'acme', '--network', '10.0.0.0/33'], 1, /CIDR/],
  [['card', 'show', 'abc'], 2, /giftId, its txId or its number/],
  [['card', 'show', '123'], 1, /no such card/],
  [['card', 'void', '123'], 2, /--reason/],
]
for (const [args, code, says] of WRONG) {
  test(`refused: ingot ${args.join(' ')}`, async () => {
    const run = await ingot(settings, ...args)
    assert.equal(run.code, code, run.stderr)
    assert.match(run.stderr, says)
  })
}

test('changes by people are in the audit log, with who and what', async () => {
  const pg = (await import('pg')).default
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query('select actor, action, subject, details from audit_entry order by id')
  await client.end()
  const actions = rows.map((row) => row.action)
  for (const action of [
    'partner.add',
    'partner.set',
    'key.issue',
    'key.revoke',
    'card.void',
    'clock.advance',
  ]) {
    assert.ok(actions.includes(action), action)
  }
  assert.ok(rows.every((row) => /^cli:./.test(row.actor)))
  const voided = rows.find((row) => row.action === 'card.void')
  // What a person typed is sealed apart.
  assert.deepEqual(voided.details, {
    approvalFrom: '500000',
    before: { status: 'issued' },
    after: { status: 'voided' },
  })
})

test('user show, reveal, grant, suspend, resume; each change in the audit log', async () => {
  await json('partner', 'add', 'shop', '--name', 'Shop', '--network', '127.0.0.1')
  const body = JSON.stringify(signupOf('shop', '홍길동'))
  const headers = { 'content-type': 'application/json' }
  const { userKey } = (await call(`${server.url}${SIGNUP}`, { method: 'POST', headers, body })).body
  const user = ['shop', userKey]

  const shown = await json('user', 'show', ...user)
  assert.deepEqual(
    [shown.name, shown.birthday, shown.mdn, shown.status, shown.partners],
    ['홍*동', '1990****', '010-****-5432', 'active', 1],
  )
  const because = ['--reason', 'case 17']
  const revealed = await json('user', 'show', ...user, '--reveal', ...because)
  assert.deepEqual([revealed.name, revealed.mdn], ['홍길동', '01098765432'])
  assert.ok(!JSON.stringify(revealed).includes(ciOf('홍길동')))

  await json('user', 'grant', ...user, '--points', '5000', '--gold', '1.5')
  assert.equal((await json('user', 'show', ...user)).assets.totalValue, 5000 + 297750)
  const issueHash = () =>
    call(`${server.url}${HASH}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ partner: 'shop', partnerKey: userKey }),
    })
  assert.equal((await issueHash()).status, 200)
  await json('user', 'suspend', ...user, ...because)
  assert.equal((await issueHash()).status, 403)
  const again = await ingot(settings, 'user', 'suspend', ...user, ...because)
  assert.deepEqual([again.code, again.stderr], [1, 'ingot: the user is suspended already\n'])
  await json('user', 'resume', ...user, ...because)
  assert.equal((await issueHash()).status, 200)

  const { changes } = await json('user', 'show', ...user)
  assert.deepEqual(
    changes.map((change: { action: string; actor: string }) => [change.action, change.actor.split(':')[0]]),
    [
      ['user.signup', 'partner'],
      ['user.reveal', 'cli'],
      ['user.grant', 'cli'],
      ['user.suspend', 'cli'],
      ['user.resume', 'cli'],
    ],
  )
})

test('user: what cannot be done is said in a sentence', async () => {
  const cases: [string[], number, RegExp][] = [
    [['user', 'show', 'shop', 'nobody'], 1, /shop has no user with that key/],
    [['user', 'show', 'nobody', 'x'], 1, /there is no partner nobody/],
    [['user', 'suspend', 'shop', 'x'], 2, /--reason says why/],
    [['user', 'show', 'shop', 'x', '--reveal'], 2, /--reason says why/],
    [['user', 'grant', 'shop', 'x', '--gold', '1.23456'], 2, /grams with up to four places/],
    [['partner', 'set', 'shop', '--frame-ancestor', 'javascript:x'], 1, /frame ancestors are origins/],
    [['partner', 'set', 'shop', '--frame-ancestor', 'https://a.example; script-src *'], 1, /frame ancestors/],
  ]
  for (const [args, code, message] of cases) {
    const run = await ingot(settings, ...args)
    assert.equal(run.code, code, args.join(' '))
    assert.match(run.stderr, message)
  }
})

const idOf = (partner: string | null, version: number, templateId: string) => ({
  partner,
  provider: 'solapi',
  purpose: 'gift',
  language: 'ko',
  version,
  templateId,
})

test('template list, set; sender names; card resend', async () => {
  const { templates, ids } = await json('template', 'list')
  assert.deepEqual(
    templates.map(({ name }: { name: string }) => name),
    ['gift', 'reminder', 'cancellation'].flatMap((purpose) =>
      ['ko', 'en'].flatMap((language) => {
        const name = `card_${purpose}_${language}`
        return purpose === 'cancellation' ? [`${name}_2`] : [`${name}_2`, name]
      }),
    ),
  )
  assert.deepEqual(ids, [])
  await json('partner', 'add', 'sends', '--name', '보내는 곳')
  await json('template', 'set', 'solapi', 'gift', 'ko', 'KA01TP1', '--version', '1')
  await json('template', 'set', 'solapi', 'gift', 'ko', 'KA01TP2', '--partner', 'sends', '--version', '1')
  const toRegister = async () =>
    (await json('template', 'list')).toRegister
      .filter(({ provider }: { provider: string }) => provider === 'solapi')
      .map(({ name, sends }: { name: string; sends: number | null }) => `${name} ${sends}`)
  assert.deepEqual(await toRegister(), [
    'card_cancellation_ko_2 null',
    'card_gift_ko_2 1',
    'card_reminder_ko_2 null',
  ])
  await json('template', 'set', 'solapi', 'gift', 'ko', 'KA01TP3')
  await json('template', 'set', 'solapi', 'reminder', 'ko', 'KA01TP4')
  assert.deepEqual(await toRegister(), ['card_cancellation_ko_2 null'])
  await json('template', 'set', 'solapi', 'reminder', 'ko', '')
  assert.deepEqual((await json('template', 'list')).ids, [
    idOf(null, 1, 'KA01TP1'),
    idOf(null, 2, 'KA01TP3'),
    idOf('sends', 1, 'KA01TP2'),
  ])
  const listed = await ingot(settings, 'template', 'list')
  assert.match(listed.stdout, /still to register:\n.*\n *solapi +card_cancellation_ko_2 +nothing\n/)
  assert.match(listed.stdout, /── variables: 보낸이, PIN번호, 금액, /)
  assert.doesNotMatch(listed.stdout, /90%|환불률/, 'of a text, the newest version is shown')
  const named = await json('partner', 'set', 'sends', '--sender-name', '선물샵', '--message-language', 'en')
  assert.deepEqual([named.senderName, named.messageLanguage], ['선물샵', 'en'])
  assert.equal((await json('partner', 'set', 'sends', '--sender-name', '')).senderName, null)

  const { key } = await json('key', 'issue', 'sends')
  const { giftId } = (await buy(key, { phoneNumber: PHONE, amount: 1_000 })).body.data
  const { messages } = await json('card', 'show', giftId)
  assert.deepEqual(
    messages.map(({ channel, status }: { channel: string; status: string }) => `${channel} ${status}`),
    ['alimtalk queued', 'text queued'],
  )
  const refusals: [args: string[], says: RegExp][] = [
    [['card', 'resend', giftId], /^ingot: its messages are still on their way\n$/],
    [['template', 'set', 'pigeon', 'gift', 'ko', 'x'], /^ingot: PROVIDER is one of solapi, nhn\n$/],
    [['template', 'set', 'nhn', 'gift', 'ko', 'a b'], /^ingot: a template id has /],
    [['template', 'set', 'nhn', 'gift', 'ko', 'x', '--version', '9'], /^ingot: --version is one of 2, 1\n$/],
    [
      ['template', 'set', 'solapi', 'gift', 'ko', 'KA01TP1'],
      /^ingot: KA01TP1 is the id of gift ko version 1: each text is registered on its own\n$/,
    ],
    [
      ['template', 'set', 'nhn', 'gift', 'ko', 'x', '--partner', 'nobody'],
      /^ingot: there is no partner nobody\n$/,
    ],
    [['partner', 'set', 'sends', '--sender-name', '🎁 선물'], /^ingot: the sender name is one line /],
    [
      ['partner', 'set', 'sends', '--message-language', 'fr'],
      /^ingot: the message language is one of ko, en\n$/,
    ],
  ]
  for (const [args, says] of refusals) {
    const run = await ingot(settings, ...args)
    assert.notEqual(run.code, 0)
    assert.match(run.stderr, says)
  }
})

test('user redeem: a card becomes points, and is used', async () => {
  await json('partner', 'add', 'gives', '--name', 'Gives', '--network', '127.0.0.0/8')
  const { key } = await json('key', 'issue', 'gives')
  const { userKey } = (
    await call(`${server.url}${SIGNUP}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(signupOf('gives', '이몽룡')),
    })
  ).body
  const { giftId } = (await buy(key, { phoneNumber: PHONE, amount: 30_000 })).body.data
  const pin = '0000-0000-0000-0000'
  for (const [typed, says] of [
    ['0000-0000-0000-0001', /^ingot: that is no PIN/],
    [pin, /^ingot: there is no card with that PIN\n$/],
  ] as const) {
    const run = await ingot(settings, 'user', 'redeem', 'gives', userKey, typed)
    assert.equal(run.code, 1)
    assert.match(run.stderr, says)
  }
  assert.equal((await json('card', 'show', giftId)).status, 'issued')
})

test('member show, end-sessions; guard show', async () => {
  const { browser, person, loginId } = await addMember(server)
  const shown = await json('member', 'show', loginId)
  assert.deepEqual(
    [shown.loginId, shown.status, shown.name, shown.sessions.length, shown.consents.length],
    [loginId, 'open', '김*나', 1, 3],
  )
  const reveal = await json('member', 'show', loginId, '--reveal', '--reason', 'a call')
  assert.deepEqual([reveal.mdn, reveal.changes.at(-1).details], [person.mdn, { reason: 'a call' }])
  assert.match((await ingot(settings, 'member', 'show', loginId)).stdout, /^sessions$/m)
  const unknown = await ingot(settings, 'member', 'show', 'nobody')
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'ingot: there is no member with the id nobody\n'])
  const ended = await json('member', 'end-sessions', loginId, '--reason', 'a lost phone')
  assert.deepEqual(ended, { loginId, ended: 1 })
  assert.equal((await browser.get('/profile')).status, 401)
  assert.equal((await ingot(settings, 'member', 'end-sessions', loginId)).code, 2)

  // The member above verified who they are: that is no failure of anybody's.
  await logIn(new Browser(server.url), loginId, 'a wrong password')
  const guard = await json('guard', 'show')
  assert.deepEqual(guard.alarms, {
    pin: false,
    login: false,
    identity: false,
    payout_account: false,
    stop: false,
    statement: false,
  })
  const shownKinds = guard.windows.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(shownKinds, ['login'])
  const [login] = guard.windows
  assert.deepEqual([login.failures, login.accounts, login.addresses], [1, 1, 1])
  assert.match((await ingot(settings, 'guard', 'show')).stdout, /^alarms: none$/m)
})

test('for support: find, freeze, thaw, audit, partner show; each explains itself', async () => {
  const { person, loginId } = await addMember(server)
  // From standard input, where no other account of the machine sees it.
  const typed = spawnSync(process.execPath, ['src/main.js', 'member', 'find', '--phone', '-', '--json'], {
    env: { ...process.env, ...settings },
    input: `${person.mdn}\n`,
  })
  assert.equal(typed.status, 0, String(typed.stderr))
  const [found] = JSON.parse(String(typed.stdout)).members
  assert.deepEqual([found.loginId, found.account, found.frozen], [loginId, 'open', false])
  assert.equal((await json('member', 'freeze', loginId, '--reason', 'a test')).status, 'frozen')
  assert.equal((await logIn(new Browser(server.url), loginId)).status, 403)
  assert.equal((await json('member', 'thaw', loginId, '--reason', 'a test')).status, 'thawed')
  const { entries } = await json('audit', 'list', '--member', loginId, '--limit', '2')
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['member.thaw', 'member.freeze'],
  )
  assert.equal((await json('partner', 'show', 'acme')).code, 'acme')
  for (const name of [
    'card find',
    'member find',
    'member freeze',
    'member thaw',
    'audit list',
    'partner show',
  ]) {
    const help = await ingot(settings, ...name.split(' '), '--help')
    assert.equal(help.code, 0)
    assert.match(help.stdout, new RegExp(`usage: ingot ${name}`))
    assert.equal((await ingot(settings, ...name.split(' '), '--colour')).code, 2, name)
  }
})
