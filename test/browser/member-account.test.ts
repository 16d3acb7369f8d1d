import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { PERSONAS } from '#providers/identity/personas.ts'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'
import { addMember, Browser, logIn, newPerson, PASSWORD, userInfoOf } from '#test/member.ts'
import { advanceClock, freezeMember } from '#test/operator.ts'
import {
  addHoldingMember,
  assertQuiet,
  figure,
  follow,
  giveCard,
  heading,
  openAs,
  press,
  startPages,
  typeCode,
  typeDetails,
  verifyAs,
  watch,
} from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { SIGNUP, signupOf } from '#test/people.ts'

const { service, ours } = await startPages()
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이' })
const NEXT = 'a better horse battery'

test('a session that ended elsewhere: log in, and be back where one was', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  const watched = watch(page, ours)
  await page.goto(`${ours}/settings`)
  await page.getByText(member.loginId).waitFor()
  await page.waitForLoadState('networkidle')
  await press(page, '비밀번호 바꾸기')
  await page.getByLabel('지금 비밀번호').fill(PASSWORD)
  await page.getByLabel('새 비밀번호').fill(NEXT)
  await member.browser.post('/logout')
  await press(page, '바꾸기')
  await heading(page, '로그인해 주세요')
  await page.getByLabel('아이디').fill(member.loginId)
  await page.getByLabel('비밀번호').fill(PASSWORD)
  await press(page, '로그인하기')
  await heading(page, '설정')
  assert.equal(page.url(), `${ours}/settings`)
  assertQuiet(watched)
  await page.context().close()
})

test('frozen by the operator: signed out, and told at the log-in whom to ask', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  await page.goto(`${ours}/assets`)
  await heading(page, '김*나 님의 자산')
  const { loginId } = member
  await freezeMember(service.database, { member: loginId, reason: 'test', actor: 'test' })
  await page.reload()
  await heading(page, '로그인해 주세요')
  await page.getByLabel('아이디').fill(loginId)
  await page.getByLabel('비밀번호').fill(PASSWORD)
  await press(page, '로그인하기')
  const alert = page.getByRole('alert').filter({ hasText: '계정이 잠시 멈춰 있어' })
  await alert.filter({ hasText: 'help@ingot.example' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.context().close()
})

test('where one is logged in: another device is ended, and cannot go on', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  const elsewhere = new Browser(service.url)
  await logIn(elsewhere, member.loginId)
  const other = await openAs(browser, { ...member, browser: elsewhere })
  await other.goto(`${ours}/assets`)
  await heading(other, '김*나 님의 자산')
  await page.goto(`${ours}/settings`)
  await page.getByRole('button', { name: '알 수 없는 기기: 로그아웃시키기' }).click()
  await page.getByRole('button', { name: /로그아웃시키기/ }).waitFor({ state: 'detached' })
  assert.equal((await elsewhere.get('/assets')).status, 401)
  await other.reload()
  await heading(other, '로그인해 주세요')
  assert.equal((await member.browser.get('/assets')).status, 200)
  await other.context().close()
  await page.context().close()
})

test('changing the password: the old one opens nothing any more', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  await page.goto(`${ours}/settings`)
  await press(page, '비밀번호 바꾸기')
  // Announced by regions that stand there before their text comes; the first wrong field has the focus.
  const regions = await page.evaluate<string[]>(`[...document.querySelectorAll('main form [role=alert]')]
    .map((one) => [one.textContent, getComputedStyle(one).display !== 'none'].join())`)
  assert.deepEqual(regions, [',true', ',true', ',true'])
  const focused = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent')
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
  await press(page, '바꾸기')
  await alert('지금 비밀번호를 입력해 주세요')
  await alert('아래 조건을 모두 지켜 주세요')
  await until(async () => (await focused()) === '지금 비밀번호')
  await page.getByLabel('지금 비밀번호').fill('not the password')
  await page.getByLabel('새 비밀번호').fill(NEXT)
  await press(page, '바꾸기')
  await alert('지금 비밀번호가 맞지 않아요')
  await until(async () => (await focused()) === '지금 비밀번호')
  await page.getByLabel('지금 비밀번호').fill(PASSWORD)
  // It is little more than the id.
  await page.getByLabel('새 비밀번호').fill(`${member.loginId}-12`)
  await press(page, '바꾸기')
  await alert('아래 조건을 모두 지켜 주세요')
  await until(async () => (await focused()) === '새 비밀번호')
  await page.getByLabel('새 비밀번호').fill(NEXT)
  await press(page, '바꾸기')
  await page.getByText('비밀번호를 바꿨어요').waitFor()
  assert.equal((await logIn(new Browser(service.url), member.loginId)).status, 401)
  assert.equal((await logIn(new Browser(service.url), member.loginId, NEXT)).status, 200)
  await page.context().close()
})

