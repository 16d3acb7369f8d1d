import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { PERSONAS } from '#providers/identity/personas.ts'
import { openPage, startBrowser, test } from '#test/browser.ts'
import { assetsOf } from '#test/holders.ts'
import { newPerson, PASSWORD } from '#test/member.ts'
import {
  assertQuiet,
  figure,
  follow,
  heading,
  pickPersona,
  press,
  startPages,
  typeCode,
  typeDetails,
  verifyAs,
  watch,
  wonOf,
} from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { personOf, SIGNUP, signupOf } from '#test/people.ts'
import { BUY, call } from '#test/service.ts'

// The real service with its worker: messages go out, and prices come in.
const { service, ours } = await startPages({ environment: { INGOT_ROLES: 'api,worker' } })
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이' })
const PHONE = '010-2345-6789'
const PERSONA = PERSONAS[1]!
const run = promisify(execFile)
const LOGIN_ID = 'kim.hana'

// As anybody would: with curl, where there is one.
async function buyCard(amount: number): Promise<{ giftId: string }> {
  const body = JSON.stringify({ phoneNumber: PHONE, amount })
  const headers = { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json' }
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const command = ['-sS', '--max-time', '20', `${ours}${BUY}`, ...given, '-d', body]
  const curl = await run('curl', command).catch((error: { code: unknown }) => error)
  if (!('code' in curl)) return JSON.parse(String(curl.stdout)).data
  assert.equal(curl.code, 'ENOENT')
  return (await call(`${ours}${BUY}`, { method: 'POST', headers, body })).body.data
}

const usage = async () => {
  const today = Temporal.Now.plainDateISO('Asia/Seoul').toString()
  const { totalUsed, totalUsedInIssued } = (
    await partner.get(`/v2/partner/usage?startDate=${today}&endDate=${today}`)
  ).body
  return [totalUsed, totalUsedInIssued]
}
const stateOf = async (giftId: string) => (await partner.get(`${BUY}/${giftId}`)).body.data

// The PIN and the link, as the message has them.
async function readMessage(page: Page, giftId: string): Promise<string> {
  const message = page.locator('.message.alimtalk', { hasText: giftId })
  // The text message may be there first.
  await until(async () => {
    await page.goto(`${ours}/dev/inbox?to=${PHONE}`)
    return (await message.count()) > 0
  })
  const [, pin] = /PIN 번호: (\S{19})/.exec(await message.locator('.said').innerText()) ?? []
  assert.ok(pin, 'there is no PIN in the message')
  await message.locator('.said a').click()
  await page.waitForURL(`${ours}/receive`)
  return pin
}

const linkOf = (card: string) =>
  until(async () => {
    const inbox = await call(`${ours}/dev/inbox.json?to=${PHONE}`)
    const messages: { giftId: string; body: string }[] = inbox.body
    const sent = messages.find(({ giftId }) => giftId === card)
    return sent && /^https?:\S+\/#[a-z2-7]{37}$/m.exec(sent.body)?.[0]
  })

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.getByLabel('PIN', { exact: true }).focus()
  await page.keyboard.press('Control+V')
}

const page = await openPage(browser)
const watched = watch(page, ours)
const { giftId } = await buyCard(300_000)
let pin = ''

test('a card is bought, its message read, its link followed; a slip is told without asking anybody', async () => {
  pin = await readMessage(page, giftId)
  await page.goto(`${ours}/`)
  await page.getByText('다음 화면에서 휴대폰으로 본인 확인하고 받을 수 있어요').waitFor()
  assert.equal(await page.locator('main').getByRole('link', { name: '회원가입' }).count(), 0)
  await heading(page, '받은 상품권의 PIN을 입력해 주세요')
  assert.deepEqual([(await stateOf(giftId)).used, await usage()], [false, [0, 0]])
  const before = watched.requests.length
  const slip = pin.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  await page.getByLabel('PIN', { exact: true }).fill(slip)
  await page.getByText('잘못 입력한 글자가 있어요').waitFor()
  await press(page, '확인하기')
  await page.locator('[aria-invalid]:focus').waitFor()
  const asked = watched.requests.slice(before).filter(({ url }) => url.includes('/member/'))
  assert.deepEqual(asked, [])
  await page.getByLabel('PIN', { exact: true }).fill('')
})

