import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createLog } from '#base/log.ts'
import * as approvals from '#flows/approvals/decide-change.ts'
import { expireCards } from '#flows/gift-cards/expire-cards.ts'
import { remindOfExpiry } from '#flows/gift-cards/remind-of-expiry.ts'
import { createCountFigures } from '#flows/overview/count-figures.ts'
import { requestPolicy } from '#flows/refunds/change-policy.ts'
import { extendCard } from '#flows/refunds/extend-card.ts'
import { quoteRefund, requestRefund } from '#flows/refunds/refund-card.ts'
import { forgetOldQuotes } from '#jobs/forget-old-quotes.ts'
import { addMember, Browser, ciOfPerson, newPerson, verify } from '#test/member.ts'
import { decideChange, freezeMember } from '#test/operator.ts'
import { REFUND_THEFTS } from '#test/planted-refunds.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { assets, brokenBy, claim, codeOf, offers, refundScene } from '#test/refund-scene.ts'
import { assertBooks, BUY, startService } from '#test/service.ts'
import { addLink } from '#test/web-view.ts'

const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner()
const deps = { database, keys }
const DAY = 86_400

const { travel, one, today, balanceOf, buy, memberIdOf } = refundScene(database, partner)
const usage = async () => (await partner.get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')).body
const second = { act: 'approve', actor: 'second', note: '' } as const

const mina = await addMember(service)
const juno = await addMember(service)
const small = await buy(50_000)
const large = await buy(50_001)
const forSupport = await buy(30_000)
const raced = await buy(20_000)
const extended = await buy(40_000)
const inView = await buy(9_999)
const voided = await buy(1_000)
await partner.post(`${BUY}/${voided.giftId}/cancel`, { reason: 'x' })

test('before it expires: no refund; one extension, by its member or by support', async () => {
  assert.equal(codeOf(await offers(mina, small.pin)), 'card_still_valid')
  const checked = (await mina.browser.post('/cards/check', { pin: extended.pin })).body
  assert.ok(checked.extendsTo > checked.expiresOn)
  const countFigures = createCountFigures(database)
  await countFigures()
  const moved = await mina.browser.post('/cards/extend', { pin: extended.pin })
  assert.deepEqual(moved.body, { expiresOn: checked.extendsTo, was: checked.expiresOn })
  // A lost answer is asked for again; nobody else gets a second extension.
  assert.deepEqual((await mina.browser.post('/cards/extend', { pin: extended.pin })).body, moved.body)
  assert.equal(codeOf(await juno.browser.post('/cards/extend', { pin: extended.pin })), 'card_not_extendable')
  const card = { kind: 'uuid', uuid: extended.giftId } as const
  const refused = await extendCard(database, { card, reason: 'x', actor: 'test' })
  assert.deepEqual(refused, { kind: 'refused', reason: 'extended' })
  const support = await extendCard(database, {
    card: { kind: 'uuid', uuid: raced.giftId },
    reason: 'asked by phone',
    actor: 'test',
  })
  assert.equal(support.kind === 'extended' && support.again, false)
  assert.equal((await mina.browser.post('/cards/check', { pin: extended.pin })).body.extendsTo, null)
  // A partner sees the new day in its lookup, and verify explains it.
  assert.equal((await partner.get(`${BUY}/${extended.giftId}`)).body.data.expires, checked.extendsTo)
  await countFigures()
  await assertBooks(database)
})

test('an extended card is reminded of its new last day as well', async () => {
  const { expires } = (await partner.get(`${BUY}/${small.giftId}`)).body.data
  const until = Temporal.PlainDate.from(await today()).until(Temporal.PlainDate.from(expires)).days
  await travel((until - 5) * DAY)
  await remindOfExpiry(database)
  const reminded = async (giftId: string) =>
    (
      await database.pool.query(
        `select distinct ordinal from delivery where card_id = $1 and purpose = 'reminder' order by 1`,
        [giftId],
      )
    ).rows.map(({ ordinal }) => ordinal)
  assert.deepEqual([await reminded(small.giftId), await reminded(extended.giftId)], [[7], []])
  await travel(90 * DAY)
  await remindOfExpiry(database)
  assert.deepEqual(await reminded(extended.giftId), [1007])
  await travel(10 * DAY, mina, juno)
})

test('as points at once: the whole, and the PIN is gone', async () => {
  const before = await usage()
  // The worker has not come to it: the refund finds it expired by its day.
  const offered = await offers(mina, small.pin)
  assert.equal(offered.status, 200, offered.text)
  assert.equal(offered.body.policy, 'kr-2025-09')
  const figures = offered.body.offers.map(({ quoteId: _, ...lines }: { quoteId: string }) => lines)
  assert.deepEqual(figures, [
    { payout: 'points', face: 50_000, percent: 100, deduction: 0, total: 50_000 },
    { payout: 'money', face: 50_000, percent: 90, deduction: 5_000, total: 45_000 },
  ])
  const [asPoints, asMoney] = offered.body.offers
  assert.equal(codeOf(await claim(juno, asPoints.quoteId)), 'quote_expired', 'another person’s quote')
  const refunded = await claim(mina, asPoints.quoteId)
  assert.deepEqual([refunded.body.total, refunded.body.held, refunded.body.again], [50_000, 50_000, false])
  const again = await claim(mina, asPoints.quoteId)
  assert.deepEqual(again.body, { ...refunded.body, again: true })
  assert.equal(codeOf(await claim(mina, asMoney.quoteId)), 'card_refunded')
  assert.equal(codeOf(await offers(mina, small.pin)), 'card_refunded')
  assert.deepEqual(await assets(mina), { points: 50_000, deposit: 0 })
  assert.deepEqual(await one('select status, pin from gift_card where id = $1', small.giftId), {
    status: 'expired',
    pin: null,
  })
  // A refund is never a use.
  assert.deepEqual(await usage(), before)
  const { used, valid } = (await partner.get(`${BUY}/${small.giftId}`)).body.data
  assert.deepEqual([used, valid], [false, false])
})

test('as money: into the deposit, the rest to an account of its own', async () => {
  await expireCards(database)
  const { offers: made } = (await offers(mina, large.pin)).body
  assert.equal((await claim(mina, made[1].quoteId)).body.total, 47_501)
  assert.deepEqual(await assets(mina), { points: 50_000, deposit: 47_501 })
  assert.equal(await balanceOf('refund_fees', 'KRW_POINT'), 2_500)
  assert.deepEqual(
    [await balanceOf('refund_exchange', 'KRW_POINT'), await balanceOf('refund_exchange', 'KRW')],
    [47_501, -47_501],
  )
  const { acts } = (await mina.browser.get('/history/acts')).body
  assert.deepEqual(
    acts.map((act: { kind: string; partner: string; movements: { asset: string; change: string }[] }) => [
      act.kind,
      act.partner,
      act.movements.map(({ asset, change }) => `${asset} ${change}`).join(),
    ]),
    [
      ['refund', partner.partner.name, 'deposit +47501'],
      ['refund', partner.partner.name, 'points +50000'],
    ],
  )
})

test('forty claims at once, of two members and of both ways: one refund', async () => {
  const quotes = await Promise.all(
    [mina, juno].map(async (who) => (await offers(who, raced.pin)).body.offers),
  )
  const before = [await assets(mina), await assets(juno)]
  const claims = Array.from({ length: 40 }, (_, i) => {
    const who = i % 2
    return claim([mina, juno][who]!, quotes[who]![(i >> 1) % 2].quoteId)
  })
  const answers = await Promise.all(claims)
  const paid = answers.filter(({ status }) => status === 200)
  assert.equal(paid.filter(({ body }) => !body.again).length, 1)
  assert.equal(new Set(paid.map(({ body }) => body.refundId)).size, 1)
  assert.ok(answers.every((answer) => answer.status === 200 || codeOf(answer) === 'card_refunded'))
  const after = [await assets(mina), await assets(juno)]
  const sum = (all: { points: number; deposit: number }[]) =>
    all.reduce((total, { points, deposit }) => total + points + deposit, 0)
  assert.equal(sum(after) - sum(before), paid[0]!.body.total)
  await assertBooks(database)
})

test('a wrong person learns nothing: a wrong PIN, a frozen member, an unverified web view', async () => {
  assert.equal(codeOf(await offers(juno, '0000-0000-0000-0000')), 'card_not_registered')
  assert.equal(codeOf(await offers(juno, voided.pin)), 'card_cancelled')
  const { offers: made } = (await offers(juno, inView.pin)).body
  const memberId = await memberIdOf(juno)
  await freezeMember(database, { member: memberId, reason: 'x', actor: 'test' })
  assert.equal((await claim(juno, made[0].quoteId)).status, 401)
  const named = { card: { kind: 'uuid', uuid: inView.giftId }, member: memberId, payout: 'points' } as const
  const frozen = await quoteRefund(deps, named)
  assert.equal(frozen.kind === 'refused' && frozen.reason, 'member_frozen')
  // A web view pays no money out, so it offers points alone, and only to a person who verified in it.
  const person = newPerson()
  const link = await addLink(service, partner, { name: person.name, ci: ciOfPerson(person) })
  const view = new Browser(service.url, '/webview/member')
  assert.equal((await view.enter(await link.hashKey())).status, 303)
  assert.equal(codeOf(await view.post('/cards/refund-offers', { pin: inView.pin })), 'step_up_required')
  await verify(view, 'step_up', person)
  const offered = await view.post('/cards/refund-offers', { pin: inView.pin })
  assert.deepEqual(
    offered.body.offers.map(({ payout }: { payout: string }) => payout),
    ['points'],
  )
})

test('support: a quote, then two people; the quote’s figures and version stand while it waits', async () => {
  const memberId = await memberIdOf(mina)
  const named = { card: { kind: 'uuid', uuid: forSupport.giftId }, member: mina.loginId } as const
  const quoted = await quoteRefund(deps, { ...named, payout: 'money' })
  assert.ok(quoted.kind === 'offered')
  assert.deepEqual([quoted.quote.deduction, quoted.quote.total], [3_000n, 27_000n])
  const quoteId = quoted.quote.id
  const asked = await requestRefund(database, { quoteId, reason: 'lost phone', actor: 'first' })
  assert.ok(asked.kind === 'waiting')
  const again = await requestRefund(database, { quoteId, reason: 'lost phone', actor: 'first' })
  assert.equal(again.kind === 'waiting' && again.request.id, asked.request.id)
  const decision = { id: asked.request.id, kinds: ['refund'] as const, ...second }
  const alone = await approvals.decideChange(database, { ...decision, actor: 'first' })
  assert.equal(alone.kind === 'refused' && alone.reason, 'same_person')
  // A new policy is agreed on meanwhile. It is for cards of a later day.
  const from = Temporal.PlainDate.from(await today())
    .add({ days: 2 })
    .toString()
  const policy = { version: 'kr-test', effectiveFrom: from, until: undefined, change: { smallPercent: 80 } }
  const wanted = await requestPolicy(database, { ...policy, reason: 'x', actor: 'first' })
  assert.ok(wanted.kind === 'waiting')
  await decideChange(database, { id: wanted.request.id, kinds: ['refund_policy'], ...second })
  await travel(3_600, mina)
  const before = await assets(mina)
  await decideChange(database, decision)
  assert.equal((await assets(mina)).deposit, before.deposit + 27_000)
  const done = await requestRefund(database, { quoteId, reason: 'lost phone', actor: 'first' })
  assert.ok(done.kind === 'done' && done.refund.holderId === memberId && done.refund.policy === 'kr-2025-09')
  const twice = await quoteRefund(deps, { ...named, payout: 'points' })
  assert.equal(twice.kind === 'refused' && twice.reason, 'refunded')
})

test('a policy with a gap, an overlap or a past is refused by name, and nothing is written', async () => {
  const plus = async (days: number) =>
    Temporal.PlainDate.from(await today())
      .add({ days })
      .toString()
  const ask = async (days: number, until?: number) => {
    const outcome = await requestPolicy(database, {
      version: 'kr-other',
      effectiveFrom: await plus(days),
      until: until === undefined ? undefined : await plus(until),
      change: {},
      reason: 'x',
      actor: 'first',
    })
    return outcome.kind === 'refused' ? outcome.reason : outcome.kind
  }
  const waiting = async () => (await one<{ n: string }>('select count(*) as n from change_request')).n
  const before = await waiting()
  assert.equal(await ask(0), 'policy_begins_too_soon')
  assert.equal(await ask(10, 20), 'policy_gap')
  assert.equal(await waiting(), before)
  await assert.rejects(
    sql`insert into refund_policy select 'x', seoul_date(service_now()), cancel_days, refund_years, small_up_to, small_percent,
        large_percent, points_percent, notice_days from refund_policy limit 1`.execute(database.db),
    { constraint: 'refund_policy_begins_later' },
  )
})

test('a new policy is for cards bought from its first day on', async () => {
  await travel(2 * DAY)
  const { giftId } = await buy(10_000)
  await travel(400 * DAY, mina)
  await expireCards(database)
  const named = { member: mina.loginId, payout: 'money' } as const
  const byNew = await quoteRefund(deps, { ...named, card: { kind: 'uuid', uuid: giftId } })
  const byOld = await quoteRefund(deps, { ...named, card: { kind: 'uuid', uuid: inView.giftId } })
  assert.ok(byNew.kind === 'offered' && byOld.kind === 'offered')
  assert.deepEqual([byNew.policy.version, byNew.quote.total], ['kr-test', 8_000n])
  assert.deepEqual([byOld.policy.version, byOld.quote.total], ['kr-2025-09', 9_000n])
})

test('a quote holds for ten minutes, is erased later, and the window ends five years from purchase', async () => {
  const { offers: made } = (await offers(mina, inView.pin)).body
  await travel(601)
  assert.equal(codeOf(await claim(mina, made[0].quoteId)), 'quote_expired')
  const { until } = (await one<{ until: string }>(
    `select (issued_on + interval '5 years')::date::text as until from gift_card where id = $1`,
    inView.giftId,
  ))!
  const days = Temporal.PlainDate.from(await today()).until(Temporal.PlainDate.from(until)).days
  await travel(days * DAY, mina)
  assert.equal(await today(), until)
  assert.equal((await offers(mina, inView.pin)).status, 200, 'on the very day')
  await travel(DAY, mina)
  assert.equal(codeOf(await offers(mina, inView.pin)), 'refund_too_late')
  await travel(2 * DAY)
  await forgetOldQuotes({ database, log: createLog('silent') })
  assert.equal((await one<{ n: number }>('select count(*)::int as n from refund_quote')).n, 0)
})

for (const [check, what, mistake] of REFUND_THEFTS) {
  test(`verify finds: ${what}`, async () => {
    const broken = await brokenBy(database, mistake)
    assert.ok(broken.includes(check), `${check} is not among ${JSON.stringify(broken)}`)
  })
}
