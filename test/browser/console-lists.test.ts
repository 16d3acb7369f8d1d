import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import type { Role } from '#modules/staff/permissions.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import {
  addHoldingMember,
  assertQuiet,
  heading,
  press,
  startPages,
  tabTo,
  typeSearch,
  watch,
} from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { PHONE } from '#test/service.ts'

// Lists and the search box in a real browser: one service, one browser.
const { service, ours } = await startPages()
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이' })
const { code } = partner.partner
const member = await addHoldingMember(service, partner)
const AMOUNTS = Array.from({ length: 55 }, (_, i) => 10_000 + i * 10)
for (const amount of AMOUNTS) assert.equal((await partner.buy({ phoneNumber: PHONE, amount })).status, 200)
const { rows: cards } = await service.database.pool.query<{ id: string; amount: bigint }>(
  'select id, amount from gift_card order by issued_at desc, id desc',
)

const DESK = { width: 1440, height: 900 }
const SIZES = [DESK, { width: 1024, height: 768 }, { width: 640, height: 400 }, { width: 375, height: 812 }]

const TEXTS = {
  'ko-KR': {
    cards: '상품권',
    orders: '주문',
    edit: '필터 고르기',
    status: '상태',
    apply: '적용',
    clear: '필터 모두 지우기',
    none: '아직 아무것도 없습니다.',
    nothing: /^조건에 맞는 것이 없습니다/,
    wrong: /입력한 내용을 확인해 주세요.*status 다음 중에서 골라 주세요: issued/,
    retry: '다시 시도하기',
    failed: /서버에 연결하지 못했습니다/,
    box: '찾을 것',
    found: /^찾지 못했습니다/,
    forbidden: /권한이 없습니다/,
  },
  'en-US': {
    cards: 'Cards',
    orders: 'Orders',
    edit: 'Choose filters',
    status: 'Status',
    apply: 'Apply',
    clear: 'Remove all filters',
    none: 'There is nothing here yet.',
    nothing: /^Nothing matches/,
    wrong: /Check what you entered.*status/,
    retry: 'Try again',
    failed: /could not be reached/,
    box: 'What to find',
    found: /^Nothing was found/,
    forbidden: /does not allow this/,
  },
}
type Lang = keyof typeof TEXTS

async function openConsole(role: Role, lang: Lang = 'ko-KR', tenant?: typeof partner) {
  const staff = await service.consoleAs(role, tenant ? { partner: tenant } : {})
  const page = await openPage(browser, { viewport: DESK, locale: lang })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...staff.cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours), texts: TEXTS[lang] }
}

const visit = (page: Page, path: string) => page.goto(`${ours}/console${path}`)
const rows = (page: Page) => page.locator('[data-row]')
const at = (page: Page) => page.url().replace(`${ours}/console`, '')
const arrive = (page: Page, path: string | RegExp) =>
  page.waitForURL((url) => {
    const here = `${url.pathname}${url.search}`.replace('/console', '')
    return typeof path === 'string' ? here === path : path.test(here)
  })
// Ids of the cards that are shown, in their order.
const shown = async (page: Page): Promise<string[]> =>
  (
    await page.evaluate<string[]>('[...document.querySelectorAll("[data-row]")].map((link) => link.pathname)')
  ).map((path) => path.replace('/console/cards/', ''))
// The figure and the rows come one after the other.
const untilShown = (page: Page, ids: string[]) =>
  until(async () => isDeepStrictEqual(await shown(page), ids), `the cards ${ids.join(' ')} are shown`)
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.pathname ?? ""')

async function assertSound(page: Page, what: string): Promise<void> {
  assert.deepEqual(await axeViolations(page), [], what)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    const isWider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    assert.equal(isWider, false, `${what} at ${size.width} px`)
  }
  await page.setViewportSize(DESK)
}