test('a forgotten password: who one is brings the id back, and a new password', async () => {
  const { name, birthday, gender, mdn } = PERSONAS[2]!
  const member = await addMember(service, newPerson({ name, birthday, gender, mdn }))
  const page = await openPage(browser)
  await page.goto(`${ours}/login`)
  await follow(page, '아이디·비밀번호 찾기')
  await verifyAs(page, name)
  await heading(page, '아이디를 찾았어요')
  assert.deepEqual(await axeViolations(page), [])
  await page.getByText(member.loginId).first().waitFor()
  await page.getByLabel('새 비밀번호').fill(NEXT)
  await press(page, '비밀번호 바꾸고 로그인하기')
  await heading(page, '이*리 님의 자산')
  assert.equal((await member.browser.get('/assets')).status, 401, 'other devices are signed out')
  await page.context().close()

  // Of an account without id and password nothing is asked for: they can be set later.
  await service.database.pool.query(
    'update member_account set login_id = null, password = null, password_changed_at = null where login_id = $1',
    [member.loginId],
  )
  const byPhone = await openPage(browser)
  await byPhone.goto(`${ours}/recover`)
  await verifyAs(byPhone, name)
  await heading(byPhone, '본인 확인을 마쳤어요')
  assert.deepEqual(await axeViolations(byPhone), [])
  await press(byPhone, '로그인하기')
  await heading(byPhone, '이*리 님의 자산')
  await byPhone.context().close()

  const stranger = await openPage(browser)
  await stranger.goto(`${ours}/recover`)
  await verifyAs(stranger, '김하나')
  await heading(stranger, '아직 가입하지 않았어요')
  assert.deepEqual(await axeViolations(stranger), [])
  await stranger.context().close()
})

test('a foreigner, someone unknown to the carrier, a provider that is away: each is told', async () => {
  const page = await openPage(browser)
  const told = async (name: string, text: string) => {
    await page.goto(`${ours}/signup`)
    const index = PERSONAS.findIndex((persona) => persona.name === name)
    await page.getByLabel('연습용 인물 고르기').selectOption(String(index))
    await press(page, '인증번호 받기')
    const code = page.getByLabel('인증번호', { exact: true })
    await code.or(page.getByText(text)).first().waitFor()
    if (await code.isVisible()) {
      await code.fill('000000')
      await press(page, '확인하기')
    }
    await page.getByText(text).waitFor()
  }
  await told('SMITH JOHN', '아직은 내국인만 가입할 수 있어요')
  await told('정모름', '본인 확인을 하지 못했어요')
  await told('최무음', '지금은 연결이 원활하지 않아요')
  await page.context().close()
})

test('partners who know somebody: the member decides', async () => {
  const person = newPerson()
  const { code } = partner.partner
  await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))
  // As in live, where a link waits for its member's word.
  await service.database.pool.query('update partner_user set confirmed = false')
  const member = await addMember(service, person)
  const page = await openAs(browser, member)
  await page.goto(`${ours}/assets`)
  await page.getByText('나를 아는 제휴사가 있어요').click()
  await heading(page, '설정')
  await page.getByText('아직 정하지 않았어요').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await press(page, '연결하기')
  await page.getByText('연결했어요', { exact: true }).waitFor()
  await press(page, '연결하지 않기')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('그대로 내 자산에 남아요', { exact: false }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await sheet.getByRole('button', { name: '그대로 두기' }).click()
  await page.getByText('연결했어요', { exact: true }).waitFor()
  await press(page, '연결하지 않기')
  await sheet.getByRole('button', { name: '연결하지 않기' }).click()
  await page.getByText('연결하지 않았어요', { exact: true }).waitFor()
  await follow(page, '자산')
  await heading(page, '김*나 님의 자산')
  await page.getByText('나를 아는 제휴사가 있어요').waitFor({ state: 'detached' })
  await page.context().close()
})

