import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { seedDemoStaff } from '#flows/staff/demo-staff.ts'
import type { Role } from '#modules/staff/permissions.ts'
import { startOidcProvider } from '#stand-ins/oidc-provider.ts'
import { axeViolations, openPage, servePage, startBrowser, test } from '#test/browser.ts'
import { advanceClock } from '#test/operator.ts'
import { assertQuiet, heading, press, startPages, tabTo, watch } from '#test/pages.ts'
import { until } from '#test/patience.ts'
import { addTestStaff } from '#test/staff.ts'

// One service and one browser: how staff come in, prove who they are, and manage themselves and others.
const provider = await startOidcProvider({ sub: 'nobody', email: 'nobody@ingot.test', email_verified: true })
after(() => provider.close())
const { service, ours } = await startPages({
  environment: {
    TRUSTED_PROXIES: '',
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
  },
})
const browser = startBrowser()
const { database } = service
await seedDemoStaff(database, 'demo')
const DESK = { viewport: { width: 1440, height: 900 } }
const open = (options: BrowserContextOptions = {}) => openPage(browser, { ...DESK, ...options })
const onceProven = () => advanceClock(database, { seconds: 11 * 60, actor: 'test' })

async function addDevice(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

// Nothing that axe finds, and nothing wider than its screen.
async function assertSound(page: Page, name: string): Promise<void> {
  assert.deepEqual(await axeViolations(page), [], name)
  for (const width of [1440, 1024, 375]) {
    await page.setViewportSize({ width, height: 900 })
    const wider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    assert.equal(await page.evaluate(wider), false, `${name} at ${width} px`)
  }
  await page.setViewportSize(DESK.viewport)
}

async function openLink(page: Page, role: Role) {
  const { staff, link } = await addTestStaff(service, role)
  await page.goto(`${ours}/console/welcome#${link.reveal()}`)
  return staff
}

test('by a one-time link and a passkey; a proof by passkey; a person is added and another role asked for', async () => {
  const page = await open()
  const watched = watch(page, ours)
  await addDevice(page)
  const staff = await openLink(page, 'admin')
  await heading(page, '콘솔에 오신 것을 환영합니다')
  assert.equal(new URL(page.url()).hash, '', 'the secret is out of the address')
  await assertSound(page, 'welcome')
  await press(page, '패스키 만들기')
  await page.getByRole('link', { name: `내 계정: ${staff.name}` }).waitFor()

  await press(page, '로그아웃')
  await heading(page, '콘솔 로그인')
  await assertSound(page, 'sign in')
  await press(page, '패스키로 로그인')
  await page.getByRole('link', { name: '직원', exact: true }).click()
  await heading(page, '직원')
  await assertSound(page, 'staff')

  // The last proof is too old: the dialog asks, and the act goes on by itself.
  await onceProven()
  await press(page, '직원 추가')
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('이메일').fill('desk@ingot.test')
  await sheet.getByLabel('이름').fill('고객지원 담당')
  await sheet.getByLabel('역할').selectOption('support')
  await assertSound(page, 'add')
  await sheet.getByRole('button', { name: '추가하고 링크 만들기' }).click()
  await page.getByRole('dialog', { name: '본인 확인' }).waitFor()
  await assertSound(page, 'proof')
  await press(page, '패스키로 확인')
  await page.getByText(/\/console\/welcome#/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '닫기', exact: true }).last().click()
  await page.getByText('desk@ingot.test').waitFor()

  await press(page, '역할 변경 desk@ingot.test')
  await page.getByRole('dialog').getByLabel('역할').selectOption('finance')
  await page.getByRole('dialog').getByLabel('사유').fill('재무팀으로 이동')
  await press(page, '변경 요청')
  await page.getByText('다른 사람이 승인하면 실행됩니다.', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '닫기', exact: true }).last().click()

  await page.getByRole('link', { name: `내 계정: ${staff.name}` }).click()
  await press(page, /^이름 바꾸기 /)
  await page.getByRole('dialog').getByLabel('이름').fill('사무실 노트북')
  await assertSound(page, 'rename')
  await press(page, '저장')
  await page.getByRole('cell', { name: '사무실 노트북', exact: true }).waitFor()
  await press(page, '지우기 사무실 노트북')
  await page.getByRole('dialog').getByRole('button', { name: '지우기', exact: true }).click()
  await page.getByText('하나 남은 로그인 방법입니다. 다른 방법을 먼저 등록해 주세요.').waitFor()
  await assertSound(page, 'remove')
  await page.getByRole('dialog').getByRole('button', { name: '닫기', exact: true }).last().click()
  await page.getByRole('cell', { name: '사무실 노트북', exact: true }).waitFor()
  assertQuiet(watched)
})

test('a foreign page cannot frame the console, and its form changes nothing', async () => {
  const site = await servePage(
    (asked) => `<iframe src="${ours}${asked.searchParams.get('to')}"></iframe>
      <form method="post" action="${ours}/console/api/sign-out"><button>x</button></form>`,
  )
  const page = await open()
  await page.goto(`${ours}/console/`)
  await press(page, '데모 운영자로 들어가기')
  await page.getByRole('link', { name: /^내 계정:/ }).waitFor()
  for (const path of ['/console/', '/console/approvals', '/console/api/session']) {
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(`${site}/?to=${path}`)
    await refused
    await until(() => /^chrome-error:/.test(page.frames()[1]?.url() ?? ''), 'the frame shows an error')
  }
  const answered = page.waitForResponse(`${ours}/console/api/sign-out`)
  await press(page, 'x')
  assert.equal((await answered).status(), 403)
  await page.goto(`${ours}/console/`)
  await page.getByRole('link', { name: /^내 계정:/ }).waitFor()
})

test('in English with the keyboard alone: password, authenticator, recovery codes, proof by code', async () => {
  const page = await open({ locale: 'en-US' })
  const watched = watch(page, ours)
  const staff = await openLink(page, 'support')
  await heading(page, 'Welcome to the console')
  const focus = async (role: 'button' | 'textbox' | 'checkbox' | 'link', name: string | RegExp) =>
    tabTo(page, page.getByRole(role, { name, exact: typeof name === 'string' }))
  await focus('button', 'Begin with this')
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').textContent())!
  const code = (later = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })
  await focus('textbox', 'New password')
  await page.keyboard.type('nine little gold bars')
  await focus('textbox', 'The six digits that the app shows')
  await page.keyboard.type(code())
  await assertSound(page, 'password')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await assertSound(page, 'recovery codes')
  await focus('checkbox', 'I have kept the recovery codes')
  await page.keyboard.press('Space')
  await focus('button', 'Continue')
  await page.keyboard.press('Enter')
  await focus('link', `My account: ${staff.name}`)
  await page.keyboard.press('Enter')
  await heading(page, 'My account')
  await assertSound(page, 'account')

  await onceProven()
  await focus('button', 'New recovery codes')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Prove it is you' }).waitFor()
  await focus('textbox', 'Code')
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await page.getByText('The code is wrong. Enter a new one.').waitFor()
  await page.getByRole('dialog').getByLabel('Code').fill(code(1))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  assertQuiet(watched)
})

