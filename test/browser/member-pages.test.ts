import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'
import { PERSONAS } from '#providers/identity/personas.ts'
import { axeViolations, openPage, PHONE_SIZE, startBrowser, test } from '#test/browser.ts'
import { NOBODYS, OWN, SETTLED, STATIC, type State, WEB_VIEW } from '#test/page-states.ts'
import {
  addHoldingMember,
  assertQuiet,
  giveCard,
  openAs,
  refreshPrices,
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

const LOCALES = { ko: 'ko-KR', en: 'en-US' }
type Language = keyof typeof LOCALES
const WIDTHS = [320, 360, 768, 1_440]
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
  .filter((one) => !one.hasAttribute('data-base-ui-focus-guard') && !one.closest('.big-number, .focus-within\\\\:outline-3'))
  .map((one) => one.outerHTML.slice(0, 160))`

// Numbers that are broken over two lines, or cut off by the edge of anything.
const BROKEN = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const sight = { left: 0, right: innerWidth }
  const anywhere = { left: -Infinity, right: Infinity }
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const around = text.parentElement
    if (!/\\d/.test(text.data) || !around.checkVisibility() || around.closest('.sr-only, noscript')) continue
    // A table scrolls by itself; whatever else hides a part of a number loses it.
    const edge = around.closest('.overflow-auto') ? anywhere : sight
    for (const number of text.data.matchAll(/(?<![\\p{L}\\d-])[+-]?₩?\\d[\\d,.]*(?:-\\d+)*[원P%]?/gu)) {
      const range = document.createRange()
      range.setStart(text, number.index)
      range.setEnd(text, number.index + number[0].length)
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
      const lines = new Set(rects.map(({ top }) => Math.round(top)))
      const cut = rects.some(({ left, right }) => left < edge.left - 1 || right > edge.right + 1)
      if (lines.size > 1 || cut) found.push((cut ? 'cut off: ' : 'broken: ') + number[0] + ' in ' + text.data)
    }
  }
  for (const input of document.querySelectorAll('input')) {
    if (/\\d/.test(input.value) && input.scrollWidth > input.clientWidth + 1) found.push('cut off: ' + input.value)
  }
  return found
})()`

// Both of the page as it is drawn in its new size. One question: each takes as long as the answer.
const FITS = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => [${WIDER}, ${BROKEN}])`

// What a password manager goes by. Not every browser complains where it is missing.
const UNMANAGED = `[...document.querySelectorAll('input[type=password]')]
  .filter((one) => !/^(current|new)-password$/.test(one.autocomplete) || !one.form?.querySelector('[autocomplete=username]'))
  .map((one) => one.outerHTML)`

// Colours do not depend on the language. So all rules are checked in both of them, in Korean by day and in English by
// night. By night the colours are checked on a large screen too.
async function assertFits(page: Page, lang: Language): Promise<void> {
  await setScreen(page, PHONE_SIZE.width, lang === 'ko' ? 'light' : 'dark')
  const [language, headings, small, unmanaged] = await page.evaluate<[string, number, string[], string[]]>(
    `[document.documentElement.lang, document.querySelectorAll('h1').length, ${SMALL}, ${UNMANAGED}]`,
  )
  assert.deepEqual([language, headings], [lang, 1])
  assert.deepEqual(small, [], 'targets of 48 px')
  assert.deepEqual(unmanaged, [], 'passwords in a form, with whose they are')
  assert.deepEqual(await axeViolations(page), [])
  await assertWidths(page)
  if (lang === 'en') return
  await setScreen(page, 1_440, 'dark')
  assert.deepEqual(await axeViolations(page, ['color-contrast']), [], 'dark')
}

const GROUND = { light: 'rgb(242, 244, 246)', dark: 'rgb(15, 18, 22)' }

async function setScreen(page: Page, width: number, colorScheme: keyof typeof GROUND): Promise<void> {
  await page.setViewportSize({ ...PHONE_SIZE, width })
  await page.emulateMedia({ colorScheme })
  const seen = `[innerWidth, getComputedStyle(document.body).backgroundColor]`
  assert.deepEqual(await page.evaluate(`${SETTLED}.then(() => ${seen})`), [width, GROUND[colorScheme]])
}

// The page is unseen meanwhile: it has its size all the same, and is not drawn for each of them.
const setOpacity = (page: Page, opacity: string) =>
  page.evaluate(`document.documentElement.style.opacity = '${opacity}'`)

async function assertWidths(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await setOpacity(page, '0')
  try {
    for (const standard of [16, 32]) await assertTextSize(page, debug, standard)
  } finally {
    // Also if it does not fit: the next test finds the page as it was.
    await setOpacity(page, '')
    await debug.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    await debug.detach()
  }
}

async function assertTextSize(page: Page, debug: CDPSession, standard: number): Promise<void> {
  await debug.send('Page.setFontSizes', { fontSizes: { standard } })
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), `${standard}px`)
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...PHONE_SIZE, width })
    const where = `${width} px, text of ${standard} px`
    const [wider, broken] = await page.evaluate<[string[], string[]]>(FITS)
    assert.deepEqual(wider, [], where)
    if (width >= 360) assert.deepEqual(broken, [], where)
  }
}

// By the button of the page, which takes along what was reached. A sheet may be in front of it.
async function speak(page: Page, lang: Language): Promise<void> {
  await page.evaluate(`document.documentElement.lang === '${lang}' ||
    document.querySelector('header button[lang=${lang}]').click()`)
}

function visit(states: State[], open: () => Promise<Page>, languages: Language[]): void {
  let page: Page | undefined
  let watched: Watched | undefined
  let reached: string | undefined
  for (const [index, [title, reach, further]] of states.entries()) {
    for (const lang of languages) {
      test(`${title} in ${lang}: accessible, and never wider than the screen`, async () => {
        // On a slow machine this file takes longer than a price is good for.
        await refreshPrices(service)
        page ??= await open()
        watched ??= watch(page, ours)
        if (reached !== title) {
          const next = reached && reached === states[index - 1]?.[0] ? further : undefined
          await page.setViewportSize(PHONE_SIZE)
          await (next ?? reach)(page, { ours, pin })
          reached = title
        }
        if (languages.length > 1) await speak(page, lang)
        await assertFits(page, lang)
        if (index < states.length - 1 || lang !== languages.at(-1)) return
        assertQuiet(watched)
        await page.context().close()
      })
    }
  }
}

visit(NOBODYS, () => openPage(browser), ['ko', 'en'])
visit(OWN, () => openAs(browser, member), ['ko', 'en'])
visit(WEB_VIEW, async () => {
  const page = await openPage(browser)
  await page.goto(`${ours}/webview/${await link.hashKey()}`)
  return page
}, ['ko', 'en'])
for (const lang of ['ko', 'en'] as const)
  visit(STATIC, () => openPage(browser, { locale: LOCALES[lang] }), [lang])