for (const lang of ['ko-KR', 'en-US'] as const) {
  test(`states of a list, ${lang}: rows, none, none that match, a wrong filter, no answer`, async () => {
    const { page, watched, texts } = await openConsole('admin', lang)
    await visit(page, '/cards')
    await heading(page, texts.cards)
    await rows(page).first().waitFor()
    await assertSound(page, 'rows')
    await visit(page, '/orders')
    await page.getByText(texts.none).waitFor()
    await assertSound(page, 'none')
    await visit(page, '/cards?status=voided&amount=1..2')
    await page.getByText(texts.nothing).waitFor()
    await assertSound(page, 'none that match')
    await press(page, texts.clear)
    await arrive(page, '/cards')
    await rows(page).first().waitFor()
    await visit(page, '/cards?status=nonsense')
    await page.getByRole('alert').getByText(texts.wrong).waitFor()
    await assertSound(page, 'a wrong filter')
    assertQuiet(watched)
    await page.route('**/console/api/lists/cards*', (route) => route.abort())
    await visit(page, '/cards')
    await page.getByRole('alert').getByText(texts.failed).waitFor()
    await assertSound(page, 'no answer')
    await page.unroute('**/console/api/lists/cards*')
    await press(page, texts.retry)
    await rows(page).first().waitFor()
    await page.context().close()
  })

  test(`the search box, ${lang}: opened by keys, suggests, says when nothing is found`, async () => {
    const { page, texts } = await openConsole('admin', lang)
    await visit(page, '/cards')
    await rows(page).first().waitFor()
    const box = page.getByLabel(texts.box)
    for (const keys of ['Control+k', 'Meta+k']) {
      await page.keyboard.press(keys)
      await box.waitFor()
      await page.keyboard.press('Escape')
      await box.waitFor({ state: 'detached' })
    }
    await typeSearch(page, 'nothing-has-this-key')
    await page.keyboard.press('Enter')
    await page.getByText(texts.found).waitFor()
    await assertSound(page, 'the search box')
    await page.context().close()
  })
}

test('filters stand in the address, and going back loses nothing', async () => {
  const { page } = await openConsole('admin')
  await visit(page, '/cards')
  await rows(page).first().waitFor()
  await press(page, '필터 고르기')
  await page.getByLabel('상태').selectOption('issued')
  await page.getByLabel('금액', { exact: true }).fill('10,000..10,520')
  await press(page, '적용')
  await arrive(page, '/cards?status=issued&amount=10,000..10,520')
  await page.getByText('53건', { exact: true }).waitFor()
  const first = cards.filter(({ amount }) => amount <= 10_520n).map(({ id }) => id)
  await untilShown(page, first.slice(0, 50))
  await page.getByRole('link', { name: '다음', exact: true }).click()
  await arrive(page, /cursor=after/)
  await untilShown(page, first.slice(50))
  const second = at(page)
  await page.reload()
  await untilShown(page, first.slice(50))
  await rows(page).nth(1).click()
  await arrive(page, `/cards/${first[51]}`)
  await heading(page, '상품권')
  await page.goBack()
  await arrive(page, second)
  await untilShown(page, first.slice(50))
  await page.goBack()
  await arrive(page, '/cards?status=issued&amount=10,000..10,520')
  await untilShown(page, first.slice(0, 50))
  // The fields hold what the address says, and a chip takes its filter away.
  await press(page, '필터 고르기')
  assert.equal(await page.getByLabel('금액', { exact: true }).inputValue(), '10,000..10,520')
  await press(page, '금액 필터 지우기')
  await arrive(page, '/cards?status=issued')
  await page.getByText('55건', { exact: true }).waitFor()
  await page.getByRole('columnheader', { name: '발행' }).getByRole('button').click()
  await arrive(page, '/cards?status=issued&sort=issued')
  await until(async () => (await shown(page))[0] === cards.at(-1)!.id)
  await page.goBack()
  await arrive(page, '/cards?status=issued')
  await until(async () => (await shown(page))[0] === cards[0]!.id)
  await page.context().close()
})

test('by keyboard alone: rows, a filter, a typed filter with its suggestions, an id', async () => {
  const { page, watched } = await openConsole('viewer')
  await visit(page, '/cards')
  await rows(page).first().waitFor()
  for (const key of ['j', 'ArrowDown', 'j', 'k']) await page.keyboard.press(key)
  assert.equal(await focused(page), `/console/cards/${cards[1]!.id}`)
  await page.keyboard.press('Enter')
  await arrive(page, `/cards/${cards[1]!.id}`)
  await page.goBack()
  await rows(page).first().waitFor()
  const button = page.getByRole('button', { name: '필터 고르기' })
  await tabTo(page, button)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('제휴사', { exact: true }))
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await arrive(page, `/cards?partner=${code}`)
  await rows(page).first().waitFor()
  const box = page.getByLabel('찾을 것')
  // Each suggestion fills the box, and does not run by itself.
  await typeSearch(page, 'amount:10010 sta')
  await page.getByRole('option', { name: 'status:' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await box.inputValue(), 'amount:10010 status:')
  await page.keyboard.type('iss')
  await page.getByRole('option', { name: 'status:issued' }).waitFor()
  const option = page.getByRole('option', { name: '미사용' })
  for (let i = 0; i < 5 && (await option.getAttribute('aria-selected')) !== 'true'; i += 1) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  assert.equal(await box.inputValue(), 'amount:10010 status:issued ')
  await page.keyboard.press('Enter')
  await arrive(page, '/cards?amount=10010&status=issued')
  await page.getByText('1건', { exact: true }).waitFor()
  // An id goes straight to its object, and one step back is where the search began.
  // While the box fades out it is still there: what Enter found is opened once all the same.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await typeSearch(page, cards[7]!.id)
  await page.keyboard.press('Enter')
  await arrive(page, `/cards/${cards[7]!.id}`)
  await page.goBack()
  await arrive(page, '/cards?amount=10010&status=issued')
  assertQuiet(watched)
  await page.context().close()
})

