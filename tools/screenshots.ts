import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { pollPrices } from '#jobs/poll-prices.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import { createSimulatedPrices } from '#providers/metal-price/simulated.ts'
import { openPage, PHONE_SIZE, startBrowser, test } from '#test/browser.ts'
import { addMember, newPerson, type TestMember } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { NOBODYS, OWN, STATIC, type State, WEB_VIEW } from '#test/page-states.ts'
import { openAs, startPages } from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { call, type TestPartner } from '#test/service.ts'
import { addLink } from '#test/web-view.ts'
import { forDocuments, type Language, LOCALES, shoot, shootAll } from './screenshots/shooting.ts'

// npm run screenshots: takes the pictures of the main pages that the README shows, into docs/screenshots. It runs its
// own service with the sandbox's prices and people. After a change of how a page looks, run it, look at the pictures,
// and commit them. They are no test: another machine's fonts make other pictures. Korean needs a font, such as Noto
// Sans CJK. With SCREENSHOTS_ALL=FOLDER it takes every page instead, in each width, by day and by night, in both
// languages. A sheet for each page shows all of them. SCREENSHOTS_ONLY=WORD takes the pages whose name has that word.

const { service, ours } = await startPages({ environment: { INGOT_ROLES: 'api,worker' } })
const browser = startBrowser()

const partner = await service.addPartner({ name: '한빛페이' })

let phones = 0
async function pinFrom(giver: TestPartner, amount: number): Promise<string> {
  phones += 1
  const phoneNumber = `010${String(33_000_000 + phones)}`
  await giver.buy({ phoneNumber, amount })
  return until(async () => {
    const [message] = (await call(`${service.url}/dev/inbox.json?to=${phoneNumber}`)).body
    return message && /PIN 번호: (\S{19})\n/.exec(message.body)?.[1]
  })
}

async function trade(member: TestMember, order: object): Promise<void> {
  const { quoteId } = (await member.browser.post('/quotes', order)).body
  const { status, text } = await member.browser.post('/orders', { quoteId })
  assert.equal(status, 200, text)
}

// Somebody who has registered two cards, and bought and sold.
async function addOwner(): Promise<TestMember> {
  const { name, birthday, gender, mdn, ci } = PERSONAS[1]!
  const member = await addMember(service, newPerson({ name, birthday, gender, mdn }))
  const userInfo = { name, birthday, gender, mdn, ci, nationality: 'K' }
  await partner.post(SIGNUP, signupOf(partner.partner.code, name, { userInfo }))
  for (const amount of [500_000, 300_000]) {
    const pin = await pinFrom(partner, amount)
    assert.equal((await member.browser.post('/cards/redeem', { pin })).status, 200)
  }
  await trade(member, { side: 'buy', metal: 'gold', won: 400_000 })
  await trade(member, { side: 'buy', metal: 'silver', grams: '60' })
  await trade(member, { side: 'sell', metal: 'gold', grams: '0.5' })
  return member
}

const QUIET = { debug() {}, info() {}, warn() {}, error() {} }
const submit = (page: Page) => page.locator('form button[type=submit]').click()

// Prices of some time, and somebody who owns something.
async function prepare(): Promise<TestMember> {
  // The first minute's price is older than the one that a new database begins with.
  await advanceClock(service.database, { seconds: 120, actor: 'screenshots' })
  const prices = createSimulatedPrices({ watch: { onRequest() {} } })
  await pollPrices({ database: service.database, log: QUIET, prices, onReading() {} })
  return addOwner()
}

test('pictures for the README', { timeout: 120_000, skip: !forDocuments }, async (t) => {
  const owner = await prepare()
  const options = (language: Language) => ({
    viewport: { ...PHONE_SIZE, height: 760 },
    deviceScaleFactor: 1.5, // twice would be too many bytes
    locale: LOCALES[language],
  })
  for (const language of ['ko', 'en'] as const) {
    const stranger = await openPage(browser, options(language))
    await stranger.goto(`${ours}/`)
    await stranger.locator('main input').waitFor()
    await shoot(stranger, `register-${language}`, t)
    await stranger.context().close()

    const page = await openAs(browser, owner, options(language))
    await page.goto(`${ours}/`)
    if (language === 'ko') {
      await page.locator('main input').fill(await pinFrom(partner, 100_000))
      await submit(page)
      await page.getByRole('dialog').waitFor()
      await shoot(page, 'confirm-ko', t)
    }
    await page.goto(`${ours}/assets`)
    await page.locator('.big-number').waitFor()
    await shoot(page, `assets-${language}`, t)
    await page.goto(`${ours}/trade/gold`)
    await page.locator('canvas').waitFor()
    await page.locator('label', { hasText: /1주|1 week/ }).click()
    await page.waitForLoadState('networkidle')
    await shoot(page, `trade-${language}`, t)
    await page.goto(`${ours}/trade/gold?side=buy`)
    await page.locator('form input:not([type=radio])').fill('200000')
    await submit(page)
    await page.getByRole('dialog').waitFor()
    await shoot(page, `quote-${language}`, t)
    if (language === 'ko') {
      await page.goto(`${ours}/history`)
      await page.locator('main li').first().waitFor()
      await shoot(page, 'history-ko', t)
    }
    await page.context().close()
  }
  const holds = { KRW_POINT: 50_000n, KRW: 12_000n, XAU: 12_345n, XAG: 100_000n }
  const link = await addLink(service, partner, { name: '홍길동', holds })
  const page = await openPage(browser, options('ko'))
  await page.goto(`${ours}/webview/${await link.hashKey()}`)
  await page.locator('.big-number').waitFor()
  await shoot(page, 'web-view-ko', t)
  await page.context().close()
})

test('every page', { timeout: 1_800_000, skip: forDocuments }, async (t) => {
  const owner = await prepare()
  const place = { ours, pin: await pinFrom(partner, 300_000) }
  const withdrawal = { requestId: crypto.randomUUID(), amount: 5_000, bank: '004', account: '110-123-456789' }
  await owner.browser.post('/withdrawals', withdrawal)
  const holds = { KRW_POINT: 500_000n, KRW: 12_000n, XAU: 12_345n, XAG: 1_000_000n }
  const link = await addLink(service, partner, { name: '홍길동', holds })
  const enter = async (page: Page) => {
    await page.goto(`${ours}/webview/${await link.hashKey()}`)
    return page
  }
  const groups = (locale: string): [State[], () => Promise<Page>][] => [
    [NOBODYS, () => openPage(browser, { locale })],
    [OWN, () => openAs(browser, owner, { locale })],
    [WEB_VIEW, () => openPage(browser, { locale }).then(enter)],
    [STATIC, () => openPage(browser, { locale })],
  ]
  for (const [language, locale] of Object.entries(LOCALES)) {
    for (const [states, open] of groups(locale)) {
      const page = await open()
      for (const [name, reach] of states) {
        await shootAll(page, { name, language, reach: () => reach(page, place) }, t)
      }
      await page.context().close()
    }
  }
})
