import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { axeViolations, openPage, PHONE_SIZE, startBrowser, test } from '#test/browser.ts'
import { markSent } from '#test/deliveries.ts'
import { startService } from '#test/service.ts'

const service = await startService({ environment: { PUBLIC_URL: 'https://ingot.example' } })
const browser = startBrowser()
const inbox = `${service.url}/dev/inbox`
const partner = await service.addPartner({ name: '한빛페이' })
const english = await service.addPartner({ name: 'Hanbit Pay' })
await service.database.pool.query(`update partner set message_language = 'en' where id = $1`, [
  english.partner.id,
])

async function give(from: typeof partner, phoneNumber: string): Promise<string> {
  return (await from.buy({ phoneNumber, amount: 50_000 })).body.data.giftId
}

const giftId = await give(partner, '010-1234-5678')
await markSent(service, giftId, { channel: 'alimtalk', secondsAgo: 60 })
await markSent(service, giftId, { channel: 'text', status: 'accepted', secondsAgo: 61 })
const other = await give(english, '010-9876-5432')
await markSent(service, other, { channel: 'alimtalk', status: 'failed', secondsAgo: 120 })
await markSent(service, other, { channel: 'text', status: 'unknown', secondsAgo: 121 })

const texts = (page: Page, selector: string) => page.locator(selector).allTextContents()

test('every message as its recipient sees it', async () => {
  const page = await openPage(browser)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(inbox)
  assert.deepEqual(await texts(page, '.message h2'), ['알림톡', '문자 메시지', '알림톡', '문자 메시지'])
  assert.deepEqual(await texts(page, '.badge'), ['도착', '발송됨', '실패', '확인 중'])
  assert.deepEqual(await texts(page, '.band'), ['알림톡 도착', '알림톡이 도착하지 않았어요'])
  assert.deepEqual(await texts(page, '.subject'), [
    '금·은 상품권이 도착했어요',
    'You have a gold & silver gift card',
  ])
  assert.equal((await texts(page, '.id code'))[0], giftId)
  const links = page.locator('.said a')
  assert.equal(await links.count(), 4)
  for (const link of await links.all()) {
    const href = await link.getAttribute('href')
    assert.match(href!, /^https:\/\/ingot\.example\/#[a-z2-7]{37}$/)
    assert.equal(await link.textContent(), href)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('finding by number, in the language that was chosen', async () => {
  const page = await openPage(browser)
  await page.goto(inbox)
  await page.click('nav a')
  await page.waitForURL(`${inbox}?lang=en`)
  await page.fill('#to', '010 9876 5432')
  await page.click('form button')
  await page.waitForURL(/to=/)
  assert.equal(await page.getAttribute('html', 'lang'), 'en')
  assert.deepEqual(await texts(page, '.message h2'), ['AlimTalk', 'Text message'])
  assert.deepEqual(await texts(page, '.id code'), [other, other])

  await page.fill('#to', '12')
  await page.click('form button')
  await page.getByText('That is not a Korean mobile number.').waitFor()
  assert.equal(await page.inputValue('#to'), '12')
  await page.click('nav a')
  await page.getByText('휴대폰 번호가 아니에요.').waitFor()
  await page.getByText('전체 보기').click()
  await page.waitForURL(`${inbox}?lang=ko`)
  assert.equal(await page.locator('.message').count(), 4)
  await page.context().close()
})

const PAGES: [name: string, query: string][] = [
  ['messages', ''],
  ['none to this number', '?to=010-5555-0000'],
  ['no number', '?to=12'],
]
const SIZES = { phone: PHONE_SIZE, desktop: { width: 1_280, height: 900 } }
for (const [locale, lang] of [
  ['ko-KR', 'ko'],
  ['en-US', 'en'],
] as const) {
  // One for all: a browser takes longer to open a page in a profile of its own than to look at it.
  let page: Page | undefined
  for (const [name, query] of PAGES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      test(`${name} in ${lang} on a ${size}: accessible, and never wider than the screen`, async () => {
        page ??= await openPage(browser, { locale })
        await page.setViewportSize(viewport)
        await page.goto(inbox + query)
        assert.equal(await page.getAttribute('html', 'lang'), lang)
        assert.deepEqual(await axeViolations(page), [])
        const small = await page.evaluate<string[]>(`[...document.querySelectorAll('a, button, input')]
          .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 48)
          .map((one) => one.outerHTML)`)
        assert.deepEqual(small, [], 'targets of 48 px')
        const width = () => page!.evaluate<number>('document.documentElement.scrollWidth')
        assert.equal(await width(), viewport.width)
        const debug = await page.context().newCDPSession(page)
        await debug.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
        await page.reload()
        assert.equal(await width(), viewport.width)
        assert.deepEqual(await axeViolations(page), [])
        await debug.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
        await debug.detach()
      })
    }
  }
}
