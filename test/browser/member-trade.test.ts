import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { advanceClock } from '#flows/advance-clock.ts'
import { stopOrResumeTrading } from '#flows/change-trading.ts'
import { grantAssets } from '#flows/grant-assets.ts'
import { startBrowser, test } from '#test/browser.ts'
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

test('selling all there is: what is received is what the deposit grows by', async () => {
  await page.goto(`${ours}/assets`)
  await heading(page, '김*나 님의 자산')
  await page.getByRole('link', { name: /금 1\.2345 g/ }).click()
  await follow(page, '금 판매하기')
  await page.getByText('그램으로').click()
  await press(page, '전부')
  assert.equal(await page.getByLabel('무게 (g)').inputValue(), '1.2345')
  const answered = page.waitForResponse(`${ours}/member/quotes`)
  await press(page, '다음')
  const { metalWon, fee, total, price, reference, spreadWon } = await (await answered).json()
  // design: bid = floor(r(20000-s)/20000), gross = floor(units·bid/10000), total = gross - fee.
  assert.equal(price, Math.floor((reference * 19_900) / 20_000))
  assert.equal(metalWon, Math.floor((12_345 * price) / 10_000))
  assert.equal(total, metalWon - fee)
  await page.getByRole('dialog').waitFor()
  assert.equal(wonOf(await figure(page, '예치금으로')), total)
  assert.equal(wonOf(await figure(page, '이미 뺀 스프레드')), spreadWon)
  await press(page, '금 판매하기')
  await heading(page, '금을 판매했어요')
  const { deposit, gold } = await assets()
  assert.deepEqual([deposit, gold.grams], [200_000 + total, '0.0000'])
  await follow(page, '내 자산 보기')
  await heading(page, '김*나 님의 자산')
  assert.equal(wonOf(await figure(page, '예치금')), deposit)
})

test('points go first, then deposit; more than there is cannot be asked for', async () => {
  const { fromPoints, fromDeposit, total } = await quoteFor('buy', '150000')
  assert.deepEqual([fromPoints, fromDeposit], [100_000, total - 100_000])
  await page.getByRole('dialog').waitFor()
  assert.equal(wonOf(await figure(page, '포인트에서')), fromPoints)
  assert.equal(wonOf(await figure(page, '예치금에서')), fromDeposit)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByLabel('금액 (원)').fill('9000000')
  await page.getByText('가진 것보다 많아요').waitFor()
  assert.ok(await page.getByRole('button', { name: '다음' }).isDisabled())
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
  await page.getByText('응답을 받지 못했어요').waitFor()
  await press(page, '다시 보내기')
  await heading(page, '금을 구매했어요')
  await page.unroute(`${ours}/member/orders`)
  const { points, deposit } = await assets()
  const spent = before.points + before.deposit - points - deposit
  assert.ok(spent > 19_000 && spent <= 20_000, String(spent))
  watched.complaints.length = 0 // the browser's word on the connection that was cut
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
  await press(page, '출금 내역 보기')
  await page.getByText('확인 중').waitFor()
  assert.doesNotMatch(await page.innerText('main'), /110-?123-?456789/)
  await press(page, '신청 취소하기')
  await page.getByText('취소했어요').waitFor()
  assert.equal((await assets()).deposit, deposit)
})

test('a long history comes page by page; the statement as paper and as a file says the same', async () => {
  const link = { partner: partner.partner.code, partnerKey: member.userKey }
  for (let i = 0; i < 50; i += 1) {
    await grantAssets(database, { ...link, amounts: { XAG: 100n }, actor: 'test' })
  }
  await page.goto(`${ours}/history`)
  const lines = page.locator('main li')
  await lines.first().waitFor()
  const first = await lines.count()
  await press(page, '더 보기')
  await page.getByRole('button', { name: '더 보기' }).waitFor({ state: 'detached' })
  assert.deepEqual([first, (await lines.count()) > 55], [50, true])

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
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('button', { name: '인쇄·PDF 저장' }).isVisible(), false)
  assert.equal(await page.locator('table').last().isVisible(), true)
  assert.match((await page.pdf()).subarray(0, 5).toString(), /^%PDF-/)
  await page.emulateMedia({ media: null })
})

test('stale prices, and trading that is stopped: said on the page, and nothing can be pressed', async () => {
  const shut = async (text: string) => {
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
  await shut('지금은 거래를 멈췄어요')
  await stopOrResumeTrading(database, { stopped: false, reason: 'test', actor: 'test' })
  await advanceClock(database, { seconds: 400, actor: 'test' })
  await shut('시세를 받지 못하고 있어')
  await refreshPrices(service)
  await page.goto(`${ours}/trade/silver`)
  await follow(page, '은 구매하기')
  await heading(page, '은을 얼마나 구매할까요?')
})

test('nobody else was asked for anything, and the browser had nothing to complain of', () => {
  assertQuiet(watched)
})
