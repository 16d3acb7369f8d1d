import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openPage, startBrowser, test } from '#test/browser.ts'
import { addMember, userInfoOf } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { refreshPrices, startPages } from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import type { StaffBrowser } from '#test/staff.ts'
import { forDocuments, LOCALES, shoot, shootAll } from './shooting.ts'

// The console's pictures, with some days of business behind it. Run by npm run screenshots.
const { service, ours } = await startPages({ environment: { INGOT_ROLES: 'api,worker' } })
const browser = startBrowser()
const { pool } = service.database
const DAYS = 14
const AMOUNTS = [10_000, 30_000, 50_000, 100_000, 300_000]
const DESK = { width: 1_440, height: 900 }
const WIDTHS = [375, 1_024, 1_440]

const first = await service.addPartner({ name: '한빛페이', creditLimit: 100_000_000n })
const second = await service.addPartner({ name: '가온상점', creditLimit: 20_000_000n })

async function one(sql: string, ...values: unknown[]): Promise<string> {
  return String(Object.values((await pool.query(sql, values)).rows[0])[0])
}

// More cards from day to day, most of them registered.
async function trade(): Promise<void> {
  const day = { seconds: 86_400, actor: 'screenshots' }
  let cards = 0
  for (let passed = 0; passed < DAYS; passed += 1) {
    for (let bought = 0; bought < 6 + passed + (passed % 3) * 4; bought += 1) {
      cards += 1
      const partner = cards % 3 ? first : second
      const phoneNumber = `010${33_000_000 + cards}`
      await partner.buy({ phoneNumber, amount: AMOUNTS[cards % AMOUNTS.length] })
    }
    if (passed < DAYS - 1) await advanceClock(service.database, day)
  }
  await refreshPrices(service)
}

async function addRequests(): Promise<{ requestId: string; memberId: string }> {
  const member = await addMember(service)
  const { person } = member
  const signup = signupOf(first.partner.code, person.name, { userInfo: userInfoOf(person) })
  await first.post(SIGNUP, signup)
  const { giftId } = (await first.buy({ phoneNumber: person.mdn, amount: 500_000 })).body.data
  const pin = await until(async () => {
    const answer = await fetch(`${service.url}/dev/inbox.json?to=${person.mdn}`)
    const [message] = (await answer.json()) as { body: string }[]
    return message && /PIN 번호: (\S{19})\n/.exec(message.body)?.[1]
  })
  assert.equal((await member.browser.post('/cards/redeem', { pin })).status, 200, giftId)
  const { quoteId } = (await member.browser.post('/quotes', { side: 'buy', metal: 'gold', won: 400_000 }))
    .body
  assert.equal((await member.browser.post('/orders', { quoteId })).status, 200)
  // The simulated provider refuses this number.
  await second.buy({ phoneNumber: '01000003104', amount: 50_000 })
  const finance = await service.consoleAs('finance', { email: 'kim@ingot.example' })
  const memberId = await one('select member_id from member_account where login_id = $1', member.loginId)
  const asked = await finance.post(`/members/${memberId}/adjustments`, {
    asset: 'points',
    amount: 5_000,
    reason: '이중 결제 보상',
  })
  assert.equal(asked.status, 200, asked.text)
  return { requestId: asked.body.requestId, memberId }
}

async function listPages(): Promise<[name: string, path: string][]> {
  await trade()
  const { requestId, memberId } = await addRequests()
  // What the figures show is counted behind the acts.
  const cards = await one('select count(*) from gift_card')
  await until(async () => (await one('select coalesce(sum(issued), 0) from card_day')) === cards)
  const card = await one(`select id from gift_card where used_at is not null limit 1`)
  return [
    ['overview', '/'],
    ['approvals', '/approvals'],
    ['approval', `/approvals/${requestId}`],
    ['failures', '/delivery-health'],
    ['prices', '/prices'],
    ['cards', '/cards'],
    ['card', `/cards/${card}`],
    ['members', '/members'],
    ['member', `/members/${memberId}`],
    ['users', '/users'],
    ['deliveries', '/deliveries'],
    ['delivery', `/deliveries/${await one('select max(id) from delivery')}`],
    ['orders', '/orders'],
    ['order', `/orders/${await one('select id from trade_order limit 1')}`],
    ['withdrawals', '/withdrawals'],
    ['partners', '/partners'],
    ['partner', `/partners/${first.partner.code}`],
    ['audit', '/audit'],
    ['staff', '/staff'],
    ['roles', '/roles'],
    ['account', '/account'],
  ]
}

// After the clock has travelled: that ends sessions.
const signIn = () => service.consoleAs('admin', { email: 'lee@ingot.example' })

async function openConsole(staff: StaffBrowser, locale: string): Promise<Page> {
  const page = await openPage(browser, { viewport: DESK, locale })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...staff.cookies].map(([name, value]) => ({ name, value, ...kept })))
  return page
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${ours}/console${path}`)
  await page.locator('main h1').waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {})
}

const IN_DOCUMENTS: [name: string, language: keyof typeof LOCALES][] = [
  ['overview', 'ko'],
  ['cards', 'en'],
  ['card', 'ko'],
  ['approval', 'en'],
  ['member', 'ko'],
]

test('pictures for docs/console.md', { timeout: 600_000, skip: !forDocuments }, async (t) => {
  const pages = new Map(await listPages())
  const staff = await signIn()
  for (const [name, language] of IN_DOCUMENTS) {
    const page = await openConsole(staff, LOCALES[language])
    await visit(page, pages.get(name)!)
    await shoot(page, `console-${name}-${language}`, t)
    await page.context().close()
  }
})

test('every page of the console', { timeout: 1_800_000, skip: forDocuments }, async (t) => {
  const pages = await listPages()
  const staff = await signIn()
  for (const [language, locale] of Object.entries(LOCALES)) {
    const page = await openConsole(staff, locale)
    for (const [name, path] of pages) {
      const reach = () => visit(page, path)
      await shootAll(page, { name: `console ${name}`, language, reach, widths: WIDTHS }, t)
    }
    await page.context().close()
  }
})
