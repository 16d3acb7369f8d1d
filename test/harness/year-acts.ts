import assert from 'node:assert/strict'
import { partnerPay, partnerReversePayment } from '#app/commands/payment.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { expireCards } from '#flows/gift-cards/expire-cards.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { createClaimRefund, createQuoteRefund } from '#flows/refunds/claim-refund.ts'
import { createExtendOwnCard } from '#flows/refunds/extend-own-card.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { createCancelWithdrawal, settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { commandsOn } from './direct-commands.ts'
import { addAccount, addHolder, testMetrics } from './holders.ts'
import { TEST_RING_STORE } from './postgres.ts'
import type { Random } from './random.ts'
import { BUY, PHONE, type TestPartner, type TestService } from './service.ts'
import { feedPrice } from './trading.ts'
import type { ModelCard, Year } from './year-model.ts'

const HOLDING = 'holding'
const PRICES = { XAU: 198_500n, XAG: 2_480n }
const later = (day: string, duration: Temporal.DurationLike) =>
  Temporal.PlainDate.from(day).add(duration).toString()

export interface Scene {
  service: TestService
  partners: TestPartner[]
  year: Year
  random: Random
}

// What people do in a year. Each act is done to the service, and then written down in the model, with the amounts that the
// answer names.
export async function yearActs({ service, partners, year, random }: Scene) {
  const { database } = service
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const deps = { database, keys, metrics: testMetrics() }
  const redeem = createRedeemGiftCard(deps)
  const [quote, place] = [createQuoteOrder(deps), createPlaceOrder(deps)]
  const [quoteRefund, claimRefund] = [createQuoteRefund(deps), createClaimRefund(deps)]
  const extend = createExtendOwnCard(deps)
  const [request, cancel] = [createRequestWithdrawal(deps), createCancelWithdrawal(deps)]
  const { run } = await commandsOn(service)
  const { holderId } = await addHolder(service, partners[0]!, '홍길동', { KRW: 50_000n })
  const accountId = await addAccount(service, holderId)
  const pins = new Map<string, string>()
  const purse = { points: 0n, deposit: 50_000n, XAU: 0n, XAG: 0n }
  const waiting: { id: string; amount: bigint; since: number; approved: boolean }[] = []
  let payments = 0

  const rows = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
  const clock = async (): Promise<{ day: string; seconds: number }> =>
    (
      await rows(
        `select seoul_date(n)::text as day, extract(epoch from n)::float8 as seconds from (select service_now() as n) c`,
      )
    )[0]
  const today = async () => (await clock()).day
  // Mostly a new one, so that others grow old; the first ones in any case.
  const pickCard = (fits: (card: ModelCard) => boolean, oldest = 3) => {
    const fitting = year.cards
      .slice(oldest)
      .filter(fits)
      .slice(random.chance(0.7) ? -6 : 0)
    return fitting.length > 0 ? random.pick(fitting) : undefined
  }
  const of = (kind: string, card: ModelCard) => `${kind} ${card.partner}`

  function wrote(day: string, kind: string, card: ModelCard, to: string, state: ModelCard['state']): void {
    const from = state === 'refunded' ? 'expired_cards' : 'outstanding_cards'
    year.move(day, kind, 'KRW_POINT', of(from, card), to, card.amount, card)
    card.state = state
  }

  async function buy(): Promise<void> {
    const partner = random.pick(partners)
    const { code } = partner.partner
    const amount = 1_000 + random.int(random.pick([3_000, 60_000]))
    const day = await today()
    const answer = await partner.buy({ phoneNumber: PHONE, amount })
    const { limit } = year.partners.get(code)!
    const fits = year.owed(code) + BigInt(amount) <= limit
    assert.equal(answer.status, fits ? 200 : 402, answer.text)
    if (!fits) return
    const card: ModelCard = {
      id: answer.body.data.giftId,
      partner: code,
      amount: BigInt(amount),
      issuedOn: day,
      expiresOn: later(day, { months: 12 }),
      state: 'issued',
      extended: false,
    }
    year.cards.push(card)
    year.move(
      day,
      'issue',
      'KRW_POINT',
      of('partner_receivable', card),
      of('outstanding_cards', card),
      card.amount,
      card,
    )
    const [{ pin }] = await rows('select pin from gift_card where id = $1', card.id)
    pins.set(card.id, keys.vault().open({ table: 'gift_card', column: 'pin', row: card.id }, pin))
  }

  const pinOf = ({ id }: ModelCard) => parsePin(pins.get(id)!)!

  async function use(): Promise<void> {
    const day = await today()
    const card = pickCard(({ state, expiresOn }) => state === 'issued' && expiresOn >= day)
    if (!card) return
    assert.equal((await redeem({ pin: pinOf(card), holderId })).kind, 'redeemed')
    wrote(day, 'redeem', card, HOLDING, 'used')
    purse.points += card.amount
  }

  // By the partner in the first days, and by the operator at any time.
  async function takeBack(): Promise<void> {
    const day = await today()
    const card = pickCard(({ state, expiresOn }) => state === 'issued' && expiresOn >= day)
    if (!card) return
    const partner = partners.find((one) => one.partner.code === card.partner)!
    const isNew = day <= later(card.issuedOn, { days: 5 })
    if (isNew && random.chance(0.7)) {
      assert.equal((await partner.post(`${BUY}/${card.id}/cancel`, { reason: 'test' })).status, 200)
    } else {
      const command = { reason: 'test', actor: 'test', approvalFrom: 10n ** 12n }
      const outcome = await voidCard(database, { card: { kind: 'uuid', uuid: card.id }, ...command })
      assert.equal(outcome.kind, 'voided')
    }
    wrote(day, 'void', card, of('partner_receivable', card), 'voided')
  }

  async function lengthen(): Promise<void> {
    const day = await today()
    const card = pickCard((one) => one.state === 'issued' && one.expiresOn >= day && !one.extended)
    if (!card) return
    const outcome = await extend({ pin: pinOf(card), holderId })
    card.expiresOn = later(card.expiresOn, { months: 3 })
    card.extended = true
    assert.equal(outcome.kind === 'extended' && outcome.toDay, card.expiresOn)
  }

  async function expire(): Promise<void> {
    const day = await today()
    const over = year.cards.filter(({ state, expiresOn }) => state === 'issued' && expiresOn < day)
    assert.equal(await expireCards(database), over.length)
    for (const card of over) wrote(day, 'expire', card, of('expired_cards', card), 'expired')
  }

  // Before or after the worker has come to the card.
  async function refund(): Promise<void> {
    const day = await today()
    const card = pickCard(
      ({ state, expiresOn }) => state === 'expired' || (state === 'issued' && expiresOn < day),
      0,
    )
    if (!card) return
    const offer = await quoteRefund({ pin: pinOf(card), holderId, payouts: ['points', 'money'] })
    assert.ok(offer.kind === 'offered')
    const payout = random.pick(['points', 'money'] as const)
    const { id } = offer.quotes.find((one) => one.payout === payout)!
    assert.equal((await claimRefund({ quoteId: id, holderId })).kind, 'refunded')
    if (card.state === 'issued') wrote(day, 'expire', card, of('expired_cards', card), 'expired')
    const percent = payout === 'points' ? 0n : card.amount <= 50_000n ? 10n : 5n
    const kept = (card.amount * percent) / 100n
    const from = of('expired_cards', card)
    year.move(day, 'refund_fee', 'KRW_POINT', from, 'refund_fees', kept, card)
    if (payout === 'points') year.move(day, 'refund', 'KRW_POINT', from, HOLDING, card.amount, card)
    else {
      year.move(day, 'refund_exchange', 'KRW_POINT', from, 'refund_exchange', card.amount - kept, card)
      year.move(day, 'refund', 'KRW', 'refund_exchange', HOLDING, card.amount - kept, card)
    }
    purse[payout === 'points' ? 'points' : 'deposit'] += card.amount - kept
    card.state = 'refunded'
  }

  async function trade(): Promise<void> {
    const day = await today()
    const metal = random.pick(['XAU', 'XAG'] as const)
    await feedPrice(database, metal, PRICES[metal] + BigInt(random.int(2_000)))
    const isSale = purse[metal] > 0n && random.chance(0.5)
    const wish = isSale
      ? ({ side: 'sell', units: 1n + BigInt(random.int(Number(purse[metal]))) } as const)
      : ({ side: 'buy', won: 1_000n + BigInt(random.int(20_000)) } as const)
    const quoted = await quote({ holderId, metal, ...wish })
    if (quoted.kind !== 'quoted') return assert.equal(quoted.reason, 'amount_too_small')
    const placed = await place({ quoteId: quoted.quote.id, holderId })
    const { units, total } = quoted.quote
    if (!isSale && purse.points + purse.deposit < total)
      return assert.equal(placed.kind === 'refused' && placed.reason, 'insufficient')
    assert.ok(placed.kind === 'placed')
    if (isSale) {
      year.move(day, 'sell', metal, HOLDING, 'trading', units)
      year.move(day, 'sell', 'KRW', 'trading', HOLDING, total)
      purse[metal] -= units
      purse.deposit += total
      return
    }
    const fromPoints = purse.points < total ? purse.points : total
    year.move(day, 'buy', 'KRW_POINT', HOLDING, 'trading', fromPoints)
    year.move(day, 'buy', 'KRW', HOLDING, 'trading', total - fromPoints)
    year.move(day, 'buy', metal, 'trading', HOLDING, units)
    purse.points -= fromPoints
    purse.deposit -= total - fromPoints
    purse[metal] += units
  }

  async function withdraw(): Promise<void> {
    if (purse.deposit === 0n) return
    const day = await today()
    const amount = 1n + BigInt(random.int(Number(purse.deposit)))
    const destination = { bank: '088', account: '110123456789', holder: '홍길동' }
    const command = { holderId, accountId, requestId: newId(), amount, deviceLabel: '', destination }
    const outcome = await request(command)
    assert.ok(outcome.kind === 'requested')
    year.move(day, 'withdraw', 'KRW', HOLDING, 'withdrawals', amount)
    purse.deposit -= amount
    const { seconds } = await clock()
    waiting.push({ id: outcome.withdrawal.id, amount, since: seconds, approved: false })
  }

  // The oldest: approved and paid after a day, refused, or taken back by the member.
  async function settle(): Promise<void> {
    const { day, seconds } = await clock()
    const one = waiting.shift()
    if (!one) return
    const back = random.chance(0.4)
    if (!back && seconds - one.since < 86_500) return void waiting.unshift(one)
    const act = (act: 'approve' | 'pay' | 'refuse', actor: string) =>
      settleWithdrawal(database, { id: one.id, act, actor, reason: 'test' })
    if (back) {
      const done = random.chance(0.5) ? await act('refuse', 'cli:a') : await cancel({ id: one.id, holderId })
      assert.equal(done.kind, 'done')
      year.move(day, 'withdraw_back', 'KRW', 'withdrawals', HOLDING, one.amount)
      purse.deposit += one.amount
      return
    }
    assert.equal((await act('approve', 'cli:a')).kind, 'done')
    const paid = await act('pay', 'cli:b')
    assert.equal(
      paid.kind,
      'done',
      JSON.stringify(paid, (_, v) => `${v}`),
    )
    year.move(day, 'withdraw_paid', 'KRW', 'withdrawals', 'bank', one.amount)
  }

  // A deposit, or some of a statement, all of it or too much.
  async function pay(): Promise<void> {
    const day = await today()
    const { code } = random.pick(partners).partner
    const { statements } = year.partners.get(code)!
    const open = statements.filter((one) => one.due + one.dueCommission > one.paid)
    const named = random.chance(0.7) ? open.slice(0, 1 + random.int(2)) : []
    const owed = named.reduce((total, one) => total + one.due + one.dueCommission - one.paid, 0n)
    const amount = (owed * BigInt(random.pick([50, 100, 120]))) / 100n + BigInt(named.length > 0 ? 1 : 80_000)
    payments += 1
    const reference = `BANK-${payments}`
    const numbers = named.map(({ number }) => number)
    const ran = await run(
      partnerPay,
      code,
      String(amount),
      ...['--reference', reference, '--prepay', '--as', 'second'],
      ...numbers.flatMap((number) => ['--statement', number]),
    )
    assert.equal(ran.code, 0, ran.text)
    year.pay(day, code, reference, amount, numbers)
  }

  async function reverse(): Promise<void> {
    const day = await today()
    const { code } = random.pick(partners).partner
    const paid = year.partners.get(code)!.payments
    if (paid.length === 0) return
    const payment = random.pick(paid)
    const ran = await run(
      partnerReversePayment,
      code,
      payment.reference,
      '--reason',
      'bounced',
      '--as',
      'second',
    )
    assert.equal(ran.code, year.reverse(day, code, payment) ? 0 : 1, ran.text)
  }

  // A transaction that began on the last day that is closed by now, and commits today.
  async function comeLate(): Promise<void> {
    const card = pickCard(({ state, issuedOn }) => state === 'issued' && year.firstOpen > issuedOn)
    const last = year.firstOpen && later(year.firstOpen, { days: -1 })
    if (!card || card.expiresOn < last) return
    const [account] = await rows(
      `select a.id, p.id as partner from account a join partner p on p.id = a.partner_id where p.code = $1`,
      card.partner,
    )
    const at = `${last}T23:59:59+09:00`
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `select post_transfers('void', $1, array[gen_random_uuid()], array[$2::uuid], array[outstanding_account()],
                               array[$3::bigint], array[$4::bigint])`,
        [at, card.id, account.id, card.amount],
      )
      await client.query(`update gift_card set status = 'voided', voided_at = $2, pin = null where id = $1`, [
        card.id,
        at,
      ])
      await client.query(
        `insert into audit_entry (at, actor, action, subject) values ($1, 'test', 'card.void', $2)`,
        [at, card.id],
      )
      await client.query('select add_usage($1, $2, -$3::bigint, 0, 0)', [
        account.partner,
        card.issuedOn,
        card.amount,
      ])
      await client.query('commit')
    } finally {
      client.release()
    }
    wrote(last, 'void', card, of('partner_receivable', card), 'voided')
  }

  year.move(await today(), 'grant', 'KRW', 'sandbox_grants', HOLDING, purse.deposit)
  const acts: [weight: number, act: () => Promise<void>][] = [
    [30, buy],
    [12, use],
    [9, takeBack],
    [3, lengthen],
    [6, expire],
    [6, refund],
    [6, trade],
    [4, withdraw],
    [4, settle],
    [8, pay],
    [2, reverse],
    [2, comeLate],
  ]
  const whole = acts.reduce((sum, [weight]) => sum + weight, 0)
  return {
    today,
    rows,
    buy,
    expire,
    refund,
    withdraw,
    async actAtRandom(): Promise<void> {
      let place = random.int(whole)
      for (const [weight, act] of acts) {
        place -= weight
        if (place < 0) return act()
      }
    },
  }
}
