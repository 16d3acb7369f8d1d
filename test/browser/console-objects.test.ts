import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Role } from '#modules/staff/permissions.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import { markSent } from '#test/deliveries.ts'
import { addMember, PASSWORD } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import {
  addHoldingMember,
  assertQuiet,
  heading,
  press,
  startPages,
  tabTo,
  typeSearch,
  watch,
} from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { call } from '#test/service.ts'

// The pages of single objects in a real browser: one service, one browser, each page's main act.
const { service, ours } = await startPages()
const browser = startBrowser()
const { pool } = service.database
const partner = await service.addPartner({ name: '가온상점' })
const { code } = partner.partner
const member = await addHoldingMember(service, partner, { KRW: 500_000n })
const bought = await partner.buy({ phoneNumber: member.person.mdn, amount: 30_000 })
const { giftId } = bought.body.data
const requestId = bought.headers.get('x-request-id')!
await markSent(service, giftId, { status: 'failed' })
await pool.query(`update delivery set created_at = created_at - interval '2 minutes'`)
const quoted = await member.browser.post('/quotes', { side: 'buy', metal: 'gold', won: 120_000 })
assert.equal((await member.browser.post('/orders', { quoteId: quoted.body.quoteId })).status, 200)

async function one(sql: string, ...values: unknown[]) {
  return String(Object.values((await pool.query(sql, values)).rows[0])[0])
}
const memberId = await one('select member_id from member_account where login_id = $1', member.loginId)
const linkId = await one('select id from partner_user where partner_key = $1', member.userKey)
const orderId = await one('select id from trade_order')
const deliveryId = await one('select min(id) from delivery')
// For the acts that come later.
const buy = async (amount: number): Promise<string> =>
  (await partner.buy({ phoneNumber: member.person.mdn, amount })).body.data.giftId

const DESK = { width: 1440, height: 900 }

async function openConsole(role: Role, options: { lang?: string; partner?: typeof partner } = {}) {
  const staff = await service.consoleAs(role, options.partner ? { partner: options.partner } : {})
  const page = await openPage(browser, { viewport: DESK, locale: options.lang ?? 'ko-KR' })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...staff.cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours) }
}

const visit = (page: Page, path: string) => page.goto(`${ours}/console${path}`)
// As a link does it: the document stays.
const goOn = (page: Page, path: string) => page.evaluate(`history.pushState({}, '', '/console${path}')`)
const done = (page: Page) => page.getByText('완료했습니다.').waitFor()

// Gives the reason and does the act of the open sheet.
async function act(page: Page, name: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('사유', { exact: true }).fill('문의 전화')
  await sheet.getByRole('button', { name, exact: true }).click()
}

// By keyboard, however many stops there are. The sheet takes the focus some moments after it is there.
async function close(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: '닫기' }).last().click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const waits = (page: Page) => page.getByText('요청을 올렸습니다.').waitFor()

// What the open sheet asked for, another person approves.
async function approveAsked(page: Page, ...shown: string[]): Promise<void> {
  await waits(page)
  const path = await page.getByRole('dialog').getByRole('link', { name: '요청 보기' }).getAttribute('href')
  const { page: other } = await openConsole('finance')
  await other.goto(`${ours}${path}`)
  for (const text of shown) await other.getByText(text, { exact: true }).waitFor()
  await press(other, '승인하기')
  await other.getByRole('dialog').getByRole('button', { name: '승인하기', exact: true }).click()
  await done(other)
  await other.context().close()
}

const PAGES: [path: string, ko: string, en: string][] = [
  [`/cards/${giftId}`, '상품권', 'Card'],
  [`/members/${memberId}`, '회원', 'Member'],
  ['/partners', '제휴사', 'Partners'],
  [`/partners/${code}`, '가온상점', '가온상점'],
  [`/users/${linkId}`, '제휴사 사용자', 'Partner user'],
  [`/orders/${orderId}`, '주문', 'Order'],
  [`/deliveries/${deliveryId}`, `메시지 ${deliveryId}`, `Message ${deliveryId}`],
  [`/requests/${requestId}`, 'API 요청', 'API request'],
  ['/refund-policies', '환불 정책', 'Refund policies'],
]

