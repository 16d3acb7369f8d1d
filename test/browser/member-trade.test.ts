import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { axeViolations, openPage, PHONE_SIZE, startBrowser, test } from '#test/browser.ts'
import { advanceClock, grantAssets } from '#test/operator.ts'
import {
  addHoldingMember,
  assertQuiet,
  figure,
  follow,
  heading,
  openAs,
  press,
  refreshPrices,
  startPages,
  watch,
  wonOf,
} from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { call } from '#test/service.ts'
import { withCommas } from '../../web/kit/format.ts'

const { service, ours } = await startPages()
const { database } = service
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이' })
const member = await addHoldingMember(service, partner, {
  KRW_POINT: 100_000n,
  KRW: 200_000n,
  XAU: 12_345n,
})
const page = await openAs(browser, member)
const watched = watch(page, ours)

const assets = async () => (await member.browser.get('/assets')).body
const placed = () => watched.requests.filter(({ url }) => url.endsWith('/member/orders')).length

async function quoteFor(side: 'buy' | 'sell', amount: string, on: Page = page) {
  await on.goto(`${ours}/trade/gold?side=${side}`)
  await on.getByLabel('금액 (원)').fill(amount)
  const answered = on.waitForResponse(`${ours}/member/quotes`)
  await press(on, '다음')
  return (await answered).json()
}

interface Focused {
  value: string
  invalid: string | null
  described: string
}
const FOCUSED = `(({ value, ariaInvalid: invalid, ariaDescribedByElements: by }) =>
  ({ value, invalid, described: (by ?? []).map((one) => one.textContent).join(' ') }))(document.activeElement)`

test('selling all there is: what is received is what the deposit grows by', async () => {
  await page.goto(`${ours}/assets`)
  await heading(page, '김*나 님의 자산')
  await page.getByRole('link', { name: /금 1\.2345 g/ }).click()
  await follow(page, '금 판매하기')
  await press(page, '100%')
  assert.equal(await page.getByLabel('무게 (g)').inputValue(), '1.2345')
  const estimated = wonOf((await page.getByText(/^약 /).innerText()).split('원')[0]!)
  const answered = page.waitForResponse(`${ours}/member/quotes`)
  await press(page, '다음')
  const { metalWon, fee, total, price, reference, spreadWon } = await (await answered).json()
  // design: bid = floor(r(20000-s)/20000), gross = floor(units·bid/10000), total = gross - fee.
  assert.equal(price, Math.floor((reference * 19_900) / 20_000))
  assert.equal(metalWon, Math.floor((12_345 * price) / 10_000))
  assert.equal(total, metalWon - fee)
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  assert.equal(estimated, total, 'the estimate has the fee in it')
  // Total, grams and fee lead; the rest is folded.
  const lead = await sheet.innerText()
  assert.equal(wonOf(await sheet.locator('.big-number').innerText()), total)
  assert.equal(wonOf(await figure(page, '수수료')), fee)
  assert.match(lead, /1\.2345 g/)
  assert.doesNotMatch(lead, /예치금으로|스프레드|기준 시세/)
  await sheet.getByText('가격 자세히 보기').click()
  assert.equal(wonOf(await figure(page, '예치금으로')), total)
  assert.equal(wonOf(await figure(page, '이미 뺀 스프레드')), spreadWon)
  await press(page, '금 판매하기')
  await heading(page, '금을 판매했어요')
  const { deposit, gold } = await assets()
  assert.deepEqual([deposit, gold.grams], [200_000 + total, '0.0000'])
  await follow(page, '내 자산 보기')
  await heading(page, '김*나 님의 자산')
  assert.equal(wonOf(await figure(page, '예치금')), deposit)
  // None is left: selling is not offered, and an old address to it says what to do.
  await page.getByRole('link', { name: /금 0 g/ }).click()
  await page.getByRole('link', { name: '금 구매하기' }).waitFor()
  assert.equal(await page.getByRole('link', { name: '금 판매하기' }).count(), 0)
  await page.goto(`${ours}/trade/gold?side=sell`)
  await heading(page, '판매할 금이 없어요')
  await follow(page, '금 구매하기')
  await heading(page, '금을 얼마나 구매할까요?')
})

