import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { createDecideLink } from '#flows/partner-users/decide-link.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import { axeViolations, openPage, servePage, startBrowser, test } from '#test/browser.ts'
import { follow, giveCard, heading, press, startPages, verifyAs, watch } from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { call } from '#test/service.ts'
import { addLink } from '#test/web-view.ts'

// Two sites: the service is localhost, the partner's pages and everyone else's are 127.0.0.1.
const { service, ours } = await startPages({ logLevel: 'trace' })
const browser = startBrowser()

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

async function enter(page: Page, link = holder, name = '홍*동'): Promise<void> {
  await page.goto(await entryOf(link))
  await heading(page, `${name} 님의 자산`)
}

// The browser stays known; what it is known by opens nothing.
async function cookieNames(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name)
}

async function sessionCookie(page: Page) {
  const cookies = (await page.context().cookies()).filter((cookie) => cookie.name === 'ingot_webview')
  assert.equal(cookies.length, 1)
  return cookies[0]!
}

test('entering: a clean address, a cookie out of reach, and no trace of the key', async () => {
  const page = await openPage(browser)
  const entry = await entryOf()
  const key = entry.split('/').at(-1)!
  await page.goto(pageWith('link', entry))
  const watched = watch(page, ours)
  await page.click('a')
  await heading(page, '홍*동 님의 자산')
  assert.equal(page.url(), `${ours}/webview`)
  await page.getByText('한빛페이 Hanbit Pay에서 열었어요').waitFor()

  const { domain, path, expires, httpOnly, secure, sameSite } = await sessionCookie(page)
  assert.deepEqual(
    { domain, path, expires, httpOnly, secure, sameSite },
    { domain: 'localhost', path: '/webview', expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' },
  )
  const seen = await page.evaluate<string>(`JSON.stringify([
    document.cookie, document.referrer, location.href, performance.getEntries(), { ...localStorage },
    { ...sessionStorage }, navigation.entries().map((entry) => entry.url), history.state,
    document.documentElement.outerHTML])`)
  assert.ok(seen.startsWith('["",') && !seen.includes(key))
  await press(page, 'English')
  await page.getByRole('link', { name: 'History' }).click()
  await heading(page, 'History')
  assert.equal(page.url(), `${ours}/webview/history`)
  await page.reload()
  await heading(page, 'History')
  assert.equal(await page.evaluate('document.referrer'), '')
  await page.goBack()
  await heading(page, 'Assets of 홍*동')
  assert.equal(page.url(), `${ours}/webview`)

  // Where the link was, the browser says as it likes; our own pages say nothing to anybody.
  const [first, second, ...rest] = await Promise.all(watched.requests.map(({ headers }) => headers))
  assert.ok([first, second].every((headers) => !headers?.referer?.includes(key)))
  assert.ok(rest.length > 5)
  for (const { referer = '' } of rest) assert.equal(referer, '')
  assert.deepEqual(watched.requests.filter(({ url }) => url.includes(key)).length, 1, 'the entry itself')
  assert.ok(service.log.length > 0 && !service.log.join().includes(key))
  assert.deepEqual([watched.complaints, watched.strangers], [[], []])
  await page.context().close()
})

test('a single-use key outlives a prefetch', async () => {
  const once = await service.addPartner({ singleUseHashKeys: true })
  const askedAhead = () =>
    service.log.filter((line) => /"route":"\/webview\/:hashKey".*"status":204/.test(line)).length
  const before = askedAhead()
  const page = await openPage(browser)
  await page.goto(pageWith('link', await entryOf(await addLink(service, once))))
  await until(() => askedAhead() > before)
  await page.click('a')
  await page.waitForURL(`${ours}/webview`)
  await heading(page, '홍*동 님의 자산')
  await page.context().close()
})

test("in a partner's frame, on another site, with third-party cookies blocked", async () => {
  const page = await openPage(browser)
  const { complaints } = watch(page, ours)
  await page.goto(pageWith('frame', await entryOf(framed)))
  const frame = page.frameLocator('iframe')
  await heading(frame, '김*희 님의 자산')
  const { sameSite, secure, httpOnly, path, partitionKey } = await sessionCookie(page)
  assert.deepEqual([sameSite, secure, httpOnly, path], ['None', true, true, '/webview'])
  assert.match(partitionKey ?? '', /^http:\/\/127\.0\.0\.1/)

  await press(frame, 'English')
  await heading(frame, 'Assets of 김*희')
  await frame.getByRole('link', { name: 'History' }).click()
  await frame.getByRole('button', { name: /^Granted/ }).waitFor()
  await frame.getByRole('link', { name: 'Settings' }).click()
  await press(frame, 'Log out')
  await heading(frame, 'You have signed out')
  assert.equal(await frame.getByText('김*희').count(), 0)
  assert.deepEqual(await cookieNames(page), ['ingot_device'])
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('a page that is not on the list cannot frame it', async () => {
  const elsewhere = await servePage((url) => `<iframe src="${url.searchParams.get('to')}"></iframe>`)
  const entries = [
    [elsewhere, await entryOf(framed)],
    [theirs, await entryOf()],
    [theirs, `${ours}/`],
    [theirs, `${ours}/assets`],
  ] as const
  for (const [site, target] of entries) {
    const page = await openPage(browser)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(`${site}/frame?to=${encodeURIComponent(target)}`)
    await refused
    // The complaint comes before the page that is shown instead.
    await until(() => /^chrome-error:/.test(page.frames()[1]?.url() ?? ''), 'the frame shows an error')
    await page.context().close()
  }
})

test('a session that was planted is replaced, and ends', async () => {
  const attacker = await addLink(service, partner, { name: '나쁜놈' })
  const thief = await openPage(browser)
  await enter(thief, attacker, '나*놈')
  const planted = (await sessionCookie(thief)).value
  const page = await openPage(browser)
  await page
    .context()
    .addCookies([
      { name: 'ingot_webview', value: planted, domain: 'localhost', path: '/webview', secure: true },
    ])
  await enter(page)
  const { value } = await sessionCookie(page)
  assert.notEqual(value, planted)
  assert.deepEqual([await statusOf(planted), await statusOf(value)], [401, 200])
  await thief.context().close()
  await page.context().close()
})

test('signing out: the session ends, the cookie goes, and going back shows nothing', async () => {
  const page = await openPage(browser)
  await enter(page)
  assert.ok((await page.content()).includes('1,203,400원'))
  const { value } = await sessionCookie(page)
  await follow(page, '설정')
  await press(page, '로그아웃하기')
  await heading(page, '로그아웃했어요')
  assert.equal(page.url(), `${ours}/webview?left`)
  assert.deepEqual(await cookieNames(page), ['ingot_device'])
  assert.equal(await statusOf(value), 401)
  const nothing = async () => assert.doesNotMatch(await page.content(), /1,203,400|홍\*동|한빛/)
  await page.goBack()
  await nothing()
  await page.goForward()
  await nothing()
  await page.reload()
  await heading(page, '로그아웃했어요')
  await page.context().close()
})

test('a session that ended elsewhere: the page that is still open shows nothing more', async () => {
  const page = await openPage(browser)
  await enter(page)
  const cookie = `ingot_webview=${(await sessionCookie(page)).value}`
  await call(`${service.url}/webview/member/logout`, { method: 'POST', headers: { cookie } })
  await follow(page, '내역')
  await heading(page, '로그아웃됐어요')
  await page.goBack()
  await heading(page, '로그아웃됐어요')
  assert.doesNotMatch(await page.content(), /1,203,400|홍\*동/)
  await page.goto(`${ours}/webview`)
  await heading(page, '로그아웃됐어요')
  await page.context().close()
})

test("another site's form signs nobody out", async () => {
  const page = await openPage(browser)
  await enter(page)
  const { value } = await sessionCookie(page)
  const target = `${ours}/webview/member/logout`
  await page.goto(pageWith('form', target))
  const answer = page.waitForResponse(target)
  await page.click('button')
  assert.equal((await answer).status(), 403)
  assert.equal(await statusOf(value), 200)
  await page.context().close()
})

test("a stranger's link: whose points it would become is said first; the cookie stays under /webview", async () => {
  const attacker = await addLink(service, partner, { name: '나쁜놈' })
  const { giftId, pin } = await giveCard(service, partner, 30_000)
  const page = await openPage(browser)
  const watched = watch(page, ours)
  await enter(page, attacker, '나*놈')
  // Without points and metal, buying and selling are not offered, and what to do is.
  await page.getByRole('link', { name: '상품권 등록하기' }).waitFor()
  assert.equal(await page.getByRole('link', { name: '금 구매하기' }).count(), 0)
  await page.goto(`${ours}/webview/trade/gold`)
  await page.getByRole('link', { name: '상품권 등록하기' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /구매하기|판매하기/ }).count(), 0)
  await page.goto(`${ours}/webview/trade/gold?side=buy`)
  await heading(page, '쓸 수 있는 포인트나 예치금이 없어요')
  await page.goto(`${ours}/webview`)
  await follow(page, '상품권 등록')
  await page.getByLabel('PIN', { exact: true }).fill(pin)
  await press(page, '확인하기')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('나*놈 님').waitFor()
  assert.match(await sheet.innerText(), /30,000원[\s\S]*받는 사람[\s\S]*나\*놈 님/)
  await sheet.getByRole('button', { name: '닫기' }).click()
  const card = await partner.get(`/v2/partner/metal/giftcard/buy/${giftId}`)
  assert.equal(card.body.data.used, false, 'nothing was credited')

  await page.goto(`${ours}/`)
  await page.getByRole('link', { name: '로그인', exact: true }).waitFor()
  for (const { url, headers } of watched.requests) {
    const inside = new URL(url).pathname.startsWith('/webview')
    if (!inside) assert.doesNotMatch((await headers).cookie ?? '', /ingot_webview/, url)
  }
  assert.ok(watched.requests.some(({ url }) => url.endsWith('/member/session')))
  await page.context().close()
})

test('from a second device: who it is has to be shown before an order goes through', async () => {
  const { name, ci } = PERSONAS[1]!
  const link = await addLink(service, partner, { name, ci, holds: { KRW_POINT: 100_000n } })
  const first = await openPage(browser)
  await enter(first, link, '김*나')
  const second = await openPage(browser)
  const watched = watch(second, ours)
  await enter(second, link, '김*나')
  await second.getByRole('link', { name: '금 구매하기' }).click()
  await press(second, '50%')
  assert.equal(await second.getByLabel('금액 (원)').inputValue(), '50,000')
  await press(second, '다음')
  const sheet = second.getByRole('dialog')
  await sheet.getByText('가격 자세히 보기').waitFor()
  assert.match(await sheet.innerText(), /결제할 금액[\s\S]*원[\s\S]*무게[\s\S]* g[\s\S]*수수료/)
  assert.doesNotMatch(await sheet.innerText(), /포인트에서|스프레드/)
  await press(second, '금 구매하기')
  await second.getByRole('heading', { name: '본인 확인이 필요해요' }).waitFor()
  await verifyAs(second, name)
  await heading(second, '금을 구매했어요')
  const orders = watched.requests.filter(({ url }) => url.endsWith('/webview/member/orders'))
  assert.equal(orders.length, 2, 'refused once, then taken')
  assert.deepEqual([watched.complaints, watched.strangers], [[], []])
  // Known from now on, in the first browser as well.
  await first.reload()
  await first.getByText('김*나 님의 자산').waitFor()
  assert.doesNotMatch(await first.innerText('main'), /100,000[원P]/)
  await first.context().close()
  await second.context().close()
})

test('refusing a link: said first, done then, and true after a reload and from the app', async () => {
  const { name, ci } = PERSONAS[2]!
  const person = `${name[0]}*${name[2]}`
  const link = await addLink(service, partner, { name, ci, holds: { KRW_POINT: 70_000n } })
  const key = await entryOf(link)
  const page = await openPage(browser)
  const watched = watch(page, ours)
  await page.goto(key)
  await heading(page, `${person} 님의 자산`)
  await follow(page, '설정')
  await press(page, '연결하지 않기')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('한빛페이 Hanbit Pay 앱에서는 이 화면을 다시 열 수 없어요.').waitFor()
  await sheet.getByText('자산은 Ingot에 그대로 있어요.', { exact: false }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  // Nothing has happened yet, and thinking again is possible.
  await sheet.getByRole('button', { name: '그대로 두기' }).click()
  await page.reload()
  await heading(page, '설정')

  await press(page, '연결하지 않기')
  // The answer is lost on its way: asked again, the page finds out what became of it.
  await page.route('**/webview/member/links/*', async (route) => {
    const response = await route.fetch()
    await (response.ok() ? route.abort() : route.fulfill({ response }))
  })
  await sheet.getByRole('button', { name: '연결하지 않기' }).click()
  await page.getByRole('heading', { name: '본인 확인이 필요해요' }).waitFor()
  await verifyAs(page, name)
  await sheet.getByText('연결이 끊겼어요.', { exact: false }).waitFor()
  await sheet.getByRole('button', { name: '연결하지 않기' }).click()
  const isSaid = async () => {
    await heading(page, '연결하지 않았어요')
    const said = await page.innerText('main')
    for (const part of [/자산은 Ingot에 그대로 있어요/, /휴대폰으로 본인 확인/, /문의/])
      assert.match(said, part)
    assert.ok(said.includes(new URL(ours).host))
    assert.doesNotMatch(said, /로그아웃|이용하던 앱에서 다시 열어/)
  }
  await isSaid()
  assert.doesNotMatch(await page.content(), /70,000|한빛/)
  await page.reload()
  await isSaid()
  await page.goBack()
  await isSaid()
  // The app opens it with a key that it fetched before; and another browser, which knows nothing of the session.
  await page.goto(key)
  await isSaid()
  const other = await openPage(browser)
  await other.goto(key)
  await heading(other, '연결하지 않았어요')
  await other.context().close()
  assert.deepEqual(watched.strangers, [])
  await page.context().close()
})

test('a link that was refused elsewhere tells the truth', async () => {
  const { name, ci } = PERSONAS[0]!
  const link = await addLink(service, partner, { name, ci })
  const page = await openPage(browser)
  await page.goto(await entryOf(link))
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { rows } = await service.database.pool.query(
    'select id, member_id from partner_user where partner_key = $1',
    [link.partnerKey],
  )
  const [{ id: linkId, member_id: memberId }] = rows
  await createDecideLink(service.database)({ linkId, memberId, decision: 'refuse' })
  await follow(page, '내역')
  await heading(page, '연결하지 않았어요')
  await page.context().close()
})