test('signing up on the way, the card is worth what was paid, and becomes points once', async () => {
  await paste(page, ` ${pin.toLowerCase()} `)
  assert.equal(await page.getByLabel('PIN', { exact: true }).inputValue(), pin)
  await press(page, '확인하기')
  await follow(page, '휴대폰으로 본인 확인하고 받기')
  await verifyAs(page, PERSONA.name)
  await page.getByLabel('모두 동의하기').check()
  await press(page, '동의하고 가입하기')

  const { expires } = await stateOf(giftId)
  const [year, month, day] = expires.split('-').map(Number)
  await page.getByRole('heading', { name: '이 상품권을 등록할까요?' }).waitFor()
  const sheet = page.getByRole('dialog')
  assert.match(await sheet.innerText(), /300,000원/)
  assert.deepEqual(
    [await figure(page, '받는 사람'), await figure(page, '보낸 곳'), await figure(page, '유효기간')],
    ['김*나 님', '한빛페이', `${year}년 ${month}월 ${day}일까지`],
  )
  assert.equal((await stateOf(giftId)).used, false)
  // A second tap is none.
  await page.getByRole('button', { name: '등록하기', exact: true }).dblclick()
  await heading(page, '포인트로 바꿨어요')
  assert.equal(await figure(page, '지금 가진 포인트'), '300,000P')
  // The partner sees it at once.
  const { used, valid } = await stateOf(giftId)
  assert.deepEqual([used, valid, await usage()], [true, false, [300_000, 300_000]])
})

// design: ask = ceil(r(20000+s)/20000), metal = ceil(units·ask/10000), fee = ceil(metal·f/10000).
const ceil = (a: bigint, b: bigint) => Number((a + b - 1n) / b)
const unitsOf = (grams: string) => BigInt(grams.replace('.', ''))
const bpsOf = (percent: string) => BigInt(Math.round(Number(percent) * 100))

test('gold for points: the sheet says what the price is made of, to the won', async () => {
  await until(async () => (await call(`${ours}/member/prices`)).body.trading === 'open')
  await follow(page, '금 구매하러 가기')
  await page.getByLabel('금액 (원)').fill('250000')
  const answered = page.waitForResponse(`${ours}/member/quotes`)
  await press(page, '다음')
  const quote = await (await answered).json()
  await page.getByRole('heading', { name: /을 구매할까요/ }).waitFor()
  const { reference, price, metalWon, fee, total, rounding, spreadWon } = quote
  const spread = bpsOf(quote.spreadPercent)
  const units = unitsOf(quote.grams)
  assert.equal(price, ceil(BigInt(reference) * (20_000n + spread), 20_000n))
  assert.equal(metalWon, ceil(units * BigInt(price), 10_000n))
  assert.equal(fee, ceil(BigInt(metalWon) * bpsOf(quote.feePercent), 10_000n))
  assert.deepEqual([total, rounding], [metalWon + fee, 250_000 - metalWon - fee])
  assert.ok(rounding >= 0 && rounding < price / 1_000 && spreadWon > 0)
  const sheet = page.getByRole('dialog')
  const shown = async (name: string) => wonOf(await figure(page, name))
  await sheet.getByText('가격 자세히 보기').click()
  assert.deepEqual(
    [await shown('기준 시세'), await shown('적용 가격'), await shown('금 값')],
    [reference, price, metalWon],
  )
  assert.deepEqual(
    [await shown('그중 스프레드'), await shown('수수료'), await shown('쓰지 않고 남는 돈')],
    [spreadWon, fee, rounding],
  )
  assert.equal(await shown('포인트에서'), total)
  assert.equal(wonOf(await sheet.locator('.big-number').innerText()), total)
  await sheet
    .getByText(/이 가격은 \d+초 동안 유지돼요/)
    .first()
    .waitFor()
  await press(page, '금 구매하기')
  await heading(page, '금을 구매했어요')
  assert.equal(await shown('포인트에서'), total)
})

test('the history shows it; the partner’s answer and the page agree to the won', async () => {
  await follow(page, '내 자산 보기')
  await heading(page, '김*나 님의 자산')
  await follow(page, '내역')
  const registered = page.getByRole('button', { name: /^상품권 등록 \d/ }).first()
  await registered.waitFor()
  const bought = page.getByRole('button', { name: /^금 구매 [\d.]+ g [\d,]+원/ })
  assert.equal(await bought.count(), 1)
  await press(page, '금')
  await registered.waitFor({ state: 'detached' })
  await bought.waitFor()

  const { code } = partner.partner
  const userInfo = { ...personOf(PERSONA.name), ...PERSONA, nationality: 'K' }
  const { name, birthday, nationality, mdn, gender, ci } = userInfo
  const signup = await partner.post(
    SIGNUP,
    signupOf(code, name, { userInfo: { name, birthday, nationality, mdn, gender, ci } }),
  )
  assert.equal(signup.status, 200, signup.text)
  // Prices go on meanwhile: the page and the partner are asked until both were of the same moment.
  await until(async () => {
    const seen = await assetsOf(partner, { userKey: signup.body.userKey, holderId: '' })
    await page.goto(`${ours}/assets`)
    await heading(page, '김*나 님의 자산')
    const total = wonOf(await page.locator('.big-number').innerText())
    const points = wonOf(await figure(page, '포인트'))
    assert.equal(points, seen.points)
    assert.ok(points < 60_000 && seen.gold.value > 200_000)
    // The page leaves out zeros that say nothing.
    const grams = `${seen.gold.grams.replace(/\.?0+$/, '')} g`
    return total === seen.totalValue && (await page.innerText('main')).includes(grams)
  })
})