for (const lang of ['ko-KR', 'en-US']) {
  test(`every page, ${lang}: a heading, no complaint, nothing for axe, and no sideways scrolling on a phone`, async () => {
    const { page, watched } = await openConsole('admin', { lang })
    for (const [index, [path, ko, en]] of PAGES.entries()) {
      // By its address in Korean, in English from page to page.
      await (lang === 'ko-KR' || index === 0 ? visit(page, path) : goOn(page, path))
      await heading(page, lang === 'ko-KR' ? ko : en)
      assert.deepEqual(await axeViolations(page), [], path)
      await page.setViewportSize({ width: 375, height: 812 })
      const tooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
      assert.equal(tooWide, false, path)
      await page.setViewportSize(DESK)
    }
    assertQuiet(watched)
    await page.context().close()
  })
}

test("a request id goes to its card; the card's timeline leads to the request, and back", async () => {
  const { page } = await openConsole('support')
  await visit(page, '/cards')
  await typeSearch(page, requestId)
  await page.getByRole('option', { name: `API 요청 ${requestId}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/cards/${giftId}`)
  await page.getByText('API 요청 처리', { exact: true }).waitFor()
  await page.getByRole('link', { name: `api_request ${requestId}` }).click()
  await heading(page, 'API 요청')
  await page.getByRole('button', { name: '복사 요청 ID' }).waitFor()
  await page.getByRole('link', { name: `card ${giftId}` }).click()
  await page.waitForURL(`**/console/cards/${giftId}`)
  // One that only read something is in the log.
  await typeSearch(page, 'req_neverseen000001')
  await page.getByText(/이 요청은 기록에 없습니다\..*30일/).waitFor()
  await page.context().close()
})

test('a new refund policy is asked for with the values of the form, also before a later version', async () => {
  const finance = await service.consoleAs('finance')
  const today = Temporal.PlainDate.from((await finance.get('/refund-policies')).body.today)
  const later = { version: 'kr-later', effectiveFrom: today.add({ days: 30 }).toString(), smallPercent: 95 }
  const { requestId } = (await finance.post('/refund-policies', { ...later, reason: 'test' })).body
  const approved = await (await service.consoleAs('admin')).post(`/approvals/${requestId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  const { page } = await openConsole('finance')
  await visit(page, '/refund-policies')
  await press(page, '새 버전 요청')
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('버전 이름').fill('kr-between')
  await sheet.getByLabel('시작일').fill(today.add({ days: 1 }).toString())
  await sheet.getByLabel(/^마지막 날/).fill(today.add({ days: 29 }).toString())
  await act(page, '승인 요청')
  await waits(page)
  const asked = `select payload from change_request where subject = 'kr-between'`
  assert.equal(JSON.parse(await one(asked)).smallPercent, 95)
  await page.context().close()
})

test('a member asks for their file, and closes the account: support exports and erases', async () => {
  const leaving = await addMember(service)
  const id = await one('select member_id from member_account where login_id = $1', leaving.loginId)
  const { page } = await openConsole('support')
  await visit(page, `/members/${id}`)
  await press(page, '전체 정보 내보내기')
  const saved = page.waitForEvent('download')
  await act(page, '전체 정보 내보내기')
  assert.match((await saved).suggestedFilename(), /\.json$/)
  await done(page)
  await close(page)
  const closed = await leaving.browser.post('/close', { password: PASSWORD, waive: false, erase: false })
  assert.equal(closed.status, 204, closed.text)
  await page.reload()
  await press(page, '정보 삭제')
  await act(page, '정보 삭제')
  await done(page)
  await until(async () => (await one('select count(*) from member_erasure')) === '1')
  await page.context().close()
})

test('a card is sent again, then taken back in two steps', async () => {
  const { page } = await openConsole('admin')
  await visit(page, `/cards/${giftId}`)
  await press(page, '다시 보내기')
  await page.getByText(/010-\*{4}-\d{4}\(으\)로 같은 PIN/).waitFor()
  await act(page, '다시 보내기')
  await done(page)
  await close(page)
  await press(page, '취소하기')
  await page.getByText('PIN은 지워지고 되돌릴 수 없습니다.').waitFor()
  await act(page, '다음')
  await page.getByText('정말 취소할까요?').waitFor()
  assert.equal((await partner.get(`/v2/partner/metal/giftcard/buy/${giftId}`)).body.data.valid, true)
  await page.getByRole('dialog').getByRole('button', { name: '취소하기', exact: true }).click()
  await done(page)
  await close(page)
  await page.getByText('상품권 취소됨', { exact: true }).waitFor()
  await page.context().close()
})

test('a member, by keyboard alone: revealed with a reason, hidden again, frozen and thawed', async () => {
  const { page } = await openConsole('support')
  await visit(page, `/members/${memberId}`)
  const name = page.getByText(member.person.name, { exact: true })
  await page.getByText('가려져 있습니다.').waitFor()
  assert.equal(await name.count(), 0)
  await page.getByRole('button', { name: '열람하기', exact: true }).focus()
  await page.keyboard.press('Enter')
  const reason = page.getByRole('dialog').getByLabel('사유', { exact: true })
  await tabTo(page, reason)
  await page.keyboard.type('본인 전화')
  await page.keyboard.press('Enter')
  await done(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await name.waitFor()
  await press(page, '가리기')
  assert.equal(await name.count(), 0)
  for (const [button, state] of [
    ['정지하기', '회원 정지'],
    ['정지 풀기', '정상'],
  ] as const) {
    await press(page, button)
    await act(page, button)
    await done(page)
    await close(page)
    await page.locator('main').getByText(state, { exact: true }).first().waitFor()
  }
  await page.context().close()
})

test("a partner's developer issues a key, which works and is shown once, and rotates it", async () => {
  const { page } = await openConsole('partner_developer', { partner })
  await visit(page, `/partners/${code}`)
  assert.equal(await page.getByRole('button', { name: '조건 바꾸기' }).count(), 0)
  await press(page, '키 발급')
  await act(page, '키 발급')
  await done(page)
  const key = await page.getByRole('dialog').locator('code').first().innerText()
  const usage = `${ours}/v2/partner/usage?startDate=2026-11-1&endDate=2026-11-2`
  assert.equal((await call(usage, { headers: { authorization: `Bearer ${key}` } })).status, 200)
  await close(page)
  assert.ok(!(await page.content()).includes(key))
  await page.getByRole('button', { name: '교체', exact: true }).first().click()
  await act(page, '교체')
  await done(page)
  assert.notEqual(await page.getByRole('dialog').locator('code').first().innerText(), key)
  await page.context().close()
})

test('terms are changed, a key pattern is tried, a user suspended, a partner registered', async () => {
  const { page } = await openConsole('admin')
  await visit(page, `/partners/${code}`)
  await page.getByLabel('키 패턴 (RE2)', { exact: true }).fill('[a-z]{3}')
  await page.getByLabel('사용자 키', { exact: true }).fill('abcd')
  await press(page, '확인하기')
  await page.getByText('패턴과 맞지 않습니다.').waitFor()
  await press(page, '조건 바꾸기')
  await page.getByRole('dialog').getByLabel('최대 금액 (원)').fill('400000')
  await act(page, '바꾸기')
  await done(page)
  await close(page)
  await page.getByText('400,000원').first().waitFor()
  await visit(page, `/users/${linkId}`)
  await press(page, '정지하기')
  await act(page, '정지하기')
  await done(page)
  await close(page)
  await page.getByRole('button', { name: '재개하기' }).waitFor()
  await visit(page, '/partners')
  await press(page, '제휴사 등록')
  await page.getByRole('dialog').getByLabel('코드').fill('new-shop')
  await page.getByRole('dialog').getByLabel('이름').fill('새상점')
  await page.getByRole('dialog').getByRole('button', { name: '제휴사 등록' }).click()
  await page.getByText(/^ik_test_/).waitFor()
  await close(page)
  await page.getByRole('link', { name: 'new-shop' }).click()
  await heading(page, '새상점')
  await page.context().close()
})

test('a failed message is retried from its page, once', async () => {
  const id = await buy(20_000)
  await markSent(service, id, { status: 'failed' })
  await pool.query(`update delivery set created_at = created_at - interval '2 minutes' where card_id = $1`, [
    id,
  ])
  const failed = await one('select min(id) from delivery where card_id = $1', id)
  const { page } = await openConsole('support')
  await visit(page, `/deliveries/${failed}`)
  await press(page, '다시 보내기')
  await act(page, '다시 보내기')
  await done(page)
  await close(page)
  await page.getByText('발송 재시도', { exact: true }).waitFor()
  // Asked for again, the sheet says why not.
  await press(page, '다시 보내기')
  await act(page, '다시 보내기')
  await page.getByText('메시지가 아직 발송 중입니다.').waitFor()
  await page.context().close()
})

test('a payment is booked and reversed; another person approves each', async () => {
  const { page } = await openConsole('finance')
  await visit(page, `/partners/${code}`)
  await press(page, '입금 기록')
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: '기록 요청' }).click()
  await sheet.getByText('입금 번호를 입력해 주세요.').waitFor()
  await sheet.getByLabel('입금액 (원)').fill('1000')
  await sheet.getByLabel('입금 번호', { exact: true }).fill('bank 7')
  assert.deepEqual(await axeViolations(page), [])
  await act(page, '기록 요청')
  await approveAsked(page)
  await page.reload()
  await press(page, '입금 취소')
  await page.getByText(/^bank 7 입금 1,000원을 취소합니다/).waitFor()
  await act(page, '취소 요청')
  await approveAsked(page)
  await page.reload()
  await page.getByText('입금 취소 승인', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: '입금 취소', exact: true }).count(), 0)
  await page.context().close()
})

test('a balance is adjusted by keyboard alone, with the figure before and after', async () => {
  const { page } = await openConsole('support')
  await visit(page, `/members/${memberId}`)
  await page.getByRole('button', { name: '잔액 조정', exact: true }).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  const amount = sheet.getByLabel('금액 (원)')
  await tabTo(page, amount)
  await page.keyboard.type('700')
  await sheet.getByText(/→ 조정 뒤 \d/).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('잘못 뺀 포인트')
  await page.keyboard.press('Enter')
  await approveAsked(page, '+700P')
  await page.reload()
  await page.getByText('잔액 더함', { exact: true }).waitFor()
  for (const text of [/포인트: \+700P/, /자산: 포인트.* 금액: 700P/])
    await page.getByText(text).first().waitFor()
  await page.context().close()
})

// The last: it travels past a year, where every session ends.
test('a card is extended once, in English; an expired one is refunded as quoted, by two people', async () => {
  const lost = await buy(9_999)
  const kept = await buy(10_000)
  const english = (await openConsole('support', { lang: 'en-US' })).page
  await visit(english, `/cards/${kept}`)
  await press(english, 'Extend')
  const extension = english.getByRole('dialog')
  await extension.getByText(/^Its last day moves from/).waitFor()
  await extension.getByLabel('Reason', { exact: true }).fill('asked by phone')
  await extension.getByRole('button', { name: 'Next', exact: true }).click()
  await extension.getByText('Extend this card?').waitFor()
  await extension.getByRole('button', { name: 'Extend', exact: true }).click()
  await english.getByText('Done.').waitFor()
  await english.getByText('Last day before it was extended').waitFor()
  await english.context().close()

  await advanceClock(service.database, { seconds: 370 * 86_400, actor: 'test' })
  const { page, watched } = await openConsole('support')
  await visit(page, `/cards/${lost}`)
  await press(page, '환불하기')
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('받을 회원').fill('nobody')
  await press(page, '금액 계산')
  await sheet.getByRole('alert').filter({ hasText: '없습니다' }).waitFor()
  await sheet.getByLabel('받을 회원').fill(member.loginId)
  await sheet.getByText('예치금', { exact: true }).click()
  await press(page, '금액 계산')
  // Each line, the version of the policy, and until when it holds.
  for (const line of ['9,999원', '90%', '−999원', '9,000원 · 예치금', /^kr-2025-09/, '이 금액의 유효 시각'])
    await sheet.getByText(line, { exact: true }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await act(page, '환불 요청')
  await approveAsked(page)
  await page.reload()
  await page.getByText('환불됨', { exact: true }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  assert.equal(await page.getByRole('button', { name: '환불하기' }).count(), 0)
  assertQuiet(watched)
  await page.context().close()
})