// Composes a text as a Korean keyboard does, and leaves the last syllable open.
async function composing(page: Page) {
  const session = await page.context().newCDPSession(page)
  return {
    compose: (text: string) =>
      session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      }),
    commit: (text: string) => session.send('Input.insertText', { text }),
    // What a browser sends while a keyboard composes: it takes the key for itself.
    async enter() {
      const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
      await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    },
  }
}

test('Hangul is composed: Enter that ends a syllable runs nothing, and nothing is lost or doubled', async () => {
  const { page, watched } = await openConsole('admin')
  const { name } = member.person
  assert.match(name, /^[가-힣]{2,6}$/)
  const searches = () => watched.requests.filter(({ url }) => url.includes('people=yes')).length
  await visit(page, '/audit')
  await heading(page, '감사 기록')
  await page.keyboard.press('Control+k')
  const box = page.getByLabel('찾을 것')
  await box.waitFor()
  const keyboard = await composing(page)
  for (const [i, syllable] of [...name].entries()) {
    for (const part of ['ㅎ', '하', syllable]) await keyboard.compose(part)
    assert.equal(await box.inputValue(), name.slice(0, i + 1))
    await keyboard.enter()
    assert.equal(await box.inputValue(), name.slice(0, i + 1))
    await keyboard.commit(syllable)
    assert.equal(await box.inputValue(), name.slice(0, i + 1))
  }
  assert.equal(searches(), 0)
  await page.keyboard.press('Enter')
  await arrive(page, /^\/members\//)
  assert.equal(searches(), 1)
  // The same in a field of the filters.
  await visit(page, '/audit')
  await press(page, '필터 고르기')
  const actor = page.getByLabel('누가')
  await actor.focus()
  for (const part of ['ㄱ', '기', '김']) await keyboard.compose(part)
  await keyboard.enter()
  assert.equal(at(page), '/audit')
  await keyboard.commit('김')
  assert.equal(await actor.inputValue(), '김')
  await page.keyboard.press('Enter')
  await arrive(page, /^\/audit\?actor=/)
  assert.equal(new URL(page.url()).searchParams.get('actor'), '김')
  await page.context().close()
})

test('a role that may not read a list is told so, and a failed search does not break the box', async () => {
  const { page } = await openConsole('partner_viewer', 'ko-KR', partner)
  // Without an overview, the first page of the menu is the way in.
  await visit(page, '/')
  await arrive(page, '/cards')
  await page.getByRole('link', { name: 'Ingot', exact: true }).click()
  await page.getByRole('heading', { name: '상품권', level: 1 }).waitFor()
  await visit(page, '/members')
  await page.getByRole('alert').getByText(TEXTS['ko-KR'].forbidden).waitFor()
  await page.getByRole('heading', { name: '권한이 없습니다', level: 1 }).waitFor()
  assert.equal(await page.title(), '권한이 없습니다 · Ingot')
  await page.route('**/console/api/search*', (route) => route.abort())
  await typeSearch(page, '10010')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText(TEXTS['ko-KR'].failed).waitFor()
  await page.unroute('**/console/api/search*')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await arrive(page, '/cards?amount=10010')
  await until(async () => (await rows(page).count()) === 1)
  await page.context().close()
})

test('where the menu scrolls, the entry of the page is in view', async () => {
  const { page } = await openConsole('viewer')
  await page.setViewportSize({ width: 1280, height: 500 })
  await visit(page, '/roles')
  const entry = page.getByRole('navigation').getByRole('link', { name: '역할과 권한' })
  await until(async () => {
    const box = await entry.boundingBox()
    return box !== null && box.y + box.height <= 500
  })
  await page.context().close()
})

test('a wide table scrolls sideways by itself, and its page does not', async () => {
  const { page } = await openConsole('viewer')
  await page.setViewportSize({ width: 640, height: 400 })
  await visit(page, '/cards')
  await rows(page).first().waitFor()
  // As wide as long names or large letters make it.
  await page.evaluate(`for (const cell of document.querySelectorAll('td')) cell.style.minWidth = '10rem'`)
  const widths = '[document.documentElement.scrollWidth, document.querySelector("table").scrollWidth > 1000]'
  assert.deepEqual(await page.evaluate(widths), [640, true])
  await page.context().close()
})
