import assert from 'node:assert/strict'
import { closeDays } from '#flows/books/close/close-days.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import { advanceClock } from '#test/operator.ts'
import { assertQuiet, startPages, watch } from '#test/pages.ts'
import { PHONE } from '#test/service.ts'

// The regulator's questions, from the list to a recorded balance.
const { service, ours } = await startPages()
const browser = startBrowser()
const { database } = service
const partner = await service.addPartner({ name: '가온상점' })
assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).status, 200)
await advanceClock(database, { seconds: 2 * 86_400, actor: 'test' })
assert.equal((await closeDays(database, { actor: 'test', rest: 0 })).kind, 'done')

async function openConsole(locale: string, width = 1440) {
  const { cookies } = await service.consoleAs('finance')
  const page = await openPage(browser, { viewport: { width, height: 900 }, locale })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours) }
}

test('a shortage is seen, a balance recorded, and the query shown', async () => {
  const { page, watched } = await openConsole('ko-KR')
  await page.goto(`${ours}/console/reports`)
  await page.getByRole('link', { name: '미상환 잔액과 등록 기준' }).click()
  await page.getByText('발행잔액 (분기 말 평균)').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.goto(`${ours}/console/reports/safeguarding`)
  await page.getByRole('button', { name: '잔액 기록' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('관리 기관').fill('한빛은행')
  await sheet.getByLabel('금액 (원)').fill('50000')
  await sheet.getByLabel('증빙 번호').fill('T-1')
  await sheet.getByLabel('사유').fill('잔고증명서')
  await sheet.getByRole('button', { name: '잔액 기록' }).click()
  await sheet.getByText('다른 사람이 승인하면', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('조회한 질의').click()
  await page.getByText('closed_day_balance', { exact: false }).first().waitFor()
  assert.deepEqual(await axeViolations(page), [])
  assertQuiet(watched)
})

test('on a phone, in English; a period that is backwards is refused in words', async () => {
  const { page } = await openConsole('en-US', 375)
  await page.goto(`${ours}/console/reports/outstanding`)
  await page.getByText('Balance, average of quarter ends').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.goto(`${ours}/console/reports/ci-use?from=2026-02-02&to=2026-02-01`)
  await page.getByText('The period ends before it begins.', { exact: false }).waitFor()
})
