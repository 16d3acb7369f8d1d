import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { verify } from '#app/commands/installation.ts'
import { closeAndNote } from '#flows/books/close/close-and-note.ts'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addHolder } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { assertQuiet, startPages, tabTo, watch } from '#test/pages.ts'
import { PHONE } from '#test/service.ts'

// A month from open to closed, by two people: what blocks it is done page by page.
const { service, ours } = await startPages({ environment: { SINGLE_PERSON: 'off' } })
const browser = startBrowser()
const { database } = service
const { done } = await commandsOn(service)
const partner = await service.addPartner({ name: '가온상점' })
const { code } = partner.partner
await addHolder(service, await service.addPartner(), '홍길동', { XAU: 15_000n })
assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 50_000 })).status, 200)
await advanceClock(database, { seconds: 32 * 86_400, actor: 'test' })
const { rows } = await database.pool.query(
  `select to_char(seoul_date(service_now() - interval '32 days'), 'YYYY-MM') as month`,
)
const month = rows[0].month as string

async function openConsole(role: 'finance' | 'viewer', locale: string, width = 1440) {
  const { cookies } = await service.consoleAs(role)
  const page = await openPage(browser, { viewport: { width, height: 900 }, locale })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours) }
}

// What the worker does on the first of the month.
async function closeTheDays(): Promise<void> {
  assert.equal((await closeAndNote(database, { actor: 'worker', rest: 0 })).kind, 'done')
}

const item = (page: Page, name: string) =>
  page
    .getByRole('list', { name: '마감 전에 확인할 것' })
    .getByRole('listitem')
    .filter({ hasText: name })
    .first()

test('days and the verification come first; a difference is shown with its row', async () => {
  const { page, watched } = await openConsole('finance', 'ko-KR')
  await database.pool.query(`update account set balance = balance + 1 where kind = 'bank'`)
  await closeTheDays()
  await page.goto(`${ours}/console/month-end`)
  await page.getByRole('heading', { name: `월마감 ${month}` }).waitFor()
  await item(page, '일마감').getByText('마감 불가').waitFor()
  await page.getByRole('heading', { name: '일마감이 되지 않은 이유' }).waitFor()
  await page.getByText('bank KRW: 1').waitFor()
  assert.equal(await page.getByRole('button', { name: '이 달 마감' }).count(), 0)
  assert.deepEqual(await axeViolations(page), [])
  await database.pool.query(`update account set balance = balance - 1 where kind = 'bank'`)
  await closeTheDays()
  await createSealTransfers(database, { most: 1_000, seconds: 0, rest: 0 })()
  await done(verify)
  await page.reload()
  await item(page, '일마감').getByText('완료').waitFor()
  await item(page, '장부 검증').getByText('완료').waitFor()
  await item(page, '회원 귀금속 대비 보유').getByText('금 1.5000 g').waitFor()
  // From what blocks to where it is done.
  await item(page, '제휴사 정산서 마감').getByRole('link', { name: '보러 가기' }).click()
  await page.getByRole('row').filter({ hasText: code }).getByRole('button').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('납부할 금액 50,000원').waitFor()
  await sheet.getByRole('button', { name: '다음' }).click()
  await sheet.getByRole('button', { name: '정산서 마감' }).click()
  await sheet.getByText('완료했습니다.').waitFor()
  assertQuiet(watched)
})

test('a deposit of the bank’s file is asked for by one and approved by another', async () => {
  const { page, watched } = await openConsole('finance', 'ko-KR')
  await page.goto(`${ours}/console/bank-file`)
  const file = (text: string) => ({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file('date,deposit,payer\n2026-12-02,12.5,x\n'))
  await page.getByRole('alert').getByText('입금액이 원 단위의 정수가 아닙니다. (2행)').waitFor()
  await input.setInputFiles(file(`거래일시,입금액,적요\n2026-12-02,"50,000",가온상점\n2026-12-02,7,모름\n`))
  await page.getByText('입금 2건 · utf-8').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: '선택한 1건 입금 등록' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('사유').fill('12월 입금')
  await sheet.getByRole('button', { name: '승인 요청' }).click()
  const request = await sheet.getByRole('link', { name: '승인 대기' }).getAttribute('href')
  await page.keyboard.press('Escape')
  await page.getByRole('row').getByText('승인 대기').waitFor()
  const second = await openConsole('finance', 'ko-KR')
  await second.page.goto(`${ours}${request}`)
  await second.page.getByRole('button', { name: '승인하기', exact: true }).click()
  await second.page.getByRole('dialog').getByRole('button', { name: '승인하기', exact: true }).click()
  await second.page.getByText('완료했습니다.').waitFor()
  await page.goto(`${ours}/console/statements/${code}-${month}`)
  await page.getByText('납부 완료').first().waitFor()
  assertQuiet(watched)
  assertQuiet(second.watched)
})

test('nothing blocks it: the month is closed by keyboard alone', async () => {
  const { page, watched } = await openConsole('finance', 'ko-KR')
  await page.goto(`${ours}/console/month-end`)
  await page.getByText('마감할 수 있습니다', { exact: false }).waitFor()
  await page.getByRole('button', { name: '이 달 마감' }).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  for (const name of ['다음', '이 달 마감']) {
    await tabTo(page, sheet.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await sheet.getByText('완료했습니다.').waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${ours}/console/month-end?month=${month}`)
  await page.getByText('마감한 달입니다.', { exact: false }).waitFor()
  await page.getByRole('region', { name: '마감 기록' }).getByText(`${code}-${month}`).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  assertQuiet(watched)
})

test('who may only look goes from figures to rows, in English and on a phone, and finds no act', async () => {
  const { page, watched } = await openConsole('viewer', 'en-US', 375)
  await page.goto(`${ours}/console/month-end?month=${month}`)
  await page.getByText('This month is closed.', { exact: false }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Close this month' }).count(), 0)
  await page.goto(`${ours}/console/trial-balance`)
  await page.getByRole('heading', { name: 'Gold (g)' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('link', { name: `outstanding cards · ${code}` }).click()
  await page.getByRole('heading', { name: `Account · outstanding cards · ${code}` }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByLabel('From', { exact: true }).fill(`${month}-01`)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('heading', { name: 'Transfers' }).waitFor()
  await page.getByText('₩50,000').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.goto(`${ours}/console/days`)
  await page
    .getByRole('link', { name: new RegExp(`^${month}-`) })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Cards (won)' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.goto(`${ours}/console/bullion`)
  await page.getByText('Short by').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Record a trade' }).count(), 0)
  assert.deepEqual(await axeViolations(page), [])
  assertQuiet(watched)
})

test('bullion is recorded through the approvals', async () => {
  const { page, watched } = await openConsole('finance', 'en-US', 1024)
  await page.goto(`${ours}/console/bullion`)
  await page.getByRole('button', { name: 'Record a trade' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Ask for approval' }).click()
  await sheet.getByText('Enter a whole number from 1.').waitFor()
  await sheet.getByLabel('Weight (g)').fill('2')
  await sheet.getByLabel('Won, without VAT').fill('400000')
  await sheet.getByLabel('Reference').fill('INV-7')
  await sheet.getByLabel('Reason').fill('to hedge')
  await sheet.getByRole('button', { name: 'Ask for approval' }).click()
  await sheet.getByText('Asked for.', { exact: false }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.keyboard.press('Escape')
  await page.getByText('Trades wait for a second person.', { exact: false }).waitFor()
  assertQuiet(watched)
})
