import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { continueRetry } from '#flows/deliveries/retry-deliveries.ts'
import { createCountFigures } from '#flows/overview/count-figures.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import { markSent } from '#test/deliveries.ts'
import { assertQuiet, heading, press, startPages, watch } from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { PHONE } from '#test/service.ts'
import type { StaffBrowser } from '#test/staff.ts'

// One service, one browser, one context for each language: the pages of what is going on.
const { service, ours } = await startPages()
const browser = startBrowser()
const { database } = service
const partner = await service.addPartner({ name: '한빛페이' })
const count = createCountFigures(database)
const DESK = { viewport: { width: 1440, height: 900 } }
const one = async (text: string) => (await database.pool.query(text)).rows[0]

async function openConsoleAs(staff: StaffBrowser, options: BrowserContextOptions): Promise<Page> {
  const page = await openPage(browser, options)
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...staff.cookies].map(([name, value]) => ({ name, value, ...kept })))
  return page
}

async function buy(amount: number): Promise<string> {
  const id = (await partner.buy({ phoneNumber: PHONE, amount })).body.data.giftId
  await count()
  return id
}

const WORDS = {
  ko: {
    overview: '현황',
    needs: '지금 사람이 필요한 일',
    today: '오늘 (서울)',
    table: '표로 보기',
    failures: '발송 실패와 재시도',
    send: /^다시 보내기 업체가 거절 문자/,
    reason: '사유',
    next: '다음',
    begin: '다시 보내기 시작',
    done: '완료했습니다.',
    prices: '시세와 거래 조건',
    stop: '거래 멈추기',
    resume: '거래 다시 시작',
    issued: (won: string) => `${won}원`,
  },
  en: {
    overview: 'Overview',
    needs: 'What needs a person now',
    today: 'Today (Seoul)',
    table: 'As a table',
    failures: 'Failed messages and retries',
    send: /^Send again rejected by the provider Text/,
    reason: 'Reason',
    next: 'Next',
    begin: 'Begin',
    done: 'Done.',
    prices: 'Prices and terms',
    stop: 'Stop trading',
    resume: 'Resume trading',
    issued: (won: string) => `₩${won}`,
  },
} as const

// Everything that a keyboard reaches has a name, and nothing is wider than its screen.
async function assertSound(page: Page): Promise<void> {
  assert.deepEqual(await axeViolations(page), [])
  for (const width of [1440, 1024, 375]) {
    await page.setViewportSize({ width, height: 900 })
    const isWider = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    )
    assert.equal(isWider, false, `${width} px`)
  }
  await page.setViewportSize(DESK.viewport)
}

let issued = 0

for (const language of ['ko', 'en'] as const) {
  const words = WORDS[language]

  test(`overview in ${language}: a purchase shows up without a reload; silence is said`, async () => {
    const admin = await service.consoleAs('admin')
    const page = await openConsoleAs(admin, { ...DESK, colorScheme: language === 'ko' ? 'light' : 'dark' })
    const watched = watch(page, ours)
    await page.goto(`${ours}/console?lang=${language}`)
    await heading(page, words.overview)
    await page.getByRole('region', { name: words.needs }).waitFor()
    const today = page.getByRole('region', { name: words.today })
    const card = await buy(31_000)
    issued += 31_000
    await today
      .getByText(words.issued(issued.toLocaleString('en')), { exact: true })
      .first()
      .waitFor()
    // The figure leads to its rows.
    const { day } = await one('select seoul_date(service_now())::text as day')
    const link = today.getByRole('link').first()
    assert.match((await link.getAttribute('href'))!, new RegExp(`/console/cards\\?issued=${day}$`))
    // By keyboard: the table of the chart.
    await page.locator('summary', { hasText: words.table }).press('Enter')
    await page.getByRole('cell', { name: day, exact: true }).waitFor()
    await assertSound(page)
    assertQuiet(watched)
    await markSent(service, card, { status: 'failed' })

    await page.context().setOffline(true)
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await page.context().setOffline(false)
    await until(async () => (await page.getByRole('alert').filter({ hasText: /./ }).count()) === 0)
    await page.context().close()
  })

  test(`failed messages in ${language}: a group is sent again, with progress`, async () => {
    await count()
    const admin = await openConsoleAs(await service.consoleAs('admin'), DESK)
    await admin.goto(`${ours}/console?lang=${language}`)
    // The rows behind a figure are those it counts: of one provider, and of no reason if it has none.
    const figure = admin.locator('a[href*="/console/deliveries?"][href*="settled="]').first()
    const { searchParams } = new URL((await figure.getAttribute('href'))!, ours)
    const { provider } = await one(`select provider from delivery where status = 'failed' limit 1`)
    assert.equal(searchParams.get('provider'), provider)
    assert.ok([...searchParams.values()].every((value) => value !== ''))
    await figure.click()
    await admin.getByRole('row').nth(1).waitFor()
    await admin.context().close()
    await database.pool.query(`update delivery set created_at = created_at - interval '5 minutes'`)
    const support = await service.consoleAs('support')
    const page = await openConsoleAs(support, DESK)
    const watched = watch(page, ours)
    await page.goto(`${ours}/console/delivery-health?lang=${language}`)
    await heading(page, words.failures)
    await page.getByRole('button', { name: words.send }).press('Enter')
    await page.getByRole('textbox', { name: words.reason }).fill('provider is back')
    await page.getByRole('textbox', { name: words.reason }).press('Enter')
    await press(page, words.begin)
    await page.getByText(words.done).waitFor()
    await page.keyboard.press('Escape')
    await continueRetry(database)
    await page
      .getByText(/^(?:끝남|done)$/)
      .first()
      .waitFor()
    assert.ok((await one(`select count(*)::int as n from delivery where purpose = 'resend'`)).n > 0)
    await assertSound(page)
    assertQuiet(watched)
    await page.context().close()
  })

  test(`prices in ${language}: stop and resume with a reason, by keyboard`, async () => {
    const finance = await service.consoleAs('finance')
    const page = await openConsoleAs(finance, DESK)
    const watched = watch(page, ours)
    await page.goto(`${ours}/console/prices?lang=${language}`)
    await heading(page, words.prices)
    await assertSound(page)
    for (const act of [words.stop, words.resume]) {
      await page.getByRole('button', { name: act, exact: true }).press('Enter')
      await page.getByRole('textbox', { name: words.reason }).fill('drill')
      await page.getByRole('textbox', { name: words.reason }).press('Enter')
      await page.getByText(words.done).waitFor()
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: words.stop, exact: true }).waitFor()
    const { stopped } = await one(`select stopped from current_terms('XAU')`)
    assert.equal(stopped, false)
    assertQuiet(watched)
    await page.context().close()
  })
}
