import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberAdjust } from '#app/commands/adjustment.ts'
import { approvalsApprove, approvalsList, approvalsShow } from '#app/commands/approvals.ts'
import { cardVoid } from '#app/commands/card.ts'
import { partnerAdd } from '#app/commands/partner.ts'
import { withdrawalPay } from '#app/commands/withdrawal.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { decideChange as decide } from '#flows/approvals/decide-change.ts'
import { requestBullion } from '#flows/books/trade-bullion.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { createReadActs } from '#flows/holdings/read-history.ts'
import { requestPolicy } from '#flows/refunds/change-policy.ts'
import { requestFund } from '#flows/reports/record-funds.ts'
import { bindAccount } from '#flows/staff/bind-account.ts'
import { requestRoleChange } from '#flows/staff/change-role.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { CHANGE_KINDS, type ChangeKind, type Person } from '#modules/approvals/types.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addAccount, addHolder, endWait, testMetrics } from '#test/holders.ts'
import {
  advanceClock,
  changePartner,
  changeTerms,
  decideChange,
  freezeMember,
  redeemForUser,
  requestAdjustment,
  requestPayment,
  requestPrice,
  requestReversal,
  thawMember,
} from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'
import type { StaffBrowser } from '#test/staff.ts'
import { feedPrice } from '#test/trading.ts'

// Four eyes: each act that takes two people, by one and by two, in the console and on the command line.
const service = await startService({ environment: { SINGLE_PERSON: 'off' } })
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner({ creditLimit: 10_000_000n })
const { code } = partner.partner
const someone = await addHolder(service, partner, '홍길동', { KRW_POINT: 10_000n, KRW: 500_000n })
const { holderId } = someone
const accountId = await addAccount(service, holderId)

const mina = await service.consoleAs('finance')
const juno = await service.consoleAs('finance')
const support = await service.consoleAs('support')
const leaving = await service.consoleAs('support')
const kim = await commandsOn(service, 'cli:kim')
const lee = await commandsOn(service, 'cli:lee')
const person = ({ staff }: StaffBrowser): Person => ({ actor: `staff:${staff.email}`, staffId: staff.id })
const asked = { ...person(mina), reason: 'test' }

const query = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
const setMode = (mode: 'live' | 'sandbox') =>
  query(`update installation set mode = $1, clock_offset = interval '0'`, mode)
async function inLive<T>(work: () => Promise<T>): Promise<T> {
  await setMode('live')
  try {
    return await work()
  } finally {
    await setMode('sandbox')
  }
}
const approve = (browser: StaffBrowser, id: string) => browser.post(`/approvals/${id}/approve`, {})
const causeOf = ({ status, body }: Awaited<ReturnType<typeof approve>>) => [
  status,
  body.errors?.[0]?.detail ?? body.code,
]
const buy = async (amount: number) => (await partner.buy({ phoneNumber: PHONE, amount })).body.data.giftId
const askVoid = async (uuid: string, who: Person & { reason: string } = asked) => {
  const outcome = await voidCard(database, { card: { kind: 'uuid', uuid }, approvalFrom: 500_000n, ...who })
  assert.ok(outcome.kind === 'waiting')
  return outcome.request.id
}
const adjust = async (amount: bigint, who: Person & { reason: string } = asked) =>
  (await requestAdjustment(database, { holderId, asset: 'KRW_POINT', amount, ...who })).request.id

await feedPrice(database, 'XAU', 200_000n)

