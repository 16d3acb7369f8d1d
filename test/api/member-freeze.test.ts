import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditList } from '#app/commands/audit.ts'
import { memberFreeze, memberShow, memberThaw } from '#app/commands/member.ts'
import { userResume, userSuspend } from '#app/commands/user.ts'
import {
  withdrawalApprove,
  withdrawalList,
  withdrawalPay,
  withdrawalRefuse,
} from '#app/commands/withdrawal.ts'
import { hashOfToken } from '#base/crypto/token.ts'
import { newId } from '#base/ids.ts'
import { createCloseAccount } from '#flows/accounts/close-account.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { isMemberFrozen } from '#flows/kit/member-frozen.ts'
import { createDecideLink } from '#flows/partner-users/decide-link.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { createCancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { endWait, giveDeposit, testMetrics } from '#test/holders.ts'
import { addMember, Browser, logIn, newPerson, PASSWORD, userInfoOf, verify } from '#test/member.ts'
import { until } from '#test/patience.ts'
import { ASSET, HASH, SIGNUP } from '#test/people.ts'
import { startService } from '#test/service.ts'

// Frozen, a member is let in nowhere and nothing of theirs moves: whichever door, whichever act, whatever was under way.
const service = await startService()
const { database } = service
const { run, done, runtime } = await commandsOn(service)
const { keys } = runtime
const partner = await service.addPartner()
const { code } = partner.partner
const metrics = testMetrics()
const placeOrder = createPlaceOrder({ database, metrics })
const redeem = createRedeemGiftCard({ database, keys })
const WHY = ['--reason', 'asked by the police, case 12']

// A member with a link, points, a deposit, a quote, a card and two withdrawals, one of them approved.
async function addRich() {
  const person = newPerson()
  const { userKey } = (
    await partner.post(SIGNUP, { traceNo: 't', partner: code, userInfo: userInfoOf(person) })
  ).body
  const member = await addMember(service, person)
  const { browser, loginId } = member
  await giveDeposit(service, loginId, 100_000n)
  const { giftId } = (await partner.buy({ phoneNumber: person.mdn, amount: 10_000 })).body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  const pin = parsePin(keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin))!
  const { quoteId } = (await browser.post('/quotes', { side: 'buy', metal: 'gold', won: 30_000 })).body
  const { id, memberId } = await done(memberShow, loginId)
  const withdrawals: string[] = []
  for (const amount of [10_000, 20_000]) {
    const asked = { requestId: newId(), amount, bank: '088', account: '110123456789' }
    const answer = await browser.post('/withdrawals', asked)
    assert.equal(answer.status, 200, answer.text)
    await endWait(database, answer.body.id)
    withdrawals.push(answer.body.id)
  }
  await done(withdrawalApprove, withdrawals[1]!, '--reason', 'ok')
  return {
    ...member,
    userKey,
    pin,
    quoteId,
    accountId: id as string,
    memberId: memberId as string,
    withdrawals,
  }
}

type Rich = Awaited<ReturnType<typeof addRich>>

const user = ({ userKey }: Pick<Rich, 'userKey'>) => ({ partner: code, partnerKey: userKey })

async function enterWebView(who: Rich): Promise<Browser> {
  const view = new Browser(service.url, '/webview/member')
  await view.enter((await partner.post(HASH, user(who))).body.hashKey)
  return view
}

const PAGE = { accept: 'text/html', 'accept-language': 'ko' }

test('frozen: every door is closed, and says whom to ask', async () => {
  const who = await addRich()
  const view = await enterWebView(who)
  assert.equal((await view.get('/assets')).status, 200)
  const { hashKey } = (await partner.post(HASH, user(who))).body
  const frozen = await done(memberFreeze, who.loginId, ...WHY)
  assert.deepEqual([frozen.memberId, frozen.sessionsEnded, frozen.withdrawalsHeld], [who.memberId, 2, 2])

  assert.deepEqual(
    [(await who.browser.get('/assets')).status, (await view.get('/assets')).status],
    [401, 401],
  )
  assert.equal((await who.browser.get('/session')).body.signedIn, false)
  const door = await logIn(new Browser(service.url), who.loginId)
  assert.deepEqual(
    [door.status, door.body.code, door.body.contact],
    [403, 'account_frozen', 'help@ingot.example'],
  )
  assert.equal((await logIn(new Browser(service.url), who.loginId, 'a wrong password')).status, 401)
  const lost = new Browser(service.url)
  const verificationId = await verify(lost, 'recover', who.person)
  const recovered = await lost.post('/recover', { verificationId, password: 'another horse battery' })
  assert.deepEqual([recovered.status, recovered.body.code], [403, 'account_frozen'])
  const phone = new Browser(service.url)
  await phone.post('/onboarding/identity', { purpose: 'sign_up', ...who.person })
  const byPhone = await phone.post('/onboarding/identity/confirm', { code: SIMULATED_CODE })
  assert.deepEqual([byPhone.status, byPhone.body.code], [403, 'account_frozen'], byPhone.text)
  for (const page of [await view.send('GET', '/webview', undefined, PAGE), await view.enter(hashKey)]) {
    assert.equal(page.status, 403)
    assert.match(page.text, /지금은 이용할 수 없어요/)
    assert.match(page.text, /help@ingot\.example/)
  }
  await done(memberThaw, who.memberId, '--reason', 'cleared')
  assert.equal((await logIn(new Browser(service.url), who.loginId)).status, 200)
  assert.equal((await who.browser.get('/assets')).status, 401, 'no session comes back')
  assert.equal((await view.get('/assets')).status, 401)
  assert.equal((await (await enterWebView(who)).get('/assets')).status, 200)
})