test('the language: switched on the page, kept, and named in the address', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  await page.goto(`${ours}/settings`)
  await heading(page, '설정')
  await page.getByText('English').last().click()
  await heading(page, 'Settings')
  assert.deepEqual([await page.getAttribute('html', 'lang'), await page.title()], ['en', 'Settings · Ingot'])
  await page.reload()
  await heading(page, 'Settings')
  await page.goto(`${ours}/history?lang=ko`)
  await heading(page, '내역')
  await press(page, 'English')
  await page.reload()
  await heading(page, 'History')
  await page.context().close()
})

test('closing: not while there is something left; then for good', async () => {
  const rich = await addHoldingMember(service, partner, { KRW: 5_000n })
  const page = await openAs(browser, rich)
  const close = async (password = PASSWORD) => {
    await page.goto(`${ours}/settings`)
    await press(page, '회원 탈퇴')
    await page.getByLabel('지금 비밀번호').fill(password)
    await press(page, '탈퇴하기')
  }
  await close('not the password')
  await page.getByText('지금 비밀번호가 맞지 않아요').waitFor()
  await close()
  await page.getByText('자산이 남아 있어요').waitFor()
  await page.context().close()

  const poor = await addMember(service)
  const other = await openAs(browser, poor)
  await other.goto(`${ours}/settings`)
  // First everything is taken along, as one file.
  const [file] = await Promise.all([other.waitForEvent('download'), press(other, '파일로 받기')])
  assert.match(file.suggestedFilename(), /^ingot-data-.*\.json$/)
  assert.ok((await readFile(await file.path(), 'utf8')).includes(poor.person.mdn))
  await other.getByText('파일을 저장했어요').waitFor()
  await press(other, '회원 탈퇴')
  await other.getByLabel('지금 비밀번호').fill(PASSWORD)
  await other.getByLabel('지울 수 있는 내 정보는 바로 지워 주세요').check()
  await other.getByRole('heading', { name: '바로 지워요' }).waitFor()
  await other.getByText(/약관 동의 기록/).waitFor()
  assert.deepEqual(await axeViolations(other), [])
  await press(other, '탈퇴하기')
  await other.waitForURL(`${ours}/`)
  await other.getByRole('link', { name: '로그인', exact: true }).click()
  await other.getByLabel('아이디').fill(poor.loginId)
  await other.getByLabel('비밀번호').fill(PASSWORD)
  await press(other, '로그인하기')
  await other.getByText('아이디나 비밀번호가 맞지 않아요').waitFor()
  await other.context().close()
})

// Reloads the page, goes back and forth again, and is where it was each time.
async function stay(page: Page, sign: () => Promise<unknown>): Promise<void> {
  await sign()
  const url = page.url()
  await page.reload()
  await sign()
  await page.goBack()
  await page.waitForURL((at) => at.href !== url)
  await page.goForward()
  await page.waitForURL(url)
  await sign()
}

async function typePin(page: Page): Promise<string> {
  const { pin } = await giveCard(service, partner, 70_000)
  await page.goto(`${ours}/login`)
  await page.goto(`${ours}/`)
  await page.getByLabel('PIN', { exact: true }).fill(pin)
  await press(page, '확인하기')
  return pin
}

const code = (page: Page) => page.getByLabel('인증번호', { exact: true }).waitFor()
const register = async (page: Page) => {
  await page.getByRole('heading', { name: '이 상품권을 등록할까요?' }).waitFor()
  await press(page, '등록하기')
  await heading(page, '포인트로 바꿨어요')
}