const payment = { code, reference: 'bank 1', won: 700n, prepay: false }
// By kind: how it is asked for, and the first line of what the inbox shows. A refund needs a card that has expired:
// refunds.test.ts travels there.
const ASK: Record<Exclude<ChangeKind, 'refund'>, [ask: () => Promise<string>, difference: object]> = {
  price: [
    async () => (await requestPrice(database, { metal: 'XAU', wonPerGram: 201_000n, ...asked })).request.id,
    { field: 'wonPerGram', before: '200000', after: '201000', unit: 'won_per_gram' },
  ],
  terms: [
    async () => {
      const outcome = await changeTerms(database, { metal: 'XAU', changes: { feeBps: 1 }, ...asked })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'feeBps', before: '30', after: '1', unit: 'basis_points' },
  ],
  credit_limit: [
    () =>
      inLive(async () => {
        const changes = { creditLimit: 20_000_000n }
        return (await changePartner(database, { code, changes, ...asked })).waiting!.id
      }),
    { field: 'creditLimit', before: '10000000', after: '20000000', unit: 'won' },
  ],
  payment: [
    async () => {
      await buy(1_000)
      const outcome = await requestPayment(database, { ...payment, ...asked })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'owed', before: '1000', after: '300', unit: 'won' },
  ],
  payment_reversal: [
    async () => {
      const outcome = await requestReversal(database, { code, reference: 'bank 1', ...asked })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'won', before: '700', after: '0', unit: 'won' },
  ],
  adjustment: [
    async () => {
      const wish = { asset: 'points', amount: -4_000, reason: 'given twice' }
      const { body } = await mina.post(`/members/${holderId}/adjustments`, wish)
      assert.equal(body.waiting, true)
      return body.requestId
    },
    { field: 'points', before: '10000', after: '6000', unit: 'points' },
  ],
  card_void: [
    async () => askVoid(await buy(500_000)),
    { field: 'status', before: 'issued', after: 'voided', unit: 'text' },
  ],
  refund_policy: [
    async () => {
      const policy = {
        version: 'kr-2099',
        effectiveFrom: '2099-01-01',
        until: undefined,
        change: { smallPercent: 92 },
      }
      const outcome = await requestPolicy(database, { ...policy, ...asked })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'effectiveFrom', before: '2000-01-01', after: '2099-01-01', unit: 'text' },
  ],
  staff_role: [
    async () => {
      const outcome = await requestRoleChange(database, {
        email: leaving.staff.email,
        role: 'viewer',
        ...asked,
      })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'role', before: 'support', after: 'viewer', unit: 'text' },
  ],
  bullion: [
    async () => {
      const trade = { side: 'buy', metal: 'XAU', units: 15_000n, won: 300_000n, reference: 'INV-1' } as const
      const outcome = await requestBullion(database, { ...trade, ...asked })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'heldGrams', before: '0.0000 g', after: '1.5000 g', unit: 'text' },
  ],
  commission_rate: [
    async () => {
      const rate = { effectiveFrom: '2099-01-01', bps: 150, base: 'issued' }
      const { body } = await mina.post(`/partners/${code}/billing`, { rate, reason: 'contract of May' })
      assert.equal(body.waiting, true)
      return body.requestId
    },
    { field: 'commissionBps', before: null, after: '150', unit: 'basis_points' },
  ],
  safeguard: [
    async () => {
      const fund = { institution: '한빛은행', method: 'trust', asOf: '2026-01-05', won: 500_000n } as const
      const outcome = await requestFund(database, { ...fund, reference: 'T-1', ...asked })
      assert.ok(outcome.kind === 'waiting')
      return outcome.request.id
    },
    { field: 'safeguarded', before: null, after: '500000', unit: 'won' },
  ],
}

for (const kind of CHANGE_KINDS) {
  if (kind === 'refund') continue
  const [ask, difference] = ASK[kind]
  test(`${kind}: not by one, not by a role that may not; by two`, async () => {
    const id = await ask()
    const { body: waiting } = await juno.get('/approvals')
    const shown = waiting.requests.find((one: { id: string }) => one.id === id)
    assert.deepEqual([shown.kind, shown.mayApprove, shown.mine], [kind, true, false])
    assert.deepEqual(shown.changes[0], difference)
    assert.deepEqual(causeOf(await approve(mina, id)), [409, 'same_person'])
    assert.deepEqual(causeOf(await approve(support, id)), [403, 'forbidden'])
    const { body } = await approve(juno, id)
    assert.deepEqual(
      [body.status, body.checker.actor, body.singlePerson],
      ['executed', `staff:${juno.staff.email}`, false],
    )
    assert.deepEqual(causeOf(await approve(juno, id)), [409, 'request_executed'])
    const [row] = await query('select maker_staff, checker_staff from change_request where id = $1', id)
    assert.deepEqual(row, { maker_staff: mina.staff.id, checker_staff: juno.staff.id })
  })
}