const CLOSED: Record<string, (who: Rich) => Promise<unknown>> = {
  frozen: ({ loginId }) => run(memberFreeze, loginId, ...WHY),
  refused: (who) => ACTS.find(([name]) => name === 'link refused')![1](who),
}
for (const [status, close] of Object.entries(CLOSED)) {
  test(`${status}: a key that is expired or used up tells nobody, a good one tells its member`, async () => {
    const who = await addRich()
    const newKey = async () => (await partner.post(HASH, user(who))).body.hashKey as string
    const [good, expired, used] = [await newKey(), await newKey(), await newKey()]
    const setKey = (key: string, change: string) =>
      database.pool.query(`update hash_key set ${change} where hash = $1`, [hashOfToken(key)])
    await setKey(
      expired,
      `issued_at = issued_at - interval '2 hours', expires_at = expires_at - interval '2 hours'`,
    )
    await setKey(used, 'used_at = service_now()')
    await close(who)
    const enter = async (key: string) => (await new Browser(service.url, '/webview').enter(key)).status
    await database.pool.query('update partner set single_use_hash_keys = true where code = $1', [code])
    const answers = [await enter(good), await enter(expired), await enter(used), await enter('x'.repeat(43))]
    await database.pool.query('update partner set single_use_hash_keys = false where code = $1', [code])
    assert.deepEqual(answers, [403, 404, 404, 404])
  })
}

test('frozen: a partner is answered as for a suspended user, also where it is new', async () => {
  const who = await addRich()
  await done(memberFreeze, who.loginId, ...WHY)
  const told = { traceNo: 't', partner: code, userInfo: userInfoOf(who.person) }
  for (const [path, body] of [
    [HASH, user(who)],
    [ASSET, user(who)],
    [SIGNUP, told],
  ] as const) {
    const answer = await partner.post(path, body)
    assert.deepEqual([answer.status, answer.body], [403, { error: 'Forbidden' }], path)
  }
  const other = await service.addPartner()
  const otherCode = other.partner.code
  const { userKey } = (await other.post(SIGNUP, { ...told, partner: otherCode })).body
  const named = { partner: otherCode, partnerKey: userKey }
  assert.equal((await other.post(HASH, named)).status, 403)
  // What the operator says of one link meanwhile is kept, and the thaw opens the others.
  assert.equal((await run(userResume, otherCode, userKey, ...WHY)).code, 1)
  assert.equal((await done(userSuspend, otherCode, userKey, ...WHY)).status, 'suspended')
  await done(memberThaw, who.loginId, ...WHY)
  assert.equal((await partner.post(ASSET, user(who))).status, 200)
  assert.equal((await other.post(ASSET, named)).status, 403)
  await done(memberFreeze, who.loginId, ...WHY)
  assert.equal((await done(userResume, otherCode, userKey, ...WHY)).status, 'frozen')
  await done(memberThaw, who.loginId, ...WHY)
  assert.equal((await other.post(ASSET, named)).status, 200)
})

