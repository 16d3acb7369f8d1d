import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FrameLocator, Page } from 'playwright-core'
import { axeViolations, openPage, servePage, startBrowser } from '#test/browser.ts'
import { call, startService } from '#test/service.ts'
import { addLink } from '#test/web-view.ts'

// Two sites: the service is localhost, the partner's pages and everyone else's are 127.0.0.1.
const service = await startService({ logLevel: 'trace' })
const ours = service.url.replace('127.0.0.1', 'localhost')
const browser = await startBrowser()

const theirs = await servePage((url) => {
  const target = url.searchParams.get('to') ?? ''
  if (url.pathname === '/frame') return `<iframe src="${target}" width="375" height="700"></iframe>`
  if (url.pathname === '/form') return `<form method="post" action="${target}"><button>Win</button></form>`
  return `<link rel="prefetch" href="${target}"><a href="${target}">Open</a>`
})
const pageWith = (what: string, target: string) => `${theirs}/${what}?to=${encodeURIComponent(target)}`

const partner = await service.addPartner({ name: '한빛페이 Hanbit Pay' })
const framing = await service.addPartner({ frameAncestors: [theirs] })
const holds = { KRW_POINT: 50_000n, KRW: 1_203_400n, XAU: 371_234n, XAG: 1_250_500n }
const holder = await addLink(service, partner, { name: '홍길동', holds })
const framed = await addLink(service, framing, { name: '김영희', holds })

const entryOf = async (link = holder) => `${ours}/webview/${await link.hashKey()}`
const statusOf = async (session: string) =>
  (await call(`${service.url}/webview`, { headers: { cookie: `ingot_webview=${session}` } })).status

// The browser stays known; what it is known by opens nothing.
async function cookieNames(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name)
}

// The page is made by script: its heading comes when the service has said whose it is.
const heading = (page: Page) => page.locator('h1', { hasText: '님' }).first().textContent().then(String)

async function leave(place: Page | FrameLocator, language: 'ko' | 'en'): Promise<void> {
  const [settings, out] = language === 'ko' ? ['설정', '로그아웃하기'] : ['Settings', 'Log out']
  await place.getByRole('link', { name: settings }).click()
  await place.getByRole('button', { name: out }).click()
}

async function sessionCookie(page: Page) {
  const cookies = (await page.context().cookies()).filter((cookie) => cookie.name === 'ingot_webview')
  assert.equal(cookies.length, 1)
  return cookies[0]!
}

test('entering: a clean address, a cookie out of reach, and no trace of the key', async () => {
  const page = await openPage(browser)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => referrers.push(request.headers().referer))
  const entry = await entryOf()
  const key = entry.split('/').at(-1)!
  await page.goto(pageWith('link', entry))
  referrers.length = 0
  await page.click('a')
  await page.waitForURL(`${ours}/webview`)
  assert.match(await heading(page), /홍\*동/)

  const { domain, path, expires, httpOnly, secure, sameSite } = await sessionCookie(page)
  assert.deepEqual(
    { domain, path, expires, httpOnly, secure, sameSite },
    { domain: 'localhost', path: '/webview', expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' },
  )
  const seen = await page.evaluate<string>(`JSON.stringify([
    document.cookie, document.referrer, location.href, performance.getEntries(),
    navigation.entries().map((entry) => entry.url), history.state, document.documentElement.outerHTML])`)
  assert.ok(seen.startsWith('["",') && !seen.includes(key))
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByText('Assets of 홍*동').waitFor()
  await page.getByRole('link', { name: 'History' }).click()
  await page.waitForURL(`${ours}/webview/history`)
  await page.reload()
  assert.ok(referrers.every((referrer) => !referrer?.includes(key)))
  assert.equal(await page.evaluate('document.referrer'), '')
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.goBack()
  await page.waitForURL(`${ours}/webview`)
  assert.ok(service.log.length > 0 && !service.log.join().includes(key))
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a single-use key outlives a prefetch', async () => {
  const once = await service.addPartner({ singleUseHashKeys: true })
  const askedAhead = () =>
    service.log.filter((line) => /"route":"\/webview\/:hashKey".*"status":204/.test(line)).length
  const before = askedAhead()
  const page = await openPage(browser)
  await page.goto(pageWith('link', await entryOf(await addLink(service, once))))
  while (askedAhead() === before) await sleep(20)
  await page.click('a')
  await page.waitForURL(`${ours}/webview`)
  assert.match(await heading(page), /홍\*동/)
  await page.context().close()
})

