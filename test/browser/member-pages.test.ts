import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PERSONAS } from '#providers/identity/personas.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import {
  addHoldingMember,
  assertQuiet,
  giveCard,
  openAs,
  startPages,
  type Watched,
  watch,
} from '#test/pages.ts'
import { addLink } from '#test/web-view.ts'

const { service, ours } = await startPages()
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이 Hanbit Pay' })
// More than anybody holds, so that figures are as long as they come.
const holds = { KRW_POINT: 1_250_000_000n, KRW: 98_765_432_100n, XAU: 123_456_789n, XAG: 9_876_543_210n }
const member = await addHoldingMember(service, partner, holds)
const { pin } = await giveCard(service, partner, 300_000)
const withdrawn = { requestId: crypto.randomUUID(), amount: 50_000, bank: '004', account: '110-123-456789' }
assert.equal((await member.browser.post('/withdrawals', withdrawn)).status, 200)
const { name, ci } = PERSONAS[1]!
const link = await addLink(service, partner, { name, ci, holds })
await openPage(browser).then(async (first) => {
  await first.goto(`${ours}/webview/${await link.hashKey()}`)
  await first.context().close()
})

const LANGUAGES = { ko: 'ko-KR', en: 'en-US' }
const WIDTHS = [320, 375, 1_280]
type State = [name: string, reach: (page: Page) => Promise<void>]