test('a year of prices, as a chart and as a table of the same numbers', async () => {
  await page.goto(`${ours}/trade/gold`)
  const chart = page.getByRole('img', { name: /금 가격 차트/ })
  await chart.locator('canvas').waitFor()
  // Gold is often priced by the don of 3.75 g: each price says what it is for.
  await heading(page, '금 1 g 시세')
  const { gold } = (await call(`${ours}/member/prices`)).body
  const shown = [await figure(page, '구매할 때 (1 g)'), await figure(page, '판매할 때 (1 g)')]
  assert.deepEqual(shown.map(wonOf), [gold.ask, gold.bid])
  const answered = page.waitForResponse((response) => response.url().endsWith('history?period=1y'))
  await page.getByText('1년').click()
  const { points } = await (await answered).json()
  await press(page, '표로 보기')
  await page
    .locator('tbody tr')
    .nth(points.length - 1)
    .waitFor()
  assert.ok(points.length > 50)
  const prices = (await page.locator('tbody td:last-child').allInnerTexts()).map(wonOf)
  assert.deepEqual(prices, points.map(({ wonPerGram }: { wonPerGram: number }) => wonPerGram).toReversed())
  await page.goto(`${ours}/assets`)
})

test('logging out and in; whoever is not signed in logs in and comes back to where they were', async () => {
  await follow(page, '설정')
  await press(page, '아이디와 비밀번호 정하기')
  await page.getByLabel('아이디').fill(LOGIN_ID)
  await page.getByLabel('새 비밀번호').fill(PASSWORD)
  await press(page, '아이디와 비밀번호 정하기')
  await page.getByText('비밀번호를 바꿨어요').waitFor()
  await press(page, '로그아웃하기')
  await page.waitForURL(`${ours}/login`)
  await page.goBack()
  assert.doesNotMatch(await page.innerText('body'), /김\*나|\d원/)
  await page.goto(`${ours}/history`)
  await heading(page, '로그인해 주세요')
  await page.getByLabel('아이디').fill(LOGIN_ID.toUpperCase())
  await page.getByLabel('비밀번호').fill('not the password')
  await press(page, '로그인하기')
  await page.getByText('아이디나 비밀번호가 맞지 않아요').waitFor()
  assert.equal(await page.getByLabel('비밀번호').inputValue(), '')
  await page.getByLabel('비밀번호').fill(PASSWORD)
  await press(page, '로그인하기')
  await heading(page, '내역')
  assert.equal(page.url(), `${ours}/history`)
})

test('one answer for a card that is used by another and one that never was', async () => {
  const stranger = await openPage(browser)
  const strangerWatched = watch(stranger, ours)
  await stranger.goto(`${ours}/signup`)
  await verifyAs(stranger, '이두리')
  await stranger.getByLabel('모두 동의하기').check()
  await press(stranger, '동의하고 가입하기')
  await heading(stranger, '가입했어요')
  await follow(stranger, '상품권 등록하기')
  for (const [typed, said] of [
    [pin, /이미 등록된 상품권이에요.*문의: /],
    ['0000-0000-0000-0000', /등록할 수 없는 상품권이에요/],
  ] as const) {
    await stranger.getByLabel('PIN', { exact: true }).fill(typed)
    await press(stranger, '확인하기')
    await stranger.getByRole('alert').filter({ hasText: said }).waitFor()
    await heading(stranger, '등록할 수 없는 상품권이에요')
    assert.equal(await stranger.getByRole('button', { name: '상품권 확인하기' }).count(), 0)
    await press(stranger, '다른 PIN 입력하기')
  }
  assertQuiet(strangerWatched)
  await stranger.context().close()
  // Its own, again: no points are added.
  await page.goto(`${ours}/`)
  await page.getByLabel('PIN', { exact: true }).fill(pin)
  await press(page, '확인하기')
  await heading(page, '이미 등록한 상품권이에요')
  await page.getByRole('link', { name: '내 자산 보기' }).waitFor()
  assert.deepEqual(await usage(), [300_000, 300_000])
})