test('a new person with a PIN in hand: nothing is lost by reloading, Back and Forward at any step', async () => {
  const page = await openPage(browser)
  const watched = watch(page, ours)
  const pin = await typePin(page)
  const masked = () => page.getByText(`••••-••••-••••-${pin.slice(-4)}`).waitFor()
  await stay(page, masked)
  assert.deepEqual(await axeViolations(page), [])
  await page.goBack()
  await masked()
  await follow(page, '이어서 받기')
  await follow(page, '휴대폰으로 본인 확인하고 받기')
  await stay(page, () => heading(page, '휴대폰으로 본인 확인해 주세요'))
  const person = newPerson()
  await typeDetails(page, person)
  await press(page, '인증번호 받기')
  await stay(page, () => code(page))
  await page.goBack()
  assert.equal(await page.getByLabel('휴대폰 번호').inputValue(), person.mdn, 'what was typed is there again')
  await page.goForward()
  await code(page)
  await typeCode(page)
  const terms = () => heading(page, '약관에 동의하면 가입이 끝나요')
  await stay(page, terms)
  assert.deepEqual(await axeViolations(page), [])
  await page.getByLabel('모두 동의하기').check()
  await press(page, '동의하고 가입하기')
  await page.getByRole('heading', { name: '이 상품권을 등록할까요?' }).waitFor()
  await page.reload()
  await register(page)
  // Whoever goes Back is not asked again who they are.
  await page.goBack()
  await heading(page, /님의 자산$/)
  assert.equal(page.url(), `${ours}/assets`)
  // Points have no gain or loss, so a screen reader hears of none.
  assert.equal(await page.getByText('구매 금액과 비교한 손익').count(), 0)
  await page.goto(`${ours}/login?to=/history`)
  await page.waitForURL(`${ours}/history`)
  for (const { url } of watched.requests)
    assert.ok(!url.includes(pin) && !url.includes(pin.replaceAll('-', '')))
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
  )
  assert.ok(!kept.includes(pin.replaceAll('-', '').slice(0, 12)))
  assertQuiet(watched)
  await page.context().close()
})

test('a member with a PIN in hand is logged in by phone; an answer that was lost costs nothing', async () => {
  const { person, loginId } = await addMember(service)
  const page = await openPage(browser)
  await typePin(page)
  await follow(page, '휴대폰으로 본인 확인하고 받기')
  await typeDetails(page, person)
  await press(page, '인증번호 받기')
  await code(page)
  const lose = async (path: string) => {
    let lost = false
    await page.route(`${ours}/member${path}`, async (route) => {
      if (lost) return route.continue()
      lost = true
      await route.fetch()
      return route.abort()
    })
  }
  await lose('/onboarding/identity/confirm')
  await typeCode(page)
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await press(page, '확인하기')
  await page.getByRole('heading', { name: '이 상품권을 등록할까요?' }).waitFor()
  await lose('/cards/redeem')
  await press(page, '등록하기')
  await page.getByText('다시 눌러도 한 번만 등록돼요').waitFor()
  await register(page)
  assert.equal(await figure(page, '지금 가진 포인트'), '70,000P')
  await page.goto(`${ours}/settings`)
  await page.getByText(loginId).waitFor()
  await page.context().close()
})

test('nothing is chosen for anybody, and each missing field is named', async () => {
  const page = await openPage(browser)
  await page.goto(`${ours}/login`)
  await follow(page, '휴대폰으로 로그인하기')
  await press(page, '인증번호 받기')
  for (const text of [
    '이름을 입력해 주세요.',
    '생년월일 8자리를 확인해 주세요.',
    '성별을 골라 주세요.',
    '통신사를 골라 주세요.',
    '휴대폰 번호를 확인해 주세요.',
  ])
    await page.getByText(text).waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? ""')
  await until(async () => (await focused()) === '이름')
  assert.deepEqual(await axeViolations(page), [])
  const { name, birthday } = newPerson()
  await page.getByLabel('이름', { exact: true }).fill(name)
  await page.getByLabel('생년월일').fill(birthday)
  await press(page, '인증번호 받기')
  await until(async () => (await focused()) === '여성')
  await page.context().close()
})

test('the one extension, folded below the confirmation; registering it later still works', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  const watched = watch(page, ours)
  await typePin(page)
  await page.getByText('나중에 등록할 건가요?').click()
  const before = await figure(page, '유효기간')
  assert.deepEqual(await axeViolations(page), [])
  await press(page, '유효기간 늘리기')
  await page.getByText(/유효기간을 .*까지 늘렸어요/).waitFor()
  assert.notEqual(await figure(page, '유효기간'), before)
  // Once: the next look offers none.
  await page.reload()
  await page.getByRole('heading', { name: '이 상품권을 등록할까요?' }).waitFor()
  assert.equal(await page.getByText('나중에 등록할 건가요?').count(), 0)
  await register(page)
  assertQuiet(watched)
  await page.context().close()
})

