import type { Page } from 'playwright-core'

// Every page and sheet, and how to get there: for the test that looks at each of them, and for tools/screenshots.ts.
// What a page looks like once nothing moves any more. Asked for each frame: the promise of an animation that another one
// has replaced may never settle.
export const SETTLED = `new Promise((settled) => {
  const moves = (one) => one.playState === 'running' && one.effect.getComputedTiming().iterations !== Infinity
  const look = () => document.getAnimations().some(moves) ? requestAnimationFrame(look) : settled()
  look()
})`

export interface Place {
  ours: string
  // Of a card that can be registered.
  pin: string
}
type Reach = (page: Page, place: Place) => Promise<void>
// `further` leads here from the state before, without loading the page again.
export type State = [name: string, reach: Reach, further?: Reach]

const submit = (page: Page) => page.locator('form button[type=submit]').click()
const dialog = (page: Page) => page.getByRole('dialog').waitFor()
const at =
  (path: string, sign = 'h1'): Reach =>
  async (page, { ours }) => {
    await page.goto(ours + path)
    await page.locator(sign).first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
const from = (name: string, start: Reach, further: Reach): State => [
  name,
  async (page, place) => {
    await start(page, place)
    await further(page, place)
  },
  further,
]
const fill = (page: Page, text: string) => page.locator('form input:not([type=radio])').first().fill(text)

const cardSheet = (name: string, path: string): State =>
  from(name, at(path), async (page, { pin }) => {
    await page.locator('main input').fill(pin)
    await submit(page)
    await dialog(page)
  })
const quoteSheet = (name: string, path: string): State =>
  from(name, at(path), async (page) => {
    await fill(page, '1234567')
    await submit(page)
    await dialog(page)
  })
// A quote is soon too old to go on with it: what comes after the sheet starts from the beginning.
const afterQuote = (path: string, then: (page: Page) => Promise<void>): Reach => {
  const [, reach] = quoteSheet('', path)
  return async (page, place) => {
    await reach(page, place)
    await then(page)
  }
}

const code = from('code', at('/signup'), async (page) => {
  await page.locator('select:has(option[value="2"])').selectOption('2')
  await submit(page)
  await page.locator('input[autocomplete=one-time-code]').waitFor()
})

export const NOBODYS: State[] = [
  ['first page', at('/')],
  from('a slip in the PIN', at('/'), async (page) => {
    await page.locator('main input').fill('AAAA-AAAA-AAAA-AAAB')
    await page.locator('[aria-invalid]').waitFor()
  }),
  from('whose card', at('/'), async (page, { pin }) => {
    await page.locator('main input').fill(pin)
    await submit(page)
    await page.locator('main a[href$=signup]').waitFor()
  }),
  ['log in', at('/login')],
  from('log in, refused', at('/login'), async (page) => {
    await fill(page, 'nobody.here')
    await page.locator('input[type=password]').fill('not the password')
    await submit(page)
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  }),
  [
    'identity',
    async (page, place) => {
      await at('/signup')(page, place)
      await submit(page)
      await page.locator('[aria-invalid]').first().waitFor()
    },
  ],
  code,
  from('terms', code[1], async (page) => {
    await page.locator('input[autocomplete=one-time-code]').fill('000000')
    await submit(page)
    for (const summary of await page.locator('main summary').all()) await summary.click()
    await page.locator('input[type=checkbox]').first().waitFor()
  }),
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
  cardSheet('card sheet', '/'),
  ['assets', at('/assets', '.big-number')],
  ['trade', at('/trade/gold', 'canvas')],
  from('prices as a table', at('/trade/gold', 'canvas'), async (page) => {
    await page.locator('main button', { hasText: /표로 보기|table/ }).click()
    await page.locator('table').waitFor()
  }),
  ['amount', at('/trade/gold?side=buy')],
  from('amount, refused', at('/trade/gold?side=buy'), async (page) => {
    await fill(page, '12.5')
    await submit(page)
    await page.locator('[aria-invalid]').waitFor()
  }),
  quoteSheet('quote sheet', '/trade/gold?side=buy'),
  [
    'bought',
    afterQuote('/trade/gold?side=buy', async (page) => {
      await page.getByRole('dialog').locator('button').last().click()
      await page.locator('main h1', { hasText: /구매했어요|bought/ }).waitFor()
    }),
  ],
  [
    'quote sheet of a sale, unfolded',
    afterQuote('/trade/silver?side=sell', (page) => page.getByRole('dialog').locator('summary').click()),
  ],
  ['history', at('/history', 'main li')],
  from('an act of the history', at('/history', 'main li'), async (page) => {
    const bought = page.locator('main li button', { hasText: /구매|bought/ })
    await bought.first().click()
    await page.locator('main li dl').waitFor()
  }),
  ['statement', at('/statement', 'table')],
  ['a statement to confirm', at('/statement/check')],
  ['withdraw', at('/withdraw', 'main li')],
  from('withdrawal sheet', at('/withdraw', 'main li'), async (page) => {
    await fill(page, '10000')
    await submit(page)
    await page.locator('select').selectOption({ index: 1 })
    await fill(page, '110-123-456789')
    await submit(page)
    await dialog(page)
  }),
  [
    'settings',
    async (page, place) => {
      await at('/settings', 'main li')(page, place)
      await page.locator('main button', { hasText: /비밀번호|password/i }).click()
    },
  ],
  from('closing sheet', at('/settings', 'main li'), async (page) => {
    await page.locator('main button').last().click()
    await dialog(page)
  }),
]

export const WEB_VIEW: State[] = [
  ['web view', at('/webview', '.big-number')],
  ['web view: register', at('/webview/register')],
  cardSheet('web view: card sheet', '/webview/register'),
  ['web view: history', at('/webview/history', 'main li')],
  ['web view: settings', at('/webview/settings', 'main li')],
  [
    'web view: who it is',
    afterQuote('/webview/trade/gold?side=buy', async (page) => {
      await page.getByRole('dialog').locator('button').last().click()
      await page.getByRole('dialog').locator('select').first().waitFor()
    }),
  ],
]

export const STATIC: State[] = [
  ['terms and their versions', at('/terms')],
  ['privacy policy', at('/privacy/2026-11-16')],
  ['custody and protection', at('/protection')],
  ['a key that opens nothing', at('/webview/unknown')],
  ['a web view that ended', at('/webview')],
]