// As if each had passed the session's check a moment before the freeze.
const ACTS: [name: string, act: (who: Rich) => Promise<unknown>][] = [
  ['order', ({ quoteId, memberId }) => placeOrder({ quoteId, holderId: memberId })],
  ['card', ({ pin, memberId }) => redeem({ pin, holderId: memberId })],
  [
    'withdrawal',
    ({ memberId: holderId, accountId }) =>
      createRequestWithdrawal({ database, keys, metrics })({
        holderId,
        accountId,
        requestId: newId(),
        amount: 1_000n,
        destination: { bank: '088', account: '110123456789', holder: '김하나' },
        deviceLabel: '',
      }),
  ],
  [
    'withdrawal taken back',
    ({ withdrawals, memberId }) =>
      createCancelWithdrawal({ database, keys })({ id: withdrawals[0]!, holderId: memberId }),
  ],
  [
    'link refused',
    async ({ memberId }) => {
      const { rows } = await database.pool.query('select id from partner_user where member_id = $1', [
        memberId,
      ])
      return createDecideLink(database)({ memberId, linkId: rows[0].id, decision: 'refuse' })
    },
  ],
  [
    'account closed',
    ({ accountId }) => {
      const guard = { attempt: (_kind: unknown, _who: unknown, work: () => unknown) => work() }
      const passwords = { verify: async () => true }
      return createCloseAccount({ database, keys, guard, passwords } as never)({
        accountId,
        password: PASSWORD,
        waive: true,
        erase: false,
      })
    },
  ],
]

const balancesOf = async ({ memberId }: Rich) =>
  (
    await database.pool.query('select asset, balance from account where holder_id = $1 order by asset', [
      memberId,
    ])
  ).rows

const addWon = (balances: Awaited<ReturnType<typeof balancesOf>>, won: bigint) =>
  balances.map((one) => (one.asset === 'KRW' ? { ...one, balance: one.balance + won } : one))

test('frozen: nothing moves, and a thaw lets each of the same acts happen', async () => {
  const who = await addRich()
  await done(memberFreeze, who.loginId, ...WHY)
  const before = await balancesOf(who)
  for (const [name, act] of ACTS) await assert.rejects(act(who), isMemberFrozen, name)
  for (const id of who.withdrawals) {
    const verb = id === who.withdrawals[0] ? withdrawalApprove : withdrawalPay
    const ran = await run(verb, id, '--as', 'another', '--reason', 'ok')
    assert.deepEqual([ran.code, /member is frozen/.test(ran.text)], [1, true], ran.text)
  }
  assert.match((await run(withdrawalList)).text, /the member is frozen/)
  assert.deepEqual(await balancesOf(who), before)
  // The operator may send the won back to where nobody can spend them.
  await done(withdrawalRefuse, who.withdrawals[0]!, '--reason', 'not theirs')
  // Of an approved one they may have left: who refuses it says that they have not.
  const approved = [who.withdrawals[1]!, '--reason', 'not theirs']
  const paid = await run(withdrawalPay, who.withdrawals[1]!, '--as', 'another', '--reason', 'sent at nine')
  assert.match(paid.text, /bank has sent it.*member thaw.*withdrawal pay.*member freeze.*finance/s)
  const unsure = await run(withdrawalRefuse, ...approved)
  assert.deepEqual([unsure.code, /may have left.*--not-sent/s.test(unsure.text)], [1, true], unsure.text)
  assert.deepEqual(await balancesOf(who), addWon(before, 10_000n), 'only the one that nobody approved')
  const other = await addRich()
  await done(memberFreeze, other.loginId, ...WHY)
  const refused = [other.withdrawals[1]!, '--reason', 'the bank says no', '--not-sent']
  assert.equal((await done(withdrawalRefuse, ...refused)).status, 'refused')
  const { entries } = await done(auditList, '--about', other.withdrawals[1]!)
  assert.equal(entries[0].details.notSent, true)
  await done(memberThaw, who.loginId, ...WHY)
  for (const [name, act] of ACTS.slice(0, 3)) await assert.doesNotReject(act(who), name)
  await done(withdrawalPay, who.withdrawals[1]!, '--as', 'another', '--reason', 'ok')
})

test('frozen before signing up: partners know the person, and no account is made', async () => {
  const person = newPerson()
  await partner.post(SIGNUP, { traceNo: 't', partner: code, userInfo: userInfoOf(person) })
  const { rows } = await database.pool.query(
    'select member_id from partner_user order by registered_at desc limit 1',
  )
  await done(memberFreeze, rows[0].member_id, ...WHY)
  const browser = new Browser(service.url)
  const answer = await browser.post('/signup', {
    verificationId: await verify(browser, 'sign_up', person),
    loginId: 'frozenbefore',
    password: PASSWORD,
    agreed: { service: true, privacy: true, marketing: false },
  })
  assert.deepEqual([answer.status, answer.body.code], [403, 'account_frozen'])
  // The first card of a person without any account in the books.
  const { giftId } = (await partner.buy({ phoneNumber: person.mdn, amount: 1_000 })).body.data
  const sealed = (await database.pool.query('select pin from gift_card where id = $1', [giftId])).rows[0].pin
  const pin = parsePin(keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, sealed))!
  await assert.rejects(redeem({ pin, holderId: rows[0].member_id }), isMemberFrozen)
})

