import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core'
import { fillPast, readServiceNow } from '#flows/trading/record-prices.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { simulatedWonPerGram } from '#providers/metal-price/simulated.ts'
import { openPage } from './browser.ts'
import { markSent } from './deliveries.ts'
import { addMember, newPerson, type TestMember, type TestPerson, userInfoOf } from './member.ts'
import { grantAssets } from './operator.ts'
import { SIGNUP, signupOf } from './people.ts'
import { freePort } from './process.ts'
import { call, type ServiceOptions, startService, type TestPartner, type TestService } from './service.ts'
import { feedPrice } from './trading.ts'

export type Assets = Partial<Record<Asset, bigint>>

// A service whose pages a browser opens under its public address. Members made by the harness have addresses of their
// own, so that limits by address are the browser's alone.
export async function startPages(options: ServiceOptions = {}) {
  const port = await freePort()
  const ours = `http://localhost:${port}`
  const service = await startService({
    ...options,
    environment: {
      PORT: String(port),
      PUBLIC_URL: ours,
      TRUSTED_PROXIES: '127.0.0.1',
      ...options.environment,
    },
  })
  // A worker fetches its own, and the past to go with them.
  if (!options.environment?.INGOT_ROLES?.includes('worker')) {
    const now = await readServiceNow(service.database)
    await fillPast(service.database, 'simulated', now, simulatedWonPerGram)
    // Before each test: on a busy machine a file takes longer than a price is good for.
    await refreshPrices(service)
    beforeEach(() => refreshPrices(service))
  }
  return { service, ours }
}

// A template of the database may have been made a while ago, and prices grow stale.
export async function refreshPrices({ database }: Pick<TestService, 'database'>): Promise<void> {
  await feedPrice(database, 'XAU', 198_500n)
  await feedPrice(database, 'XAG', 2_480n)
}

// A member, known to a partner too, with something to hold.
export async function addHoldingMember(
  service: TestService,
  partner: TestPartner,
  holds: Assets = {},
): Promise<TestMember & { userKey: string }> {
  const person = newPerson()
  const member = await addMember(service, person)
  const { code } = partner.partner
  const { userKey } = (await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))).body
  const link = { partner: code, partnerKey: userKey }
  if (Object.keys(holds).length > 0) {
    await grantAssets(service.database, { ...link, amounts: holds, actor: 'test' })
  }
  return { ...member, userKey }
}

// A browser in which that member is signed in already.
export async function openAs(
  browser: Browser,
  { browser: { cookies } }: TestMember,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await openPage(browser, options)
  const kept = { domain: 'localhost', path: '/member', secure: true, httpOnly: true }
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, ...kept })))
  return page
}

export interface Watched {
  // What the browser complained of: a policy that was broken, an error in a script. An answer that is a refusal is none.
  complaints: string[]
  // Requests to anybody but us.
  strangers: string[]
  requests: { url: string; method: string; headers: Promise<Record<string, string>> }[]
}

export function watch(page: Page, ours: string): Watched {
  const watched: Watched = { complaints: [], strangers: [], requests: [] }
  const context = page.context()
  context.on('console', (message) => {
    const text = message.text()
    if (!/^Failed to load resource: the server responded with a status of 4/.test(text)) {
      watched.complaints.push(text)
    }
  })
  context.on('weberror', (error) => watched.complaints.push(String(error.error())))
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${ours}/`) && !/^(?:data|about|blob):/.test(url)) watched.strangers.push(url)
    watched.requests.push({ url, method: request.method(), headers: request.allHeaders().catch(() => ({})) })
  })
  return watched
}

export function assertQuiet({ complaints, strangers, requests }: Watched): void {
  assert.deepEqual([complaints, strangers], [[], []])
  assert.ok(requests.length > 0)
}

type Place = Page | FrameLocator

export const press = (place: Place, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true }).click()
export const follow = (place: Place, name: string | RegExp) =>
  place.getByRole('link', { name, exact: true }).click()
export const heading = (place: Place, name: string | RegExp) =>
  place.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

// Who one is, by a person of the sandbox, in Korean.
export async function verifyAs(place: Place, name: string): Promise<void> {
  await pickPersona(place, name)
  await press(place, '인증번호 받기')
  await place.getByLabel('인증번호', { exact: true }).fill(SIMULATED_CODE)
  await press(place, '확인하기')
}

// The same for anybody, typed.
export async function typeDetails(place: Place, { name, birthday, mdn }: TestPerson): Promise<void> {
  await place.getByLabel('이름', { exact: true }).fill(name)
  await place.getByLabel('생년월일').fill(birthday)
  await place.getByText('여성', { exact: true }).click()
  await place.getByLabel('통신사').selectOption('SKT')
  await place.getByLabel('휴대폰 번호').fill(mdn)
}

export async function typeCode(place: Place): Promise<void> {
  await place.getByLabel('인증번호', { exact: true }).fill(SIMULATED_CODE)
  await press(place, '확인하기')
}

export async function pickPersona(place: Place, name: string): Promise<void> {
  const index = PERSONAS.findIndex((persona) => persona.name === name)
  await place.getByLabel('연습용 인물 고르기').selectOption(String(index))
}

// What is beside a name in a list of figures.
export async function figure(place: Place, name: string): Promise<string> {
  const term = place.locator('dt', { hasText: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) })
  return (await term.last().locator('xpath=following-sibling::dd').innerText()).trim()
}

export const wonOf = (text: string) => Number(text.replace(/[^\d-]/g, ''))

let phones = 0

// A card that was bought, and the PIN that its message tells.
export async function giveCard(
  service: TestService,
  partner: TestPartner,
  amount: number,
): Promise<{ giftId: string; pin: string }> {
  phones += 1
  const phoneNumber = `010${String(77_000_000 + phones)}`
  const { giftId } = (await partner.buy({ phoneNumber, amount })).body.data
  await markSent(service, giftId)
  const [message] = (await call(`${service.url}/dev/inbox.json?to=${phoneNumber}`)).body
  const [, pin] = /PIN 번호: (\S{19})\n/.exec(message.body) ?? []
  assert.ok(pin)
  return { giftId, pin }
}

// Ctrl+K as soon as the page listens, which its search button shows; then types into the box once the focus is there.
export async function typeSearch(page: Page, text: string): Promise<void> {
  await page.getByText('Ctrl K', { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(text)
}

// To where a person without a mouse wants to be. A sheet takes the focus a moment after it can be seen, and would take it
// back from what got it before.
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  const hasSheet = (await page.getByRole('dialog').count()) > 0
  if (hasSheet) await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor()
  const isThere = async () => (await wanted.and(page.locator(':focus')).count()) > 0
  for (let i = 0; !(await isThere()); i += 1) {
    assert.ok(i < 100, 'no Tab leads there')
    await page.keyboard.press('Tab')
  }
}