test('the link of a message: the card is there, and its PIN is never typed', async () => {
  const guest = await openPage(browser)
  const guestWatched = watch(guest, ours)
  const card = await buyCard(70_000)
  await readMessage(guest, card.giftId)
  const tapped = await linkOf(card.giftId)
  // Who gave it, what it is worth and until when: and nothing of the code is left in the browser.
  await guest.getByText('70,000원').waitFor()
  assert.equal(await figure(guest, '보낸 곳'), '한빛페이')
  assert.match(await figure(guest, '유효기간'), /\d{4}년 \d+월 \d+일까지/)
  await guest.reload()
  await guest.getByText('70,000원').waitFor()
  await follow(guest, '휴대폰으로 본인 확인하고 받기')
  await guest.getByRole('button', { name: '인증번호 받기' }).waitFor()
  await guest.reload()
  await typeDetails(guest, newPerson())
  await press(guest, '인증번호 받기')
  await typeCode(guest)
  await guest.getByLabel('모두 동의하기').check()
  await press(guest, '동의하고 가입하기')
  await guest.getByRole('heading', { name: '이 상품권을 등록할까요?' }).waitFor()
  await press(guest, '등록하기')
  await heading(guest, '포인트로 바꿨어요')
  assert.equal(await figure(guest, '지금 가진 포인트'), '70,000P')

  // Tapped once more, and that of another card which is cancelled: the truth, to one who is signed in.
  await guest.goto(tapped)
  await heading(guest, '이미 등록한 상품권이에요')
  const { giftId: cancelled } = await buyCard(70_000)
  const link = await linkOf(cancelled)
  assert.equal((await partner.post(`${BUY}/${cancelled}/cancel`, { reason: 'x' })).status, 200)
  await guest.goto(link)
  await heading(guest, '등록할 수 없는 상품권이에요')
  await guest.getByRole('alert').filter({ hasText: '취소된 상품권' }).waitFor()
  await press(guest, '다른 PIN 입력하기')
  await heading(guest, '받은 상품권의 PIN을 입력해 주세요')

  const codes = guestWatched.requests.filter(({ url }) =>
    /[a-z2-7]{37}/.test(new URL(url).pathname + new URL(url).search),
  )
  assert.deepEqual(codes, [], 'in no address that was asked for')
  const stored = await guest.evaluate(
    'JSON.stringify([localStorage, sessionStorage, history.state, location.href])',
  )
  assert.doesNotMatch(String(stored), /[a-z2-7]{37}/)
  assertQuiet(guestWatched)
  await guest.context().close()
})

test('a link opened twice, tampered with, or of a card that is over', async () => {
  const guest = await openPage(browser)
  const { giftId: linked } = await buyCard(40_000)
  const link = await linkOf(linked)
  for (let i = 0; i < 2; i += 1) {
    await guest.goto(link)
    await guest.waitForURL(`${ours}/receive`)
    await guest.getByText('40,000원').waitFor()
  }
  const tampered = link.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  await guest.goto(`${ours}/docs`)
  await guest.goto(tampered)
  await heading(guest, '이 주소로는 상품권을 받을 수 없어요')
  // Nobody learns from a link what its card is, so the same is said of every one.
  await guest.getByText('유효기간이 지났다면 환불받을 수 있는지도 알려 드려요').waitFor()
  assert.equal(guest.url(), `${ours}/`)
  await press(guest, 'PIN 입력하기')
  await heading(guest, '받은 상품권의 PIN을 입력해 주세요')
  assert.equal((await partner.post(`${BUY}/${linked}/cancel`, { reason: 'x' })).status, 200)
  // Pasted into the address of the page that is open.
  await guest.goto(link)
  await heading(guest, '이 주소로는 상품권을 받을 수 없어요')
  assert.equal(guest.url(), `${ours}/`)
  await guest.context().close()
})

test('a child is told why, and what else there is', async () => {
  const child = await openPage(browser)
  await child.goto(`${ours}/signup`)
  await pickPersona(child, '박어린')
  await press(child, '인증번호 받기')
  const code = child.getByLabel('인증번호', { exact: true })
  await code.or(child.getByText('지금은 가입할 수 없어요')).first().waitFor()
  if (await code.isVisible()) {
    await code.fill('000000')
    await press(child, '확인하기')
  }
  await heading(child, '지금은 가입할 수 없어요')
  await child.getByText('만 14세 미만은 보호자의 동의가 필요해요').waitFor()
  await child.context().close()
})

test('nobody else was asked for anything, and the browser had nothing to complain of', () => {
  assertQuiet(watched)
})
