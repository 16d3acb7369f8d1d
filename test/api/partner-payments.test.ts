import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPartner } from '#modules/partners/store.ts'
import { decidePayment } from '#modules/payments/rules.ts'
import { listPayments } from '#modules/payments/store.ts'
import { decideChange, requestPayment, requestReversal } from '#test/operator.ts'
import { PHONE, startService, type TestPartner } from '#test/service.ts'

// A partner's payment: asked for by one person, booked by the approval of another, reversed the same way.
const service = await startService()
const beside = await startService({ beside: service })
const { database } = service

const KINDS = ['payment', 'payment_reversal'] as const
const approve = (id: string, actor = 'second') =>
  decideChange(database, { id, kinds: KINDS, act: 'approve', actor, note: '' })
const ask = (code: string, won: bigint, reference: string, prepay = false) =>
  requestPayment(database, { code, won, reference, prepay, actor: 'first', reason: 'test' })
const reverse = (code: string, reference: string) =>
  requestReversal(database, { code, reference, actor: 'first', reason: 'typo' })
const owed = async (code: string) => (await findPartner(database.db, code))!.owed

async function waiting(asked: ReturnType<typeof ask>): Promise<string> {
  const outcome = await asked
  assert.ok(outcome.kind === 'waiting')
  return outcome.request.id
}
const pay = async (...wanted: Parameters<typeof ask>) => approve(await waiting(ask(...wanted)))

async function indebted(won: number): Promise<TestPartner & { code: string }> {
  const partner = await service.addPartner({ creditLimit: BigInt(won) })
  assert.equal((await partner.buy({ phoneNumber: PHONE, amount: won })).status, 200)
  return { ...partner, code: partner.partner.code }
}

test('at the limit a payment ends 402 at once, in every process, and not before a second person approves', async () => {
  const { code, ...partner } = await indebted(5_000)
  const buy = () => partner.buy({ phoneNumber: PHONE, amount: 2_000 })
  assert.equal((await buy()).status, 402)
  const id = await waiting(ask(code, 3_000n, 'KB 0911-1'))
  assert.deepEqual([(await buy()).status, await owed(code)], [402, 5_000n])
  await assert.rejects(approve(id, 'first'), /same_person/)
  const both = await Promise.allSettled([approve(id), approve(id, 'third')])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await owed(code), 2_000n)
  assert.equal((await buy()).status, 200)
  assert.equal((await partner.at(beside).buy({ phoneNumber: PHONE, amount: 1_000 })).status, 200)
  assert.equal((await buy()).status, 402)
})

test('the same command again books nothing: waiting, booked, reversed; another amount is refused', async () => {
  const { code } = await indebted(9_000)
  const [first, again] = await Promise.all([ask(code, 4_000n, 'R-1'), ask(code, 4_000n, ' r-1 ')])
  assert.ok(first.kind === 'waiting' && again.kind === 'waiting')
  assert.equal(first.request.id, again.request.id)
  await assert.rejects(ask(code, 4_001n, 'R-1'), /reference_waits/)
  await approve(first.request.id)
  assert.equal((await ask(code, 4_000n, 'R-1')).kind, 'booked')
  await assert.rejects(ask(code, 4_001n, 'R-1'), /reference_booked/)
  assert.equal(await owed(code), 5_000n)
  // Another partner's payment of the same reference is another payment.
  const other = await indebted(9_000)
  await pay(other.code, 1n, 'R-1')

  const reversal = await waiting(reverse(code, 'R-1'))
  assert.equal(await waiting(reverse(code, 'r-1')), reversal)
  await assert.rejects(approve(reversal, 'first'), /same_person/)
  await approve(reversal)
  assert.deepEqual([await owed(code), (await reverse(code, 'R-1')).kind], [9_000n, 'reversed'])
  await assert.rejects(ask(code, 4_000n, 'R-1'), /reference_reversed/)
  const partner = (await findPartner(database.db, code))!
  const [listed] = await listPayments(database.db, partner.id, 10)
  assert.deepEqual(
    [listed?.askedBy, listed?.approvedBy, listed?.reversedBy],
    ['first', 'second', 'first and second'],
  )
})