// Whoever is first has it: the other waits for the row, and then sees what was done.
test('a freeze waits for the order that is under way, which stands; the next is refused', async () => {
  const who = await addRich()
  const client = await database.pool.connect()
  await client.query('begin')
  const { rows: me } = await client.query('select pg_backend_pid() as pid')
  const placed = await client.query(
    'select outcome from place_orders(array[$1::uuid], array[$2::uuid], array[gen_random_uuid()])',
    [who.quoteId, who.memberId],
  )
  assert.equal(placed.rows[0].outcome, 'placed')
  const freezing = run(memberFreeze, who.loginId, ...WHY)
  await someoneWaitsFor(me[0].pid)
  await client.query('commit')
  client.release()
  assert.equal((await freezing).code, 0)
  await assert.rejects(redeem({ pin: who.pin, holderId: who.memberId }), isMemberFrozen)
  const { rows } = await database.pool.query(
    'select count(*)::int as n from trade_order where holder_id = $1',
    [who.memberId],
  )
  assert.equal(rows[0].n, 1)
})

test('what comes while a freeze is being written waits for it, and is refused', async () => {
  const who = await addRich()
  const client = await database.pool.connect()
  await client.query('begin')
  const { rows: me } = await client.query(
    'select pg_backend_pid() as pid from account where holder_id = $1 order by id for no key update',
    [who.memberId],
  )
  const order = placeOrder({ quoteId: who.quoteId, holderId: who.memberId })
  order.catch(() => {})
  await someoneWaitsFor(me[0].pid)
  await client.query(
    `insert into member_freeze (id, member_id, frozen_at, frozen_by)
     select gen_random_uuid(), $1, clock_timestamp() + clock_offset, 'test' from installation`,
    [who.memberId],
  )
  await client.query(`update partner_user set status = 'frozen' where member_id = $1`, [who.memberId])
  await client.query(
    `update member_account set frozen_at = service_now(), logins_after = service_now() where member_id = $1`,
    [who.memberId],
  )
  await client.query('update web_session set ended_at = service_now() where account_id = $1', [who.accountId])
  await client.query('commit')
  client.release()
  await assert.rejects(order, isMemberFrozen)
})

async function someoneWaitsFor(pid: number): Promise<void> {
  await until(async () => {
    const waiting = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
    return (await database.pool.query(waiting, [pid])).rowCount
  }, 'somebody waits')
}

test('many at once: log-ins, orders, cards and withdrawals beside a freeze leave nothing moved after it', async () => {
  for (let round = 0; round < 3; round += 1) {
    const who = await addRich()
    const all = [
      ...ACTS.slice(0, 4).map(([, act]) => act(who)),
      logIn(new Browser(service.url), who.loginId),
      run(memberFreeze, who.loginId, ...WHY),
    ]
    const settled = await Promise.allSettled(all)
    for (const one of settled)
      if (one.status === 'rejected') assert.ok(isMemberFrozen(one.reason), String(one.reason))
    assert.equal((await done(memberShow, who.loginId)).sessions.length, 0)
  }
  // The checks of the books, which look for what moved while frozen, run when the file ends.
})

test('the freeze is in the log with its reason; a second one and a thaw of nobody are refused', async () => {
  const who = await addRich()
  await done(memberFreeze, who.accountId, ...WHY)
  const shown = await done(memberShow, who.loginId)
  assert.equal(shown.status, 'frozen')
  assert.deepEqual([shown.freezes[0].frozenBy, shown.freezes[0].thawedAt], ['cli:test', null])
  const entry = shown.changes.at(-1)
  assert.deepEqual(
    [entry.action, entry.details],
    [
      'member.freeze',
      {
        reason: WHY[1],
        before: { frozen: false, sessions: 1 },
        after: { frozen: true, sessions: 0 },
        withdrawals: 2,
      },
    ],
  )
  const wrong: [typeof memberFreeze, string[], number, RegExp][] = [
    [memberFreeze, [who.loginId, ...WHY], 1, /frozen already/],
    [memberFreeze, [who.loginId], 2, /--reason/],
    [memberFreeze, ['nobody', ...WHY], 1, /no member/],
    [memberFreeze, [], 2, /wrong number of arguments/],
    [memberThaw, [(await addMember(service)).loginId, ...WHY], 1, /not frozen/],
  ]
  for (const [command, args, exit, says] of wrong) {
    const ran = await run(command, ...args)
    assert.deepEqual([ran.code, says.test(ran.text)], [exit, true], ran.text)
  }
  await assert.rejects(database.pool.query('delete from member_freeze'), /not allowed/)
})
