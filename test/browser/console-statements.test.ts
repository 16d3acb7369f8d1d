import assert from 'node:assert/strict'
import { closeDays } from '#flows/books/close/close-days.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import { advanceClock } from '#test/operator.ts'
import { assertQuiet, startPages, watch } from '#test/pages.ts'
import { PHONE } from '#test/service.ts'

// The month of a partner, from open to closed, sent and asked to be paid.
const { service, ours } = await startPages()
const browser = startBrowser()
const { database } = service
const partner = await service.addPartner({ name: '가온상점' })
// It never bought anything, so no period of it waits.
const quiet = await service.addPartner({ name: '조용한상점' })
assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).status, 200)
await advanceClock(database, { seconds: 32 * 86_400, actor: 'test' })
assert.equal((await closeDays(database, { actor: 'test', rest: 0 })).kind, 'done')

async function openConsole(role: 'finance' | 'viewer', locale: string, width = 1440) {
  const { cookies } = await service.consoleAs(role)
  const page = await openPage(browser, { viewport: { width, height: 900 }, locale })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours) }
}

test('a statement is looked at, closed, sent and asked to be paid', async () => {
  const { page, watched } = await openConsole('finance', 'ko-KR')
  await page.goto(`${ours}/console/statements`)
  const look = page.getByRole('button', { name: '미리 보기와 마감' })
  const sheet = page.getByRole('dialog')
  await look.waitFor()
  assert.equal(await page.getByRole('link', { name: quiet.partner.code }).count(), 0)
  // Without a draft there is nothing to go on to.
  const drafts = /\/statements\/draft\?/
  const refused = {
    status: 409,
    detail: 'x',
    code: 'conflict',
    errors: [{ pointer: '#', detail: 'period_leaves_days' }],
  }
  await page.route(drafts, (route) => route.fulfill({ status: 409, json: refused }))
  await look.click()
  await sheet.getByText('가장 이른 달부터 차례로 마감해 주세요.', { exact: false }).waitFor()
  assert.equal(await sheet.getByRole('button', { name: '다음' }).count(), 0)
  await sheet.getByRole('button', { name: '닫기' }).last().click()
  await page.unroute(drafts)
  await look.click()
  await sheet.getByText('납부할 금액 50,000원').waitFor()
  await sheet.getByRole('button', { name: '다음' }).click()
  await sheet.getByText('되돌릴 수 없습니다', { exact: false }).waitFor()
  await sheet.getByRole('button', { name: '정산서 마감' }).click()
  await sheet.getByText('완료했습니다.').waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('link', { name: new RegExp(`^${partner.partner.code}-\\d{4}-\\d{2}$`) }).click()
  await page.getByRole('heading', { name: /^정산서 / }).waitFor()
  await page.getByRole('button', { name: '보냄으로 기록' }).click()
  await sheet.getByLabel('전달 방법').fill('우편')
  await sheet.getByRole('button', { name: '보냄으로 기록' }).click()
  await sheet.getByText('완료했습니다.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '입금 등록' }).click()
  await sheet.getByLabel('은행 입금 번호').fill('KB 1')
  await sheet.getByLabel('사유').fill('입금 확인')
  await sheet.getByRole('button', { name: '입금 등록' }).click()
  await sheet.getByText('다른 사람이 승인하면', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(await axeViolations(page), [])
  assertQuiet(watched)
})

test('who may only look sees statements, in English and on a phone, and no act', async () => {
  const { page, watched } = await openConsole('viewer', 'en-US', 375)
  await page.goto(`${ours}/console/statements`)
  await page.getByRole('heading', { name: 'Statements of partners' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Look and close' }).count(), 0)
  await page
    .getByRole('link', { name: new RegExp(`^${partner.partner.code}-`) })
    .first()
    .click()
  await page.getByRole('heading', { name: /^Statement / }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Record a payment' }).count(), 0)
  assert.deepEqual(await axeViolations(page), [])
  assertQuiet(watched)
})
