import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { openPage, startBrowser, test } from '#test/browser.ts'
import {
  addHoldingMember,
  assertQuiet,
  giveCard,
  heading,
  openAs,
  press,
  startPages,
  watch,
} from '#test/pages.ts'
import { until } from '#test/patience.ts'

const { service, ours } = await startPages()
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이' })
const MOST_SCRIPT = 120_000

// What the first page costs on a phone of the middle class with slow 4G, as Lighthouse sets it up. Times are printed, since
// they are this machine's; bytes are the same everywhere.
test('the first page on a slow phone', async (t: TestContext) => {
  const page = await openPage(browser, { deviceScaleFactor: 2, isMobile: true, hasTouch: true })
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.enable')
  await debug.send('Network.setCacheDisabled', { cacheDisabled: true })
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await debug.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const scripts = new Map<string, string>()
  const sizes = { script: 0, all: 0 }
  debug.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') scripts.set(requestId, response.url)
  })
  debug.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sizes.all += encodedDataLength
    if (scripts.has(requestId)) sizes.script += encodedDataLength
  })
  const content = `new MutationObserver(() => {
    if (document.querySelector('main input')) globalThis.pinAt ??= performance.now()
  }).observe(document, { childList: true, subtree: true })`
  await page.addInitScript({ content })
  await page.goto(`${ours}/`)
  await page.getByLabel('PIN', { exact: true }).fill('A')
  await page.waitForLoadState('networkidle')
  const [first, largest, pinAt] = await page.evaluate<[number, number, number]>(`new Promise((done) => {
    const [first] = performance.getEntriesByName('first-contentful-paint')
    new PerformanceObserver((list) => done([first.startTime, list.getEntries().at(-1).startTime, pinAt]))
      .observe({ type: 'largest-contentful-paint', buffered: true })
  })`)
  const ms = (value: number) => `${Math.round(value)} ms`
  t.diagnostic(
    `first page, slow 4G, CPU ÷4: ${(sizes.script / 1_000).toFixed(1)} kB of script in ${scripts.size} files, ` +
      `${(sizes.all / 1_000).toFixed(1)} kB in all; first paint ${ms(first)}, largest ${ms(largest)}, PIN field ${ms(pinAt)}`,
  )
  assert.ok(scripts.size > 0 && sizes.script < MOST_SCRIPT, `${sizes.script} bytes of script`)
  await page.context().close()
})

test('without a network a tap leaves the page as it is, says so and can be tried again', async () => {
  const member = await addHoldingMember(service, partner, { KRW_POINT: 70_000n })
  const page = await openAs(browser, member)
  await page.goto(`${ours}/assets`)
  await page.locator('.big-number').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: '내역', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: /연결/ }).waitFor()
  await heading(page, '김*나 님의 자산')
  assert.equal(new URL(page.url()).pathname, '/assets')
  assert.match(await page.locator('.big-number').innerText(), /70,000/)
  // Back again: said no longer, without a press.
  const said = page.getByRole('region', { name: '이 화면을 불러오지 못했어요' })
  await said.waitFor()
  await page.context().setOffline(false)
  await said.waitFor({ state: 'detached' })
  await page.context().setOffline(true)
  await page.getByRole('link', { name: '설정', exact: true }).click()
  await said.waitFor()
  await press(page, '다시 시도하기')
  await heading(page, '김*나 님의 자산')
  await page.getByRole('link', { name: '내역', exact: true }).click()
  await page.context().setOffline(false)
  // The tap may have found the network back by itself. Otherwise it is tapped again.
  const link = page.getByRole('link', { name: '내역', exact: true })
  await until(async () => {
    if ((await page.getByRole('heading', { name: '내역', exact: true }).count()) > 0) return true
    if (page.url() === `${ours}/assets`) await link.click({ timeout: 500 }).catch(() => {})
    return false
  }, 'the page that was wanted')
  assert.equal(await page.getByText('연결이 끊겼어요').count(), 0)
  await page.goBack()
  await heading(page, '김*나 님의 자산')
  await page.context().close()
})

// Where the focus is, whether one can see it, and whether it is in the sheet.
const FOCUS = `(() => {
  const one = document.activeElement
  const shown = [one, one.closest('label'), one.parentElement].some((part) =>
    part && getComputedStyle(part).outlineStyle !== 'none' && parseFloat(getComputedStyle(part).outlineWidth) >= 2)
  const text = one.getAttribute('aria-label') ?? one.textContent ?? ''
  return { tag: one.tagName, text: text.trim(), shown, inside: one.closest('[role=dialog]') !== null,
    guard: one.hasAttribute('data-base-ui-focus-guard') }
})()`
interface Focus {
  tag: string
  text: string
  shown: boolean
  inside: boolean
  guard: boolean
}
// After two frames: a sheet hands the focus on in the next one.
const focus = (page: Page) =>
  page.evaluate<Focus>(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(${FOCUS}))))`,
  )

async function tabTo(page: Page, wanted: (focus: Focus) => boolean): Promise<void> {
  for (let i = 0; i < 30; i += 1) {
    await page.keyboard.press('Tab')
    const now = await focus(page)
    if (now.tag !== 'BODY' && !now.guard)
      assert.ok(now.shown, `no focus to be seen on ${JSON.stringify(now)}`)
    if (wanted(now)) return
  }
  assert.fail('it is not reached by keyboard')
}

test('registering a card by keyboard alone; the sheet keeps the focus and gives it back', async () => {
  const member = await addHoldingMember(service, partner)
  const { pin } = await giveCard(service, partner, 50_000)
  // The sheet slides in and out, as for most people.
  const page = await openAs(browser, member, { reducedMotion: 'no-preference' })
  const watched = watch(page, ours)
  await page.goto(`${ours}/`)
  await page.getByRole('link', { name: '설정' }).waitFor()
  await tabTo(page, ({ tag }) => tag === 'INPUT')
  await page.keyboard.type(pin.replaceAll('-', '').toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  assert.ok((await focus(page)).inside)
  const seen = new Set<string>()
  for (let i = 0; i < 12; i += 1) {
    await page.keyboard.press(i < 8 ? 'Tab' : 'Shift+Tab')
    const now = await focus(page)
    if (now.guard) continue
    assert.ok(now.inside && now.shown, JSON.stringify(now))
    seen.add(now.text)
  }
  assert.ok(seen.has('닫기') && seen.has('등록하기'))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await tabTo(page, ({ text }) => text === '상품권 확인하기')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, ({ text }) => text === '등록하기')
  await page.keyboard.press('Enter')
  await heading(page, '포인트로 바꿨어요')
  assert.match((await focus(page)).text, /포인트로 바꿨어요/, 'what happened is read out')
  await tabTo(page, ({ text }) => text === '내 자산 보기')
  await page.keyboard.press('Enter')
  await heading(page, '김*나 님의 자산')
  assertQuiet(watched)
  await page.context().close()
})