test('more than is owed only knowingly, and judged again when it is approved', async () => {
  const { code, ...partner } = await indebted(1_000)
  await assert.rejects(ask(code, 1_001n, 'A'), /more_than_owed.*owed: 1000n/)
  const both = [await waiting(ask(code, 700n, 'A')), await waiting(ask(code, 700n, 'B'))]
  await approve(both[0]!)
  await assert.rejects(approve(both[1]!), /more_than_owed.*owed: 300n/)
  await pay(code, 5_300n, 'C', true)
  assert.equal(await owed(code), -5_000n)
  // What was prepaid is spent before the credit is.
  assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 6_000 })).status, 200)
  assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 1 })).status, 402)
  await assert.rejects(reverse(code, 'C'), /payment_spent.*owedWithout: 6300n, creditLimit: 1000n/)
  const id = await waiting(ask(code, 1_000n, 'D'))
  await decideChange(database, { id, kinds: KINDS, act: 'refuse', actor: 'first', note: '' })
  await assert.rejects(approve(id), /reason: 'refused'/)
})

for (const reference of ['', ' ', 'a\nb', 'x'.repeat(101), '\ud800']) {
  test(`no reference: ${JSON.stringify(reference).slice(0, 20)}`, () =>
    assert.rejects(async () => ask('partner-1', 1n, reference), /reference_invalid/))
}

const fact = { won: 10n, prepay: false, owed: 10n, booked: undefined, waiting: undefined }
const booked = { amount: 10n, reversedAt: null }
for (const [facts, expected] of [
  [{ won: 0n, booked }, 'amount_out_of_bounds'],
  [{ won: 10n ** 15n + 1n, prepay: true }, 'amount_out_of_bounds'],
  [{ booked: { amount: 10n, reversedAt: Temporal.Instant.fromEpochMilliseconds(0) } }, 'reference_reversed'],
  [{ booked: { ...booked, amount: 9n }, waiting: { amount: 10n } }, 'reference_booked'],
  [{ booked, owed: 0n }, 'booked'],
  [{ waiting: { amount: 9n }, owed: 0n }, 'reference_waits'],
  [{ waiting: { amount: 10n }, owed: 0n }, 'waiting'],
  [{ owed: 9n }, 'more_than_owed'],
  [{ owed: -(10n ** 15n), prepay: true }, 'too_much_prepaid'],
  [{ owed: 9n, prepay: true }, 'new'],
  [{}, 'new'],
] as const) {
  test(`payment: ${expected}`, () => {
    const decision = decidePayment({ ...fact, ...facts })
    assert.equal(decision.kind === 'refused' ? decision.reason : decision.kind, expected)
  })
}

test('a storm of purchases in two processes against payments at the limit: never above it, nothing lost', async () => {
  const { code, ...partner } = await indebted(1_000)
  let bought = 0
  let paid = 0
  const buyer = async (at: { url: string }) => {
    for (let i = 0; i < 40; i += 1) {
      const { status } = await partner.at(at).buy({ phoneNumber: PHONE, amount: 100 })
      assert.ok(status === 200 || status === 402, `${status}`)
      if (status === 200) bought += 100
    }
  }
  const payer = async (name: string) => {
    for (let i = 0; i < 8; i += 1) {
      try {
        await pay(code, 150n, `${name}-${i}`)
        paid += 150
      } catch (error) {
        assert.match((error as Error).message, /more_than_owed/)
      }
    }
  }
  await Promise.all([buyer(service), buyer(beside), buyer(service), payer('a'), payer('b')])
  assert.ok(paid > 0 && bought > 0)
  assert.equal(await owed(code), BigInt(1_000 + bought - paid))
  assert.ok((await owed(code)) <= 1_000n)
})

// Behind the service's back.
for (const statement of [
  `update partner_payment set amount = amount + 1`,
  `update partner_payment set reversed_at = null, reversal_id = null where reversal_id is not null`,
  `delete from partner_payment`,
]) {
  test(`refused by the database: ${statement.slice(0, 60)}`, () =>
    assert.rejects(database.pool.query(statement), { code: '23001' }))
}
