import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'
import { openPage, startBrowser, test } from '#test/browser.ts'
import { addMember, logIn } from '#test/member.ts'
import { assertQuiet, follow, heading, openAs, press, startPages, watch } from '#test/pages.ts'
import { call } from '#test/service.ts'

const { service, ours } = await startPages()
const browser = startBrowser()

// A phone's own lock, in software: it makes passkeys and unlocks them.
interface Device {
  client: CDPSession
  authenticatorId: string
  count(): Promise<number>
  // Whether its owner unlocks it, or turns the prompt away.
  unlocks(willing: boolean): Promise<void>
}

async function addDevice(page: Page): Promise<Device> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    client,
    authenticatorId,
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    unlocks: async (isUserVerified) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

const logOut = async (page: Page) => {
  await press(page, '로그아웃하기')
  await heading(page, '로그인해 주세요')
}

test('made in the settings, used to log in, renamed, removed', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  const watched = watch(page, ours)
  const device = await addDevice(page)
  await page.goto(`${ours}/settings`)
  await page.getByText('아직 만든 패스키가 없어요.').waitFor()
  await press(page, '패스키 만들기')
  await page.getByText('아직 쓰지 않았어요').waitFor()
  assert.equal(await device.count(), 1)

  // The same device again: it has one already, and says so.
  await press(page, '패스키 만들기')
  await page.getByText('이 기기에는 이 계정의 패스키가 이미 있어요.', { exact: false }).waitFor()

  await logOut(page)
  await press(page, '패스키로 로그인하기')
  await page.waitForURL(`${ours}/assets`)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await follow(page, '설정')
  await page
    .getByText(/^마지막 사용 .*/)
    .nth(1)
    .waitFor()

  await page.getByRole('button', { name: /: 이름 바꾸기$/ }).click()
  await page.getByLabel('이름', { exact: true }).fill('내 전화')
  await press(page, '저장하기')
  await page.getByText('내 전화', { exact: true }).waitFor()
  await press(page, '내 전화: 삭제하기')
  await page.getByRole('dialog').getByText('더 로그인할 수 없어요', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '삭제하기' }).click()
  await page.getByText('아직 만든 패스키가 없어요.').waitFor()

  // The device does not know that it was removed.
  await logOut(page)
  await press(page, '패스키로 로그인하기')
  await page.getByRole('alert').getByText('이 패스키로는 로그인할 수 없어요.', { exact: false }).waitFor()
  assertQuiet(watched)
  await page.context().close()
})

test('a prompt that is turned away changes nothing, and other ways stay', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  const device = await addDevice(page)
  await page.goto(`${ours}/settings`)
  await device.unlocks(false)
  await press(page, '패스키 만들기')
  await page.getByText('패스키를 만들지 않았어요.', { exact: false }).waitFor()
  assert.equal(await device.count(), 0)
  await device.unlocks(true)
  await press(page, '패스키 만들기')
  await page.getByText('아직 쓰지 않았어요').waitFor()
  await logOut(page)
  await device.unlocks(false)
  await press(page, '패스키로 로그인하기')
  await page.getByText('패스키를 확인하지 못했어요.', { exact: false }).waitFor()
  assert.ok(page.url().startsWith(`${ours}/login`))
  // Turned away, it may be tried again, from a fresh challenge.
  await device.unlocks(true)
  await press(page, '패스키로 로그인하기')
  await page.waitForURL(`${ours}/assets`)
  await page.context().close()
})

test('an answer that was lost: the passkey is there, and the page says so', async () => {
  const member = await addMember(service)
  const page = await openAs(browser, member)
  await addDevice(page)
  await page.goto(`${ours}/settings`)
  await page.getByText('아직 만든 패스키가 없어요.').waitFor()
  await page.route('**/member/passkeys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await press(page, '패스키 만들기')
  await page.getByText('아직 쓰지 않았어요').waitFor()
  await page.context().close()
})

test('identity is asked for before one is made, where it is not fresh', async () => {
  const member = await addMember(service)
  // Logged in again: the browser is known, the identity no longer fresh.
  await logIn(member.browser, member.loginId)
  const page = await openAs(browser, member)
  await addDevice(page)
  await page.goto(`${ours}/settings`)
  await press(page, '패스키 만들기')
  await page.getByRole('heading', { name: '본인 확인이 필요해요' }).waitFor()
  await page.context().close()
})

test('under an IP address and where it is forbidden no passkey is offered', async () => {
  const elsewhere = ours.replace('localhost', '127.0.0.1')
  const page = await openPage(browser)
  await addDevice(page)
  const offered = (place = page) => place.getByRole('button', { name: '패스키로 로그인하기' }).count()
  await page.goto(`${ours}/login`)
  await heading(page, '로그인해 주세요')
  assert.equal(await offered(), 1)
  await page.goto(`${elsewhere}/login`)
  await heading(page, '로그인해 주세요')
  assert.equal(await offered(), 0)
  // What we send forbids nothing that a passkey needs.
  const { headers } = await call(`${service.url}/login`)
  assert.doesNotMatch(headers.get('permissions-policy') ?? '', /publickey-credentials/)
  await page.context().close()

  const policed = await openPage(browser)
  await policed.route(`${ours}/login`, async (route) => {
    const response = await route.fetch()
    const forbidden = 'publickey-credentials-get=(), publickey-credentials-create=()'
    await route.fulfill({ response, headers: { ...response.headers(), 'permissions-policy': forbidden } })
  })
  await policed.goto(`${ours}/login`)
  await heading(policed, '로그인해 주세요')
  assert.equal(await offered(policed), 0)
  await policed.context().close()
})