test('25, 50 and 100% of what can be spent, at the price of a gram: none fails by its fee', async () => {
  const { points, deposit } = await assets()
  await page.goto(`${ours}/trade/gold?side=buy`)
  const { gold, feePercent } = (await member.browser.get('/prices')).body
  await page.getByText(`1 g에 ${gold.ask.toLocaleString('en')}원 · 수수료 ${feePercent}%`).waitFor()
  await page.getByText('그램으로').click()
  for (const percent of [25, 50, 100]) {
    await press(page, `${percent}%`)
    const share = Math.floor(((points + deposit) * percent) / 100)
    assert.equal(wonOf(await page.getByLabel('금액 (원)').inputValue()), share)
    const answered = page.waitForResponse(`${ours}/member/quotes`)
    await press(page, '다음')
    const { lacking, total, grams, fee } = await (await answered).json()
    assert.deepEqual([lacking, total <= share && total > share - 25], [0, true], `${percent}%: ${total}`)
    await page.getByRole('dialog').waitFor()
    const about = page.getByText(/^약 /)
    const said = `약 ${Number(grams)} g · `
    assert.ok((await about.innerText()).startsWith(said), said)
    assert.match(await about.innerText(), new RegExp(`수수료 ${fee.toLocaleString('en')}원 포함`))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

test('points go first, then deposit; more than there is cannot be asked for', async () => {
  const { fromPoints, fromDeposit, total } = await quoteFor('buy', '150000')
  assert.deepEqual([fromPoints, fromDeposit], [100_000, total - 100_000])
  await page.getByRole('dialog').waitFor()
  await page.getByText('가격 자세히 보기').click()
  assert.equal(wonOf(await figure(page, '포인트에서')), fromPoints)
  assert.equal(wonOf(await figure(page, '예치금에서')), fromDeposit)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByLabel('금액 (원)').fill('9000000')
  await page.getByText('가진 것보다 많아요').waitFor()
  await press(page, '다음')
  await until(async () => (await page.evaluate<Focused>(FOCUSED)).value === '9,000,000')
  assert.equal(await page.getByRole('dialog').count(), 0)
})

test('a price that has run out is said to, and a new one is one press away', async () => {
  const other = await openAs(browser, member)
  await other.clock.install()
  const first = await quoteFor('buy', '20000', other)
  await other
    .getByText(/이 가격은 \d+초 동안/)
    .first()
    .waitFor()
  await other.clock.fastForward(first.expiresInSeconds * 1_000 + 1_000)
  await other.getByText('가격 유지 시간이 끝났어요').first().waitFor()
  const answered = other.waitForResponse(`${ours}/member/quotes`)
  await press(other, '새 가격 받기')
  assert.notEqual((await (await answered).json()).quoteId, first.quoteId)
  await other
    .getByText(/이 가격은 \d+초 동안/)
    .first()
    .waitFor()
  await press(other, '금 구매하기')
  await heading(other, '금을 구매했어요')
  await other.context().close()

  // The service's clock decides, whatever the page believes.
  await quoteFor('buy', '20000')
  await page.getByRole('dialog').waitFor()
  const before = placed()
  await advanceClock(database, { seconds: 61, actor: 'test' })
  await press(page, '금 구매하기')
  await page.getByText('가격이 바뀌었을 수 있어요').waitFor()
  await press(page, '새 가격 받기')
  await press(page, '금 구매하기')
  await heading(page, '금을 구매했어요')
  assert.equal(placed() - before, 2)
})

test('a lost answer: the same order is asked for again, and placed once', async () => {
  await quoteFor('buy', '20000')
  await page.getByRole('dialog').waitFor()
  const before = await assets()
  let lost = 0
  await page.route(`${ours}/member/orders`, async (route) => {
    lost += 1
    if (lost > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await press(page, '금 구매하기')
  await page.getByRole('alert').filter({ hasText: '응답을 받지 못했어요' }).waitFor()
  // Closed and asked for again with the same amount: the same quote, and no second order.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press(page, '다음')
  await page.getByRole('status').filter({ hasText: '다시 눌러도 주문은 한 번만 돼요' }).waitFor()
  await press(page, '다시 보내기')
  await heading(page, '금을 구매했어요')
  await page.unroute(`${ours}/member/orders`)
  const { points, deposit } = await assets()
  const spent = before.points + before.deposit - points - deposit
  assert.ok(spent > 19_000 && spent <= 20_000, String(spent))
  watched.complaints.length = 0 // the browser's word on the connection that was cut
})

test('a slow answer: a sheet that is closed meanwhile, and a form that is left, ask for no second order', async () => {
  const quotes = () => watched.requests.filter(({ url }) => url.endsWith('/member/quotes')).length
  const before = await assets()
  const ordersBefore = placed()
  // Each is held until it is let go, as by a slow network.
  const held: { answer(): Promise<void>; lose(): Promise<void> }[] = []
  await page.route(`${ours}/member/orders`, (route) => {
    held.push({
      answer: () => route.continue(),
      lose: async () => {
        await route.fetch()
        await route.abort('connectionreset')
      },
    })
  })
  const sent = async (count: number) => {
    await until(() => held.length === count)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const progress = page.getByRole('status').filter({ hasText: '주문을 보냈어요' })
  const next = page.getByRole('button', { name: '다음', exact: true })

  await quoteFor('buy', '21000')
  await press(page, '금 구매하기')
  await sent(1)
  await progress.waitFor()
  assert.equal(await next.getAttribute('aria-busy'), 'true')
  const asked = quotes()
  await next.click({ force: true })
  await page.getByLabel('금액 (원)').press('Enter')
  assert.deepEqual([quotes(), await page.getByRole('dialog').count()], [asked, 0])
  assert.deepEqual(await axeViolations(page), [])
  await held[0]!.answer()
  await heading(page, '금을 구매했어요')

  // Back from the form and there again, while it is under way; then its answer is lost.
  await press(page, '더 거래하기')
  await follow(page, '금 구매하기')
  await page.getByLabel('금액 (원)').fill('22000')
  await press(page, '다음')
  await press(page, '금 구매하기')
  await sent(2)
  await page.goBack()
  await follow(page, '금 구매하기')
  await progress.waitFor()
  await page.getByLabel('금액 (원)').fill('22000')
  await held[1]!.lose()
  await progress.waitFor({ state: 'detached' })
  const askedAgain = quotes()
  await press(page, '다음')
  await page.getByRole('status').filter({ hasText: '다시 눌러도 주문은 한 번만 돼요' }).waitFor()
  await press(page, '다시 보내기')
  await until(() => held.length === 3)
  await held[2]!.answer()
  await heading(page, '금을 구매했어요')
  assert.deepEqual([quotes(), placed() - ordersBefore], [askedAgain, 3])

  // Lost while the form waits for it: said there.
  await press(page, '더 거래하기')
  await follow(page, '금 구매하기')
  await page.getByLabel('금액 (원)').fill('1000')
  await press(page, '다음')
  await press(page, '금 구매하기')
  await sent(4)
  await held[3]!.lose()
  await page.getByRole('alert').filter({ hasText: '다시 눌러도 주문은 한 번만 돼요' }).waitFor()
  await page.unroute(`${ours}/member/orders`)
  await press(page, '다음')
  await press(page, '다시 보내기')
  await heading(page, '금을 구매했어요')
  const { points, deposit } = await assets()
  const spent = before.points + before.deposit - points - deposit
  assert.ok(spent > 43_000 && spent <= 44_000, String(spent))
  watched.complaints.length = 0 // the browser's word on the connections that were cut
})

// What is typed, in which unit, and what the page says of it.
const WRONG: [typed: string, unit: '원' | 'g', said: string][] = [
  ['12.5', '원', '원은 소수점 없이 입력해 주세요.'],
  ['1e9', '원', '숫자로만 입력해 주세요.'],
  ['0x10', '원', '숫자로만 입력해 주세요.'],
  ['-1', '원', '숫자로만 입력해 주세요.'],
  [' ', '원', '금액을 입력해 주세요.'],
  ['99,999,999,999,999,999,999', '원', '한 번에 1,000,000,000원까지 입력할 수 있어요.'],
  ['1,5', 'g', '소수점은 쉼표가 아니라 점(.)이에요.'],
  ['1.23456', 'g', '소수점 아래 네 자리까지 입력해 주세요.'],
]

test('an amount that cannot be read is refused with a sentence, in the field, and nothing is asked for', async () => {
  const quotes = () => watched.requests.filter(({ url }) => url.endsWith('/member/quotes')).length
  const before = quotes()
  await page.goto(`${ours}/trade/gold?side=buy`)
  for (const [typed, unit, said] of WRONG) {
    await page.getByText(unit === '원' ? '원으로' : '그램으로').click()
    const field = page.getByLabel(unit === '원' ? '금액 (원)' : '무게 (g)')
    await field.fill('')
    await field.pressSequentially(typed)
    await press(page, '다음')
    await page.getByRole('alert').filter({ hasText: said }).waitFor()
    // As it was typed, with the focus on it.
    await until(async () => (await page.evaluate<Focused>(FOCUSED)).value === typed, typed)
    const { invalid, described } = await page.evaluate<Focused>(FOCUSED)
    assert.equal(invalid, 'true')
    assert.ok(described.includes(said), `${typed}: described by ${described}`)
  }
  // Too small to be traded: one message, with the smallest amount.
  const { gold, feePercent } = (await member.browser.get('/prices')).body
  const unit = Math.ceil(gold.ask / 10_000)
  const least = unit + Math.ceil((unit * Number(feePercent)) / 100)
  await page.getByText('원으로').click()
  await page.getByLabel('금액 (원)').fill('1')
  await press(page, '다음')
  await page
    .getByRole('alert')
    .filter({ hasText: `지금은 ${least}원부터 거래할 수 있어요` })
    .waitFor()
  assert.equal(await page.getByText(/늘려 주세요/).count(), 1)
  assert.equal(quotes(), before)
  await page.getByLabel('금액 (원)').fill(String(least))
  await press(page, '다음')
  await page.getByRole('dialog').waitFor()
})

test('a withdrawal: asked for, listed, and taken back', async () => {
  const { deposit } = await assets()
  await page.goto(`${ours}/withdraw`)
  await page.getByLabel('금액 (원)').fill(String(deposit + 1))
  await page.getByText('예치금보다 많아요').waitFor()
  await page.getByLabel('금액 (원)').fill('50000')
  await press(page, '다음')
  await page.getByLabel('은행').selectOption({ index: 1 })
  await page.getByLabel('계좌번호').fill('123')
  await press(page, '다음')
  await page.getByText('계좌번호를 확인해 주세요').waitFor()
  await page.getByLabel('계좌번호').fill('110-123-456789')
  await press(page, '다음')
  assert.equal(await figure(page, '계좌번호'), '110-123-456789')
  await press(page, '출금 신청하기')
  await heading(page, '출금을 신청했어요')
  assert.equal((await assets()).deposit, deposit - 50_000)
  // Apart from what can be spent, on both pages.
  for (const [path, sign] of [
    ['/assets', '출금 대기 50,000원은 들어 있지 않아요'],
    ['/withdraw', '예치금에서 이미 빠졌어요'],
  ] as const) {
    await page.goto(ours + path)
    await page.getByText(sign).waitFor()
    assert.equal(wonOf(await figure(page, '출금 대기')), 50_000)
    const money = page.locator('section', { has: page.getByRole('heading', { name: '쓸 수 있는 돈' }) })
    assert.equal(await money.getByText('출금 대기').count(), 0)
  }
  await page.getByText('확인 중').waitFor()
  assert.doesNotMatch(await page.innerText('main'), /110-?123-?456789/)
  await press(page, '신청 취소하기')
  await page.getByText('취소했어요').waitFor()
  assert.equal((await assets()).deposit, deposit)
})

async function fillWithdrawal(amount: string, account = '110-123-456789') {
  await page.getByLabel('금액 (원)').fill(amount)
  await press(page, '다음')
  await page.getByLabel('은행').selectOption('088')
  await page.getByLabel('계좌번호').fill(account)
  await press(page, '다음')
  await page.getByRole('dialog').waitFor()
}

const withdrawals = async (): Promise<{ id: string; amount: number; status: string }[]> =>
  (await member.browser.get('/withdrawals')).body.withdrawals

// The service takes a withdrawal, and its answer never arrives.
const loseAnswers = () =>
  page.route(`${ours}/member/withdrawals`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })

test('a withdrawal whose answer is lost is made once: sent again, after going back, after a reload', async () => {
  const before = (await withdrawals()).length
  await page.goto(`${ours}/assets`)
  await follow(page, '출금하기')
  await fillWithdrawal('31000')
  await loseAnswers()
  await press(page, '출금 신청하기')
  const alert = page.getByRole('alert').filter({ hasText: '다시 눌러도 출금은 한 번만 신청돼요' })
  await alert.waitFor()
  await press(page, '다시 보내기')
  await alert.waitFor()
  await page.goBack()
  await page.getByLabel('금액 (원)').waitFor()
  await page.reload()
  await page.unroute(`${ours}/member/withdrawals`)
  await fillWithdrawal('31000')
  await press(page, '다시 보내기')
  await heading(page, '출금을 신청했어요')
  assert.equal((await withdrawals()).length, before + 1)

  // Another amount is another withdrawal; the same again is said to wait already, and is the member's to decide.
  await press(page, '출금 내역 보기')
  await fillWithdrawal('31001')
  await press(page, '출금 신청하기')
  await heading(page, '출금을 신청했어요')
  await press(page, '출금 내역 보기')
  await fillWithdrawal('31000')
  await page.getByText('같은 금액을 같은 계좌로 이미 신청했어요').waitFor()
  await press(page, '한 번 더 신청하기')
  await heading(page, '출금을 신청했어요')
  const made = (await withdrawals()).slice(0, 3)
  assert.deepEqual(
    made.map(({ amount }) => amount),
    [31_000, 31_001, 31_000],
  )
  for (const { id } of made) await member.browser.post(`/withdrawals/${id}/cancel`, {})

  // Lost, then cancelled elsewhere: the answer says so, and another one takes another press.
  await press(page, '출금 내역 보기')
  await fillWithdrawal('31002')
  await loseAnswers()
  await press(page, '출금 신청하기')
  await alert.waitFor()
  await page.unroute(`${ours}/member/withdrawals`)
  const cancel = async () => member.browser.post(`/withdrawals/${(await withdrawals())[0]?.id}/cancel`, {})
  await cancel()
  await press(page, '다시 보내기')
  await page.getByText('앞서 보낸 신청은 이미 끝났어요 (취소했어요)').waitFor()
  await press(page, '한 번 더 신청하기')
  await heading(page, '출금을 신청했어요')
  const statuses = (await withdrawals()).slice(0, 3).map(({ amount, status }) => `${amount} ${status}`)
  assert.deepEqual(statuses, ['31002 requested', '31002 cancelled', '31000 cancelled'])
  await cancel()
  watched.complaints.length = 0 // the browser's word on the connections that were cut
})

// Every page of the history, until there is no more.
async function showAll(): Promise<void> {
  const more = page.getByRole('button', { name: '더 보기' })
  const lines = page.locator('main li')
  await more.waitFor()
  while ((await more.count()) > 0) {
    const before = await lines.count()
    await more.click()
    await lines.nth(before).waitFor()
  }
}

test('a long history comes page by page; the statement as paper and as a file says the same', async () => {
  const link = { partner: partner.partner.code, partnerKey: member.userKey }
  for (let i = 0; i < 50; i += 1) {
    await grantAssets(database, { ...link, amounts: { XAG: 100n }, actor: 'test' })
  }
  await page.goto(`${ours}/history`)
  const lines = page.locator('main li')
  await lines.first().waitFor()
  const first = await lines.count()
  await showAll()
  assert.deepEqual([first, (await lines.count()) >= 51], [30, true])

  await follow(page, '내역서')
  await heading(page, '거래 내역서')
  await page.getByRole('heading', { name: '김*나 님의 거래 내역서' }).waitFor()
  const rows = await page.locator('table').last().locator('tbody tr').count()
  const downloading = page.waitForEvent('download')
  await follow(page, 'CSV로 받기')
  const download = await downloading
  assert.match(download.suggestedFilename(), /^ingot-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  const csv = readFileSync(await download.path(), 'utf8')
  assert.ok(csv.startsWith('\uFEFF일시,'))
  const moved = csv
    .trimEnd()
    .split('\r\n')
    .filter((line) => /^\d{4}-/.test(line))
  assert.equal(moved.length, rows)
})

test('a statement is issued, printed, and confirmed by whoever has the paper', async () => {
  await placeOrder('buy', 12_345)
  const page = await openAs(browser, member)
  await page.goto(`${ours}/statement`)
  await page.getByLabel(/^이름을 모두 표시하기/).check()
  // The answer is lost after it was issued: pressed again it is the same one.
  await page.route(`${ours}/member/statements`, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press(page, '내역서 발급하기')
  await page.getByText('다시 눌러도 한 번만 발급돼요').waitFor()
  await page.unroute(`${ours}/member/statements`)
  await press(page, '내역서 발급하기')
  await page.waitForURL(/\/statement\?number=/)
  const named = page.getByRole('heading', { name: `${member.person.name} 님의 거래 내역서` })
  await named.waitFor()
  const { rows } = await database.pool.query('select count(*)::int as n from issued_statement')
  assert.equal(rows[0].n, 1)
  const [number, code] = [await figure(page, '발급 번호'), await figure(page, '확인 코드')]
  assert.deepEqual(await axeViolations(page), [])
  await page.reload()
  await named.waitFor()
  assert.equal(await figure(page, '확인 코드'), code)

  await page.emulateMedia({ media: 'print' })
  for (const name of ['인쇄·PDF 저장', '뒤로']) {
    assert.equal(await page.getByRole('button', { name }).first().isVisible(), false, name)
  }
  assert.equal(await page.getByText('가격 × 중량').last().isVisible(), true)
  // Nothing is wider than the paper, and no number is broken.
  await page.setViewportSize({ width: 703, height: 1_000 })
  const wide = await page.evaluate('document.documentElement.scrollWidth > 703')
  assert.equal(wide, false)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  assert.match(pdf, /^%PDF-/)
  assert.match(pdf, /\/MediaBox ?\[0 0 59[45][.\d]* 84[12][.\d]*\]/, 'A4')
  await page.emulateMedia({ media: null })
  await page.setViewportSize(PHONE_SIZE)

  // Somebody else, with the paper only.
  const reader = await openPage(browser)
  await reader.goto(`${ours}/statement/check`)
  await press(reader, '확인하기')
  await reader.getByText('발급 번호와 확인 코드를 모두 입력해 주세요').waitFor()
  const type = async (typed: string, typedCode: string) => {
    await reader.getByLabel('발급 번호').fill(typed)
    await reader.getByLabel('확인 코드').fill(typedCode)
    await press(reader, '확인하기')
  }
  await type(number, `${code.startsWith('7') ? '8' : '7'}${code.slice(1)}`)
  await reader.getByText('확인되지 않는 내역서예요').waitFor()
  // A figure was changed since, in the books and on somebody's paper: what was issued is told.
  const issued = wonOf(
    await page.locator('table').first().locator('tr', { hasText: '예치금' }).locator('td').last().innerText(),
  )
  const link = { partner: partner.partner.code, partnerKey: member.userKey }
  await grantAssets(database, { ...link, amounts: { KRW: 1_000_000n }, actor: 'test' })
  await type(number, code.toLowerCase())
  await reader.getByText('저희가 발급한 내역서예요').waitFor()
  assert.equal(wonOf(await figure(reader, '예치금')), issued)
  assert.ok((await assets()).deposit > issued)
  assert.equal(await figure(reader, '이름'), '김*나')
  assert.ok(!(await reader.innerText('main')).includes(member.person.name))
  assert.deepEqual(await axeViolations(reader), [])
  await reader.context().close()
  await page.context().close()
})

test('an act is one row; a tap shows how its total came about, and a reload or Back shows the same', async () => {
  const order = await placeOrder('buy', 23_457)
  await page.goto(`${ours}/history?asset=gold`)
  const row = page.getByRole('button', {
    name: new RegExp(`^금 구매 ${order.grams} g ${withCommas(order.total)}원`),
  })
  assert.equal(await row.getAttribute('aria-expanded'), 'false')
  await row.focus()
  await page.keyboard.press('Enter')
  const seen = await detailOf(page)
  assert.equal(seen.value + seen.rounding + seen.fee, order.total)
  assert.equal(seen.value, Math.floor((order.price * Number(order.grams) * 10_000 + 0.5) / 10_000))
  await page.getByText(order.orderId).waitFor()
  const address = page.url()
  assert.match(address, /asset=gold&open=/)
  assert.deepEqual(await axeViolations(page), [])

  await page.reload()
  assert.deepEqual(await detailOf(page), seen)
  await follow(page, '내역서')
  await heading(page, '거래 내역서')
  await page.goBack()
  assert.deepEqual(await detailOf(page), seen)
  assert.equal(page.url(), address)
  await row.click()
  await page.getByText(order.orderId).waitFor({ state: 'detached' })

  // A link to an act that is pages away.
  const first = page.getByRole('button', { name: /^지급/ }).last()
  await page.goto(`${ours}/history`)
  await page.locator('main li').first().waitFor()
  await showAll()
  await first.click()
  const link = page.url()
  await page.goto('about:blank')
  await page.goto(link)
  await page.locator('[aria-expanded=true]').waitFor()
})

async function placeOrder(side: 'buy' | 'sell', won: number) {
  const { quoteId } = (await member.browser.post('/quotes', { side, metal: 'gold', won })).body
  const placed = await member.browser.post('/orders', { quoteId })
  assert.equal(placed.status, 200, placed.text)
  const { orderId, grams, price, total } = placed.body
  return {
    orderId: orderId as string,
    grams: String(Number(grams)),
    price: price as number,
    total: total as number,
  }
}

async function detailOf(on: Page) {
  await on.locator('[aria-expanded=true]').waitFor()
  const rounded = await on.locator('dt', { hasText: '원 미만 올림' }).count()
  return {
    value: wonOf(await figure(on, '가격 × 중량')),
    rounding: rounded > 0 ? wonOf(await figure(on, '원 미만 올림')) : 0,
    fee: wonOf(await figure(on, '수수료')),
    total: wonOf(await figure(on, '결제한 금액')),
    spread: wonOf(await figure(on, '스프레드(가격에 포함)')),
  }
}

test('a network that is gone for a while takes no figure away: it is said above them', async () => {
  const other = await openAs(browser, member)
  await other.clock.install()
  await other.goto(`${ours}/assets`)
  await heading(other, '김*나 님의 자산')
  const total = await other.locator('.big-number').innerText()
  await other.getByRole('heading', { name: '지금 시세' }).waitFor()
  await other.context().setOffline(true)
  const alert = other.getByRole('alert').filter({ hasText: '인터넷' })
  // Prices are asked for each quarter of a minute, and twice again.
  await until(async () => {
    await other.clock.fastForward(20_000)
    return alert.isVisible()
  })
  assert.equal(await other.locator('.big-number').innerText(), total)
  assert.ok(await other.getByRole('heading', { name: '지금 시세' }).isVisible())
  assert.deepEqual(await axeViolations(other), [])
  await other.context().setOffline(false)
  await press(other, '다시 시도하기')
  await alert.waitFor({ state: 'detached' })
  await other.context().close()
})

test('stale prices, and trading that is stopped: said on the page, and nothing can be pressed', async () => {
  const shut = async (text: string, trading: string) => {
    // What everybody sees is read once a second, and the page asks again a quarter of a minute later.
    await until(async () => (await call(`${ours}/member/prices`)).body.trading === trading)
    await page.goto(`${ours}/assets`)
    await page.getByText(text).waitFor()
    await page.goto(`${ours}/trade/silver`)
    await page.getByText(text).waitFor()
    await page.getByText('은 구매하기').click({ force: true })
    assert.equal(page.url(), `${ours}/trade/silver`)
    await page.goto(`${ours}/trade/silver?side=sell`)
    await page.getByText(text).waitFor()
    await page.getByLabel('금액 (원)').fill('1000')
    assert.ok(await page.getByRole('button', { name: '다음' }).isDisabled())
  }
  await stopOrResumeTrading(database, { stopped: true, reason: 'test', actor: 'test' })
  await shut('지금은 거래를 멈췄어요', 'stopped')
  await stopOrResumeTrading(database, { stopped: false, reason: 'test', actor: 'test' })
  await advanceClock(database, { seconds: 400, actor: 'test' })
  await shut('시세를 받지 못하고 있어', 'stale')
  await refreshPrices(service)
  await until(async () => (await call(`${ours}/member/prices`)).body.trading === 'open')
  await page.goto(`${ours}/trade/silver`)
  await follow(page, '은 구매하기')
  await heading(page, '은을 얼마나 구매할까요?')
})

test('nobody else was asked for anything, and the browser had nothing to complain of', () => {
  assertQuiet(watched)
})
