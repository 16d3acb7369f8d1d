import type { Page } from 'playwright-core'

// Every page and sheet, and how to get there: for the test that looks at each of them, and for tools/screenshots.ts.
// What a page looks like once nothing moves any more.
export const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished))`

export interface Place {
  ours: string
  // Of a card that can be registered.
  pin: string
}
type Reach = (page: Page, place: Place) => Promise<void>
export type State = [name: string, reach: Reach]

const submit = (page: Page) => page.locator('form button[type=submit]').click()
const dialog = (page: Page) => page.getByRole('dialog').waitFor()
const at =
  (path: string, sign = 'h1'): Reach =>
  async (page, { ours }) => {
    await page.goto(ours + path)
    await page.locator(sign).first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
const fill = (page: Page, text: string) => page.locator('form input:not([type=radio])').first().fill(text)

const cardSheet =
  (path: string): Reach =>
  async (page, place) => {
    await at(path)(page, place)
    await page.locator('main input').fill(place.pin)
    await submit(page)
    await dialog(page)
  }
const quoteSheet =
  (path: string): Reach =>
  async (page, place) => {
    await at(path)(page, place)
    await fill(page, '1234567')
    await submit(page)
    await dialog(page)
  }

const code: Reach = async (page, place) => {
  await at('/signup')(page, place)
  await page.locator('select:has(option[value="2"])').selectOption('2')
  await submit(page)
  await page.locator('input[autocomplete=one-time-code]').waitFor()
}

export const NOBODYS: State[] = [
  ['first page', at('/')],
  [
    'a slip in the PIN',
    async (page, place) => {
      await at('/')(page, place)
      await page.locator('main input').fill('AAAA-AAAA-AAAA-AAAB')
      await page.locator('[aria-invalid]').waitFor()
    },
  ],
  [
    'whose card',
    async (page, place) => {
      await at('/')(page, place)
      await page.locator('main input').fill(place.pin)
      await submit(page)
      await page.locator('main a[href$=signup]').waitFor()
    },
  ],
  ['log in', at('/login')],
  [
    'log in, refused',
    async (page, place) => {
      await at('/login')(page, place)
      await fill(page, 'nobody.here')
      await page.locator('input[type=password]').fill('not the password')
      await submit(page)
      await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    },
  ],
  [
    'identity',
    async (page, place) => {
      await at('/signup')(page, place)
      await submit(page)
      await page.locator('[aria-invalid]').first().waitFor()
    },
  ],
  ['code', code],
  [
    'terms',
    async (page, place) => {
      await code(page, place)
      await page.locator('input[autocomplete=one-time-code]').fill('000000')
      await submit(page)
      for (const summary of await page.locator('main summary').all()) await summary.click()
      await page.locator('input[type=checkbox]').first().waitFor()
    },
  ],
  [
    'recover, no account',
    async (page, place) => {
      await at('/recover')(page, place)
      await page.locator('select:has(option[value="2"])').selectOption('2')
      await submit(page)
      await page.locator('input[autocomplete=one-time-code]').fill('000000')
      await submit(page)
      await page.locator('main a[href$=signup]').waitFor()
    },
  ],
  ['trade, nobody signed in', at('/trade/silver', '.big-number')],
]

export const OWN: State[] = [
  ['register', at('/')],
  ['card sheet', cardSheet('/')],
  ['assets', at('/assets', '.big-number')],
  ['trade', at('/trade/gold', 'canvas')],
  [
    'prices as a table',
    async (page, place) => {
      await at('/trade/gold', 'canvas')(page, place)
      await page.locator('main button', { hasText: /표로 보기|table/ }).click()
      await page.locator('table').waitFor()
    },
  ],
  ['amount', at('/trade/gold?side=buy')],
  [
    'amount, refused',
    async (page, place) => {
      await at('/trade/gold?side=buy')(page, place)
      await fill(page, '12.5')
      await submit(page)
      await page.locator('[aria-invalid]').waitFor()
    },
  ],
  ['quote sheet', quoteSheet('/trade/gold?side=buy')],
  [
    'bought',
    async (page, place) => {
      await quoteSheet('/trade/gold?side=buy')(page, place)
      await page.getByRole('dialog').locator('button').last().click()
      await page.locator('main h1', { hasText: /구매했어요|bought/ }).waitFor()
    },
  ],
  [
    'quote sheet of a sale, unfolded',
    async (page, place) => {
      await quoteSheet('/trade/silver?side=sell')(page, place)
      await page.getByRole('dialog').locator('summary').click()
    },
  ],
  ['history', at('/history', 'main li')],
  [
    'an act of the history',
    async (page, place) => {
      await at('/history', 'main li')(page, place)
      const bought = page.locator('main li button', { hasText: /구매|bought/ })
      await bought.first().click()
      await page.locator('main li dl').waitFor()
    },
  ],
  ['statement', at('/statement', 'table')],
  ['a statement to confirm', at('/statement/check')],
  ['withdraw', at('/withdraw', 'main li')],
  [
    'withdrawal sheet',
    async (page, place) => {
      await at('/withdraw', 'main li')(page, place)
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
    async (page, place) => {
      await at('/settings', 'main li')(page, place)
      await page.locator('main button', { hasText: /비밀번호|password/i }).click()
    },
  ],
  [
    'closing sheet',
    async (page, place) => {
      await at('/settings', 'main li')(page, place)
      await page.locator('main button').last().click()
      await dialog(page)
    },
  ],
]

export const WEB_VIEW: State[] = [
  ['web view', at('/webview', '.big-number')],
  ['web view: register', at('/webview/register')],
  ['web view: card sheet', cardSheet('/webview/register')],
  ['web view: history', at('/webview/history', 'main li')],
  ['web view: settings', at('/webview/settings', 'main li')],
  [
    'web view: who it is',
    async (page, place) => {
      await quoteSheet('/webview/trade/gold?side=buy')(page, place)
      await page.getByRole('dialog').locator('button').last().click()
      await page.getByRole('dialog').locator('select').first().waitFor()
    },
  ],
]

export const STATIC: State[] = [
  ['terms and their versions', at('/terms')],
  ['privacy policy', at('/privacy/2026-11-16')],
  ['custody and protection', at('/protection')],
  ['a key that opens nothing', at('/webview/unknown')],
  ['a web view that ended', at('/webview')],
]