test('the demo operator enters with one click; a used link says what to do; an IP address offers no passkey', async () => {
  const page = await open()
  await page.goto(`${ours}/console/`)
  await press(page, '데모 운영자로 들어가기')
  await page.getByRole('link', { name: /^내 계정:/ }).click()
  await heading(page, '내 계정')
  await page.goto(`${ours}/console/welcome#${'x'.repeat(43)}`)
  await heading(page, '이 링크는 쓸 수 없습니다')
  const other = await open()
  await other.goto(`${ours.replace('localhost', '127.0.0.1')}/console/`)
  await other.getByLabel('이메일').waitFor()
  assert.equal(await other.getByRole('button', { name: '패스키로 로그인' }).count(), 0)
})

test('by the company account: another site and back, with cookies that no other site sends', async () => {
  const page = await open()
  await page.goto(`${ours}/console/`)
  await page.getByRole('link', { name: '회사 계정으로 로그인' }).click()
  await page.getByText('이 회사 계정으로는 들어올 수 없습니다.', { exact: false }).waitFor()
  await assertSound(page, 'refused')
  const { staff } = await addTestStaff(service, 'viewer')
  provider.person = { sub: 'one', email: staff.email, email_verified: true }
  await page.getByRole('link', { name: '회사 계정으로 로그인' }).click()
  await page.getByRole('link', { name: `내 계정: ${staff.name}` }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: `내 계정: ${staff.name}` }).click()
  // The provider did not say when the person proved it: the proof asks it again, and it says so.
  provider.person = { sub: 'one', auth_time: Math.floor(Date.now() / 1_000) }
  await press(page, '비밀번호와 인증 앱 등록')
  await page.getByRole('link', { name: '회사 계정으로 다시 로그인' }).click()
  await page.getByRole('link', { name: `내 계정: ${staff.name}` }).click()
  await press(page, '비밀번호와 인증 앱 등록')
  await page.getByLabel('새 비밀번호').waitFor()
})