test("in a partner's frame, on another site, with third-party cookies blocked", async () => {
  const page = await openPage(browser)
  await page.goto(pageWith('frame', await entryOf(framed)))
  const frame = page.frameLocator('iframe')
  await frame.getByText('김*희 님의 자산').waitFor()
  const { sameSite, secure, httpOnly, path, partitionKey } = await sessionCookie(page)
  assert.deepEqual([sameSite, secure, httpOnly, path], ['None', true, true, '/webview'])
  assert.match(partitionKey ?? '', /^http:\/\/127\.0\.0\.1/)

  await frame.getByText('English').click()
  await frame.getByText('Assets of 김*희').waitFor()
  await leave(frame, 'en')
  await frame.getByText('You have signed out').waitFor()
  assert.deepEqual(await cookieNames(page), ['ingot_device'])
  await page.context().close()
})

test('a page that is not on the list cannot frame it', async () => {
  const elsewhere = await servePage((url) => `<iframe src="${url.searchParams.get('to')}"></iframe>`)
  for (const [site, link] of [
    [elsewhere, framed],
    [theirs, holder],
  ] as const) {
    const page = await openPage(browser)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(`${site}/frame?to=${encodeURIComponent(await entryOf(link))}`)
    await refused
    const inside = page.frames()[1]
    assert.match(inside?.url() ?? '', /^chrome-error:/)
    await page.context().close()
  }
})

test('a session that was planted is replaced, and ends', async () => {
  const attacker = await addLink(service, partner, { name: '나쁜놈' })
  const thief = await openPage(browser)
  await thief.goto(await entryOf(attacker))
  const planted = (await sessionCookie(thief)).value
  const page = await openPage(browser)
  await page
    .context()
    .addCookies([
      { name: 'ingot_webview', value: planted, domain: 'localhost', path: '/webview', secure: true },
    ])
  await page.goto(await entryOf())
  const { value } = await sessionCookie(page)
  assert.notEqual(value, planted)
  assert.deepEqual([await statusOf(planted), await statusOf(value)], [401, 200])
  assert.match(await heading(page), /홍\*동/)
  await thief.context().close()
  await page.context().close()
})

test('signing out: the session ends, the cookie goes, and going back shows nothing', async () => {
  const page = await openPage(browser)
  await page.goto(await entryOf())
  const { value } = await sessionCookie(page)
  await leave(page, 'ko')
  await page.getByText('로그아웃했어요').waitFor()
  await page.waitForURL(/\?left$/)
  assert.deepEqual(await cookieNames(page), ['ingot_device'])
  assert.equal(await statusOf(value), 401)
  await page.goBack()
  assert.ok(!(await page.content()).includes('₩8,932,518'))
  await page.context().close()
})

test("another site's form signs nobody out", async () => {
  const page = await openPage(browser)
  await page.goto(await entryOf())
  const { value } = await sessionCookie(page)
  await page.goto(pageWith('form', `${ours}/webview/leave`))
  const answer = page.waitForResponse(`${ours}/webview/leave`)
  await page.click('button')
  assert.equal((await answer).status(), 403)
  assert.equal(await statusOf(value), 200)
  await page.context().close()
})

const PAGES: [name: string, path: () => Promise<string>][] = [
  ['landing', () => entryOf()],
  ['bad key', async () => `${ours}/webview/unknown`],
  ['signed out', async () => `${ours}/webview`],
]
for (const [name, address] of PAGES) {
  for (const [locale, lang] of [
    ['ko-KR', 'ko'],
    ['en-US', 'en'],
  ] as const) {
    test(`${name} in ${lang}: accessible, and never wider than a phone, at twice the text size too`, async () => {
      const page = await openPage(browser, { locale })
      await page.goto(await address())
      await page.locator(name === 'landing' ? '.total' : 'h1').waitFor()
      assert.equal(await page.getAttribute('html', 'lang'), lang)
      assert.deepEqual(await axeViolations(page), [])
      const small = await page.evaluate<string[]>(`[...document.querySelectorAll('a, button')]
        .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 48)
        .map((one) => one.textContent)`)
      assert.deepEqual(small, [], 'targets of 48 px')
      const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
      assert.equal(await width(), 375)
      const largest = () =>
        page.evaluate<string>(`[...document.querySelectorAll('body *')]
          .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.className])
          .sort((a, b) => b[0] - a[0])[0][1]`)
      if (name === 'landing') assert.match(await largest(), /\btotal\b/)

      const debug = await page.context().newCDPSession(page)
      await debug.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
      await page.goto(name === 'landing' ? `${ours}/webview` : await address())
      await page.locator(name === 'landing' ? '.total' : 'h1').waitFor()
      assert.equal(await page.evaluate('getComputedStyle(document.body).fontSize'), '32px')
      assert.equal(await width(), 375)
      if (name === 'landing') assert.match(await largest(), /\btotal\b/)
      assert.deepEqual(await axeViolations(page), [])
      await page.context().close()
    })
  }
}