test('a stolen cookie cannot approve: the proof of identity is too old', async () => {
  const stale = await service.consoleAs('admin', { fresh: false })
  const id = await adjust(100n)
  assert.deepEqual(causeOf(await approve(stale, id)), [403, 'proof_required'])
  assert.equal((await juno.get(`/approvals/${id}`)).body.status, 'waiting')
  assert.equal((await juno.post(`/approvals/${id}/refuse`, { reason: 'no' })).body.status, 'refused')
})

test('two who approve at once: it is carried out once', async () => {
  const admin = await service.consoleAs('admin')
  const id = await adjust(100n)
  const answers = await Promise.all([approve(juno, id), approve(admin, id)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const rows = await query('select count(*)::int as moved from transfer where group_id = $1', id)
  assert.deepEqual(rows, [{ moved: 1 }])
})

test('who asked takes it back, whatever the role; another of that role does not', async () => {
  const id = await adjust(100n, { ...person(support), reason: 'test' })
  const other = await service.consoleAs('support')
  assert.equal((await other.post(`/approvals/${id}/refuse`, { reason: 'x' })).status, 403)
  assert.equal(
    (await support.post(`/approvals/${id}/refuse`, { reason: 'a mistake' })).body.status,
    'refused',
  )
  const { body } = await juno.get('/approvals/decided')
  assert.equal(body.requests[0].id, id)
  for (const path of [`/approvals/${newId()}`, '/approvals/x', '/approvals/decided?before=x'])
    assert.ok([400, 404].includes((await juno.get(path)).status), path)
})

test('a reason is for those who may decide or ask for such a change; others read that there is one', async () => {
  const viewer = await service.consoleAs('viewer')
  const words = { ...person(mina), reason: 'for Hong of Mapo' }
  const adjustment = await adjust(100n, words)
  const { request } = await requestPrice(database, { metal: 'XAU', wonPerGram: 200_500n, ...words })
  const shown = async (browser: StaffBrowser, id: string) => {
    const { requests } = (await browser.get('/approvals')).body
    const listed = requests.find((one: { id: string }) => one.id === id)
    const { reason, maker } = (await browser.get(`/approvals/${id}`)).body
    assert.deepEqual([listed.reason, listed.maker], [reason, maker])
    return [reason, maker.actor, maker.address, maker.machine]
  }
  const nothing = [null, `staff:${mina.staff.email}`, null, null]
  for (const id of [adjustment, request.id]) {
    assert.deepEqual(await shown(viewer, id), nothing)
    assert.equal((await shown(juno, id))[0], words.reason)
  }
  // Support may ask for corrections, and not for prices.
  assert.equal((await shown(support, adjustment))[0], words.reason)
  assert.deepEqual(await shown(support, request.id), nothing)
  for (const id of [adjustment, request.id]) await mina.post(`/approvals/${id}/refuse`, { reason: 'test' })
})

test('a role that changed since decides nothing, in the console or behind it', async () => {
  const former = await service.consoleAs('finance')
  const id = await adjust(100n)
  await query(`update staff set role = 'viewer' where id = $1`, former.staff.id)
  assert.deepEqual(causeOf(await approve(former, id)), [403, 'forbidden'])
  const command = { id, kinds: CHANGE_KINDS, act: 'approve', note: '', ...person(former) } as const
  const refused = { kind: 'refused', reason: 'not_permitted' }
  assert.deepEqual(await decide(database, command), refused)
  await query(`update staff set role = 'finance', status = 'suspended' where id = $1`, former.staff.id)
  assert.deepEqual(await decide(database, command), refused)
  await query(`update staff set status = 'active' where id = $1`, former.staff.id)
  await approve(juno, id)
})

test('an adjustment is seen in the history, never goes below zero, and stops at a freeze', async () => {
  const { acts } = (await createReadActs({ database, keys })(holderId, {})) as { acts: { kind: string }[] }
  assert.ok(acts.some(({ kind }) => kind === 'adjust_down') && acts.some(({ kind }) => kind === 'adjust_up'))
  const wish = { asset: 'points', reason: 'test' }
  const far = await mina.post(`/members/${holderId}/adjustments`, { ...wish, amount: -900_000_000 })
  assert.deepEqual(causeOf(far), [409, 'adjusted_below_zero'])
  assert.equal((await mina.post(`/members/${newId()}/adjustments`, { ...wish, amount: 1 })).status, 404)
  assert.equal((await mina.post(`/members/${holderId}/adjustments`, { ...wish, amount: 0 })).status, 409)
  const id = await adjust(-5_000n)
  const other = await adjust(-5_000n)
  await freezeMember(database, { member: holderId, reason: 'test', actor: 'test' })
  assert.deepEqual(causeOf(await approve(juno, id)), [409, 'holder_frozen'])
  await thawMember(database, { member: holderId, reason: 'test', actor: 'test' })
  assert.equal((await approve(juno, id)).body.status, 'executed')
  // Both were possible when they were asked for.
  assert.deepEqual(causeOf(await approve(juno, other)), [409, 'adjusted_below_zero'])
  assert.equal((await juno.get(`/approvals/${other}`)).body.status, 'waiting')
})

test('a card that was used meanwhile is not voided; a small one takes one person', async () => {
  const uuid = await buy(600_000)
  const id = await askVoid(uuid)
  assert.equal(await askVoid(uuid), id, 'asked again, it is the same request')
  const [card] = await query('select pin from gift_card where id = $1', uuid)
  const pin = keys.vault().open({ table: 'gift_card', column: 'pin', row: uuid }, card!.pin)
  await redeemForUser({ database, keys }, { partner: code, partnerKey: someone.userKey, pin, actor: 'test' })
  assert.deepEqual(causeOf(await approve(juno, id)), [409, 'card_changed'])
  const small = { card: { kind: 'uuid', uuid: await buy(499_999) }, approvalFrom: 500_000n } as const
  assert.equal((await voidCard(database, { ...small, ...asked })).kind, 'voided')
})

test('one person for two: only where it is declared, only in a sandbox, and recorded', async () => {
  assert.equal((await mina.get('/session')).body.singlePerson, false)
  const id = await adjust(100n)
  const command = { id, kinds: CHANGE_KINDS, act: 'approve', note: '', ...person(mina) } as const
  const declared = { ...command, singlePerson: true }
  const same = { kind: 'refused', reason: 'same_person' }
  assert.deepEqual(await decide(database, command), same)
  assert.deepEqual(await inLive(() => decide(database, declared)), same)
  const done = await decideChange(database, declared)
  assert.deepEqual([done.request.status, done.request.singlePerson], ['executed', true])
  const [entry] = await query(
    `select details from audit_entry where subject = $1 and action = 'change.approve'`,
    id,
  )
  assert.equal(entry!.details.singlePerson, true)
})

test('refused by a live database: one person for two, in SQL', async () => {
  const id = await adjust(100n)
  const executed = `update change_request set status = 'executed', checker = maker, checker_staff = maker_staff,
    decided_at = service_now(), executed_hash = payload_hash, single_person = true where id = $1`
  await inLive(() =>
    assert.rejects(query(executed, id), { code: '23514', constraint: 'change_request_single_person' }),
  )
  const lone = executed.replace(', single_person = true', '')
  await assert.rejects(query(lone, id), { constraint: 'change_request_two_people' })
  const staffed = lone.replace('checker = maker,', `checker = 'x',`)
  await assert.rejects(query(staffed, id), { constraint: 'change_request_two_people' })
  await assert.rejects(query('update change_request set single_person = true where id = $1', id), {
    constraint: 'change_request_single_is_executed',
  })
  await assert.rejects(query('update change_request set maker_staff = null where id = $1', id), {
    code: '23001',
  })
})

const bind = (account: string, { staff }: StaffBrowser) =>
  bindAccount(database, { account, email: staff.email, actor: 'test' })

test('in live one person who registers a partner gives it no credit, and the command line no more than the default', async () => {
  const creditOf = async (code: string) => (await mina.get(`/partners/${code}`)).body.creditLimit
  await inLive(async () => {
    const terms = { name: 'Ghost', creditLimit: 900_000_000_000 }
    const { body } = await mina.post('/partners', { code: 'ghost', terms })
    assert.deepEqual([body.waiting, await creditOf('ghost')], [true, 0])
    assert.deepEqual(causeOf(await approve(mina, body.requestId)), [409, 'same_person'])
    const { body: usual } = await mina.post('/partners', { code: 'usual', terms: { name: 'Usual' } })
    assert.deepEqual([usual.waiting, await creditOf('usual')], [true, 0], 'the default is credit too')
    assert.equal((await approve(juno, body.requestId)).status, 200)
    assert.equal(await creditOf('ghost'), 900_000_000_000)
    const { body: prepaid } = await mina.post('/partners', {
      code: 'prepaid',
      terms: { name: 'P', creditLimit: 0 },
    })
    assert.equal(prepaid.waiting, false)

    const add = (code: string, limit: string) =>
      kim.done(partnerAdd, code, '--name', 'Shop', '--credit-limit', limit)
    assert.deepEqual(
      [(await add('shop', '100000000')).waiting, await creditOf('shop')],
      [undefined, 100_000_000],
    )
    const { waiting } = await add('large', '100000001')
    assert.deepEqual([waiting.creditLimit, await creditOf('large')], ['100000001', 100_000_000])
  })
  assert.equal(
    (await mina.post('/partners', { code: 'toy', terms: { name: 'Toy' } })).body.waiting,
    false,
    'play money',
  )
})

test('in live a command prints a request, and an account approves once it is bound, to another person', async () => {
  const argv = [holderId, 'points', '--add', '500', '--reason', 'test']
  await inLive(async () => {
    const { id, status } = await kim.done(memberAdjust, ...argv)
    assert.equal(status, 'waiting')
    const unbound = await lee.run(approvalsApprove, id)
    assert.deepEqual([unbound.code, /ingot operator bind/.test(unbound.text)], [1, true])
    await bind('cli:kim', mina)
    await bind('cli:lee', juno)
    // Asked for by an account that was bound later: it is still that person's.
    assert.deepEqual(causeOf(await approve(mina, id)), [409, 'same_person'])
    assert.match((await kim.run(approvalsApprove, id)).text, /another person has to approve/)
    assert.equal((await lee.done(approvalsApprove, id)).status, 'executed')
    // Asked for in the console, approved by the same person's account; and the reverse.
    const mine = await adjust(100n)
    assert.match((await kim.run(approvalsApprove, mine)).text, /another person has to approve/)
    const { id: ours } = await lee.done(memberAdjust, ...argv)
    assert.deepEqual(causeOf(await approve(juno, ours)), [409, 'same_person'])
    assert.equal((await approve(mina, ours)).body.maker.actor, 'cli:lee')
  })
})

test('in a sandbox one call is enough with --as; the list and the page of a request say what changes', async () => {
  const done = await kim.done(
    memberAdjust,
    holderId,
    'deposit',
    '--take',
    '1000',
    '--reason',
    'x',
    '--as',
    'park',
  )
  assert.equal(done.status, 'executed')
  const card = await buy(700_000)
  assert.equal((await kim.done(cardVoid, card, '--reason', 'x', '--as', 'park')).status, 'voided')
  const { request } = await kim.done(cardVoid, await buy(700_000), '--reason', 'too large')
  const { text } = await kim.run(approvalsShow, request)
  assert.match(text, /asked by +cli:kim \(nothing was seen but the name\)/)
  assert.match(text, /status +issued → voided/)
  assert.match(
    (await kim.run(approvalsList)).text,
    /card_void .* the void of a card of ₩700,000 .* too large/,
  )
  for (const [argv, code] of [
    [[holderId, 'gold', '--add', '1', '--reason', 'x'], 2],
    [[holderId, 'points', '--add', '1', '--take', '1', '--reason', 'x'], 2],
    [[holderId, 'points', '--take', '999999999', '--reason', 'x'], 1],
  ] as const)
    assert.equal((await kim.run(memberAdjust, ...argv)).code, code, argv.join(' '))
})

const withdraw = createRequestWithdrawal({ database, keys, metrics: testMetrics() })
async function requestPayout(account = '110123456789'): Promise<string> {
  const destination = { bank: '088', account, holder: '홍길동' }
  const command = { holderId, accountId, requestId: newId(), amount: 10_000n, deviceLabel: '' }
  const outcome = await withdraw({ ...command, destination })
  assert.ok(outcome.kind === 'requested')
  await endWait(database, outcome.withdrawal.id)
  return outcome.withdrawal.id
}
const settle = (browser: StaffBrowser, id: string, act: string) =>
  browser.post(`/withdrawals/${id}/${act}`, { reason: 'test' })

test('a payout: one approves, another pays; masked, and revealed with a reason', async () => {
  const id = await requestPayout()
  const { body: inbox } = await juno.get('/approvals')
  assert.ok(inbox.withdrawals.some((one: { id: string }) => one.id === id))
  assert.deepEqual(causeOf(await settle(support, id, 'approve')), [403, 'forbidden'])
  const { body: approved } = await settle(mina, id, 'approve')
  assert.deepEqual([approved.status, approved.acts], ['approved', ['refuse']])
  assert.deepEqual(causeOf(await settle(mina, id, 'pay')), [409, 'same_person'])
  assert.match((await kim.run(withdrawalPay, id, '--reason', 'x')).text, /another person/)
  const { body: page, text } = await juno.get(`/withdrawals/${id}`)
  assert.deepEqual([page.acts, page.account], [['pay', 'refuse'], '········6789'])
  assert.ok(!text.includes('110123456789') && !text.includes('홍길동'))
  assert.equal((await support.post(`/withdrawals/${id}/reveal`, { reason: 'x' })).status, 403)
  assert.equal(
    (await juno.post(`/withdrawals/${id}/reveal`, { reason: 'to pay it' })).body.account,
    '110123456789',
  )
  const { body: paid } = await settle(juno, id, 'pay')
  assert.equal(paid.status, 'paid')
  const [last] = paid.timeline
  const told = last.details.find(({ name }: { name: string }) => name === 'after')
  assert.deepEqual([last.what, told.value], ['withdrawal.pay', 'status paid'])
  // Its requests stand there too, as soon as they are written.
  const acts: string[] = paid.timeline.map(({ what }: { what: string }) => what)
  assert.deepEqual(
    new Set(acts.filter((what) => !what.startsWith('request.'))),
    new Set([
      'requested',
      'notice.payout_account',
      'withdrawal.approve',
      'withdrawal.reveal',
      'withdrawal.pay',
    ]),
  )
  assert.equal((await juno.get(`/withdrawals/${newId()}`)).status, 404)
  const lone = `update withdrawal set settled_staff = approved_staff where id = $1`
  await assert.rejects(query(lone, id), { constraint: 'withdrawal_paid_by_another' })
})

test('in live an account that nobody is bound to neither approves nor pays', async () => {
  const id = await requestPayout('110123456780')
  const by = (actor: string, act: 'approve' | 'pay') =>
    settleWithdrawal(database, { id, act, actor, reason: 'x' })
  const unbound = { reason: 'unbound_account' }
  await inLive(async () => {
    assert.partialDeepStrictEqual(await by('cli:park', 'approve'), unbound)
    assert.equal((await by('cli:kim', 'approve')).kind, 'done')
    assert.partialDeepStrictEqual(await by('cli:park', 'pay'), unbound)
    assert.deepEqual(causeOf(await settle(mina, id, 'pay')), [409, 'same_person'])
    assert.equal((await settle(juno, id, 'pay')).body.status, 'paid')
  })
})

test('while a restore is being examined no payout is approved or paid, and it may be refused', async () => {
  const id = await requestPayout('110123456781')
  await query(
    `insert into restoration (id, certain_until, recorded_by, service_at) values ($1, now(), 'test', service_now())`,
    newId(),
  )
  assert.deepEqual(causeOf(await settle(mina, id, 'approve')), [409, 'restore_examined'])
  const { body } = await mina.get(`/withdrawals/${id}`)
  assert.deepEqual([body.acts, body.restoreExamined], [['refuse'], true])
  assert.equal((await settle(mina, id, 'refuse')).body.status, 'refused')
  await query(`update restoration set released_at = now(), released_by = 'test'`)
})

test('what nobody approved in time is over, and the count falls', async () => {
  const id = await adjust(100n)
  const { body: before } = await juno.get('/approvals/count')
  assert.ok(before.requests >= 1)
  await advanceClock(database, { seconds: 86_401, actor: 'test' })
  const later = await service.consoleAs('admin')
  assert.deepEqual(causeOf(await approve(later, id)), [409, 'request_expired'])
  assert.equal((await later.get(`/approvals/${id}`)).body.status, 'expired')
  assert.equal((await later.get('/approvals/count')).body.requests, 0)
  const { body } = await later.get('/approvals/decided')
  assert.ok(
    body.requests.some((one: { id: string; status: string }) => one.id === id && one.status === 'expired'),
  )
})