// The last one: the clock moves more than a year, and every session ends.
test('an expired card: what it still gives, line by line; as points, or as money to withdraw', async () => {
  const [first, second] = await Promise.all([70_000, 50_000].map((won) => giveCard(service, partner, won)))
  await advanceClock(service.database, { seconds: 400 * 86_400, actor: 'test' })
  const open = async (pin: string, locale: string, submit: string) => {
    const page = await openAs(browser, await addMember(service), { locale })
    await page.goto(`${ours}/`)
    await page.getByLabel('PIN', { exact: true }).fill(pin)
    await press(page, submit)
    return page
  }
  const page = await open(first!.pin, 'ko-KR', '확인하기')
  const watched = watch(page, ours)
  await heading(page, '유효기간이 지났지만 환불받을 수 있어요')
  await page.getByText(/환불 기준 kr-2025-09\. 이 금액은 .*까지 그대로예요/).waitFor()
  await page.getByText(/\d{4}년 \d+월 \d+일까지 신청할 수 있어요/).waitFor()
  assert.deepEqual(
    [await figure(page, '공제 (환불률 100%)'), await figure(page, '공제 (환불률 95%)')],
    ['0원', '-3,500원'],
  )
  assert.deepEqual(await axeViolations(page), [])
  await press(page, '포인트로 받기')
  await page.getByRole('heading', { name: '포인트로 환불받을까요?' }).waitFor()
  assert.equal(await figure(page, '받는 금액'), '70,000P')
  assert.deepEqual(await axeViolations(page), [])
  // The answer gets lost; the second press finds the refund done.
  let lost = false
  await page.route(`${ours}/member/cards/refunds`, async (route) => {
    if (lost) return route.continue()
    lost = true
    await route.fetch()
    return route.abort()
  })
  await press(page, '환불받기')
  await page.getByText('다시 눌러도 한 번만 환불돼요').waitFor()
  // The card is forgotten behind the receipt, and then the page learns something new. The receipt stays.
  const forgotten = page.waitForResponse(
    (answer) => answer.url() === `${ours}/member/onboarding` && answer.request().method() === 'DELETE',
  )
  await page.route(`${ours}/member/session`, async (route) => {
    await forgotten
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), name: '김*라' } })
  })
  await press(page, '환불받기')
  await page.waitForResponse(`${ours}/member/session`)
  await heading(page, '포인트로 환불받았어요')
  assert.equal(await figure(page, '지금 가진 포인트'), '70,000P')
  await press(page, '다른 PIN 입력하기')
  await page.getByLabel('PIN', { exact: true }).fill(first!.pin)
  await press(page, '확인하기')
  await page.getByRole('alert').filter({ hasText: '이미 환불된 상품권이에요' }).waitFor()
  assert.deepEqual(
    watched.complaints.filter((text) => !text.includes('net::ERR_FAILED')),
    [],
  )
  await page.context().close()

  const english = await open(second!.pin, 'en-US', 'Continue')
  await heading(english, 'The card has expired, but you can still get a refund')
  await press(english, 'Take money')
  await english.getByRole('heading', { name: 'Take the refund as money?' }).waitFor()
  assert.equal(await figure(english, 'You receive'), '₩45,000')
  // Read for longer than the offer holds.
  await advanceClock(service.database, { seconds: 601, actor: 'test' })
  await press(english, 'Get the refund')
  await english.getByText('Time has passed').waitFor()
  await press(english, 'Work it out again')
  // The PIN is kept no longer than that either.
  await heading(english, 'Please enter the PIN again')
  await press(english, 'Enter the PIN')
  await english.getByLabel('PIN', { exact: true }).fill(second!.pin)
  await press(english, 'Continue')
  await press(english, 'Take money')
  await press(english, 'Get the refund')
  await heading(english, 'The money is in your deposit')
  assert.equal(await figure(english, 'Your deposit now'), '₩45,000')
  assert.deepEqual(await axeViolations(english), [])
  await follow(english, 'Withdraw it')
  await english.waitForURL(`${ours}/withdraw`)
  await english.context().close()
})