const submit = (page: Page) => page.locator('form button[type=submit]').click()
const dialog = (page: Page) => page.getByRole('dialog').waitFor()
const at =
  (path: string, sign = 'h1') =>
  async (page: Page) => {
    await page.goto(ours + path)
    await page.locator(sign).first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
const fill = (page: Page, text: string) => page.locator('form input:not([type=radio])').first().fill(text)

const cardSheet = (path: string) => async (page: Page) => {
  await at(path)(page)
  await page.locator('main input').fill(pin)
  await submit(page)
  await dialog(page)
}
const quoteSheet = (path: string) => async (page: Page) => {
  await at(path)(page)
  await fill(page, '1234567')
  await submit(page)
  await dialog(page)
}

const NOBODYS: State[] = [
  ['first page', at('/')],
  [
    'a slip in the PIN',
    async (page) => {
      await at('/')(page)
      await page.locator('main input').fill('AAAA-AAAA-AAAA-AAAB')
      await page.locator('[aria-invalid]').waitFor()
    },
  ],
  [
    'whose card',
    async (page) => {
      await at('/')(page)
      await page.locator('main input').fill(pin)
      await submit(page)
      await page.locator('main a[href$=signup]').waitFor()
    },
  ],
  ['log in', at('/login')],
  [
    'log in, refused',
    async (page) => {
      await at('/login')(page)
      await fill(page, 'nobody.here')
      await page.locator('input[type=password]').fill('not the password')
      await submit(page)
      await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    },
  ],
  [
    'terms',
    async (page) => {
      await at('/signup')(page)
      for (const summary of await page.locator('summary').all()) await summary.click()
    },
  ],
  [
    'identity',
    async (page) => {
      await at('/signup')(page)
      await page.locator('input[type=checkbox]').first().check()
      await page.locator('main button').last().click()
      await submit(page)
      await page.locator('[aria-invalid]').first().waitFor()
    },
  ],
  [
    'code',
    async (page) => {
      await at('/recover')(page)
      await page.locator('select:has(option[value="2"])').selectOption('2')
      await submit(page)
      await page.locator('input[autocomplete=one-time-code]').waitFor()
    },
  ],
  [
    'id and password',
    async (page) => {
      await at('/signup')(page)
      await page.locator('input[type=checkbox]').first().check()
      await page.locator('main button').last().click()
      await page.locator('select:has(option[value="2"])').selectOption('2')
      await submit(page)
      await page.locator('input[autocomplete=one-time-code]').fill('000000')
      await submit(page)
      await page.locator('input[type=password]').fill('short')
    },
  ],
  ['trade, nobody signed in', at('/trade/silver', '.figure-total')],
]

const OWN: State[] = [
  ['register', at('/')],
  ['card sheet', cardSheet('/')],
  ['assets', at('/assets', '.figure-total')],
  ['trade', at('/trade/gold', 'canvas')],
  [
    'prices as a table',
    async (page) => {
      await at('/trade/gold', 'canvas')(page)
      await page.locator('main button', { hasText: /표로 보기|table/ }).click()
      await page.locator('table').waitFor()
    },
  ],
  ['amount', at('/trade/gold?side=buy')],
  ['quote sheet', quoteSheet('/trade/gold?side=buy')],
  [
    'bought',
    async (page) => {
      await quoteSheet('/trade/gold?side=buy')(page)
      await page.getByRole('dialog').locator('button').last().click()
      await page.locator('main h1', { hasText: /구매했어요|bought/ }).waitFor()
    },
  ],
  ['quote sheet of a sale', quoteSheet('/trade/silver?side=sell')],
  ['history', at('/history', 'main li')],
  [
    'an act of the history',
    async (page) => {
      await at('/history', 'main li')(page)
      await page
        .locator('main li button', { hasText: /구매|bought/ })
        .first()
        .click()
      await page.locator('main li dl').waitFor()
    },
  ],
  ['statement', at('/statement', 'table')],
  ['withdraw', at('/withdraw', 'main li')],
  [
    'withdrawal sheet',
    async (page) => {
      await at('/withdraw', 'main li')(page)
      await fill(page, '10000')
      await submit(page)
      await page.locator('select').selectOption({ index: 1 })
      await fill(page, '110-123-456789')
      await submit(page)
      await dialog(page)
    },
  ],
  [
    'settings',
    async (page) => {
      await at('/settings', 'main li')(page)
      await page.locator('main button', { hasText: /비밀번호|password/i }).click()
    },
  ],
  [
    'closing sheet',
    async (page) => {
      await at('/settings', 'main li')(page)
      await page.locator('main button').last().click()
      await dialog(page)
    },
  ],
]

const WEB_VIEW: State[] = [
  ['web view', at('/webview', '.figure-total')],
  ['web view: register', at('/webview/register')],
  ['web view: card sheet', cardSheet('/webview/register')],
  ['web view: history', at('/webview/history', 'main li')],
  ['web view: settings', at('/webview/settings', 'main li')],
  [
    'web view: who it is',
    async (page) => {
      await quoteSheet('/webview/trade/gold?side=buy')(page)
      await page.getByRole('dialog').locator('button').last().click()
      await page.getByRole('dialog').locator('select').first().waitFor()
    },
  ],
]

const STATIC: State[] = [
  ['a key that opens nothing', at('/webview/unknown')],
  ['a web view that ended', at('/webview')],
]

// What sticks out, if anything does: of the page, or of the sheet on it.
const WIDER = `(() => {
  const wide = innerWidth
  const sheet = document.querySelector('[role=dialog]')
  const over = document.documentElement.scrollWidth > wide || (sheet && sheet.scrollWidth > sheet.clientWidth)
  if (!over) return []
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > wide + 0.5)
    .map((one) => one.outerHTML.slice(0, 160)).concat('wider than ' + wide)
})()`
const SMALL = `[...document.querySelectorAll('a, button, input:not([type=radio], [type=checkbox], [type=hidden]), select')]
  .filter((one) => one.getClientRects().length > 0 && !one.closest('[aria-hidden=true]'))
  .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 47.5)
  .filter((one) => !one.hasAttribute('data-base-ui-focus-guard') && !one.closest('.figure-total, .focus-within\\\\:outline-3'))
  .map((one) => one.outerHTML.slice(0, 160))`

const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished))`

// What a password manager goes by. Not every browser complains where it is missing.
const UNMANAGED = `[...document.querySelectorAll('input[type=password]')]
  .filter((one) => !/^(current|new)-password$/.test(one.autocomplete) || !one.form?.querySelector('[autocomplete=username]'))
  .map((one) => one.outerHTML)`

async function assertFits(page: Page, lang: string): Promise<void> {
  assert.equal(await page.getAttribute('html', 'lang'), lang)
  assert.equal(await page.locator('h1').count(), 1)
  await page.evaluate(SETTLED)
  assert.deepEqual(await axeViolations(page), [])
  assert.deepEqual(await page.evaluate(SMALL), [], 'targets of 48 px')
  assert.deepEqual(await page.evaluate(UNMANAGED), [], 'passwords in a form, with whose they are')
  const debug = await page.context().newCDPSession(page)
  for (const standard of [16, 32]) {
    await debug.send('Page.setFontSizes', { fontSizes: { standard } })
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), `${standard}px`)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 812 })
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      assert.deepEqual(await page.evaluate(WIDER), [], `${width} px, text of ${standard} px`)
    }
  }
  await debug.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  await debug.detach()
  await page.setViewportSize({ width: 375, height: 812 })
}

for (const [lang, locale] of Object.entries(LANGUAGES)) {
  const GROUPS: [states: State[], open: () => Promise<Page>][] = [
    [NOBODYS, () => openPage(browser, { locale })],
    [OWN, () => openAs(browser, member, { locale })],
    [
      WEB_VIEW,
      async () => {
        const page = await openPage(browser, { locale })
        await page.goto(`${ours}/webview/${await link.hashKey()}`)
        return page
      },
    ],
    [STATIC, () => openPage(browser, { locale })],
  ]
  for (const [states, open] of GROUPS) {
    let page: Page | undefined
    let watched: Watched | undefined
    for (const [title, reach] of states) {
      test(`${title} in ${lang}: accessible, and never wider than the screen`, async () => {
        page ??= await open()
        watched ??= watch(page, ours)
        await reach(page)
        await assertFits(page, lang)
        if (title !== states.at(-1)?.[0]) return
        assertQuiet(watched)
        await page.context().close()
      })
    }
  }
}
