import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { axeViolations, openPage, PHONE_SIZE, startBrowser, test } from '#test/browser.ts'
import { endWait } from '#test/holders.ts'
import { requestAdjustment } from '#test/operator.ts'
import {
  addHoldingMember,
  assertQuiet,
  follow,
  heading,
  press,
  startPages,
  tabTo,
  watch,
} from '#test/pages.ts'
import type { StaffBrowser } from '#test/staff.ts'

// Two people in one browser: the inbox of approvals and a payout, each with one person and with two.
const { service, ours } = await startPages({ environment: { SINGLE_PERSON: 'off' } })
const browser = startBrowser()
const { database } = service
const partner = await service.addPartner({ name: '가온상점' })
const member = await addHoldingMember(service, partner, { KRW_POINT: 10_000n, KRW: 500_000n })
const { rows } = await database.pool.query('select member_id from member_account where login_id = $1', [
  member.loginId,
])
const holderId: string = rows[0].member_id
const mina = await service.consoleAs('finance')
const juno = await service.consoleAs('finance')

const DESK = { width: 1440, height: 900 }

async function openConsole({ cookies }: StaffBrowser, locale = 'ko-KR') {
  const page = await openPage(browser, { viewport: DESK, locale })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours) }
}

const visit = (page: Page, path: string) => page.goto(`${ours}/console${path}`)
const sheet = (page: Page) => page.getByRole('dialog')
const done = (page: Page) => sheet(page).getByText('완료했습니다.').waitFor()

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await sheet(page).waitFor({ state: 'detached' })
}

async function ask(amount: bigint, reason: string): Promise<string> {
  const person = { actor: `staff:${mina.staff.email}`, staffId: mina.staff.id, reason }
  return (await requestAdjustment(database, { holderId, asset: 'KRW_POINT', amount, ...person })).request.id
}

async function requestPayout(): Promise<string> {
  const wish = { requestId: crypto.randomUUID(), amount: 50_000, bank: '004', account: '110-123-456789' }
  const { body } = await member.browser.post('/withdrawals', wish)
  await endWait(database, body.id)
  return body.id
}

test('one person sees that another is needed; the other approves, by keyboard alone', async () => {
  const id = await ask(-4_000n, '두 번 지급됨')
  const first = await openConsole(mina)
  await visit(first.page, '/approvals')
  await first.page.getByText('내가 올린 요청입니다. 다른 사람이 승인해야 합니다.').waitFor()
  assert.equal(await first.page.getByRole('button', { name: '승인하기' }).count(), 0)
  const second = await openConsole(juno)
  await visit(second.page, '/approvals')
  await second.page.getByText('10,000P → 6,000P').waitFor()
  await second.page
    .getByRole('navigation', { name: '메뉴' })
    .getByText('대기 1건')
    .waitFor({ state: 'attached' })
  await second.page.getByRole('button', { name: '승인하기', exact: true }).focus()
  await second.page.keyboard.press('Enter')
  await tabTo(second.page, sheet(second.page).getByRole('button', { name: '승인하기', exact: true }))
  await second.page.keyboard.press('Enter')
  await done(second.page)
  await close(second.page)
  await second.page.getByText('승인을 기다리는 요청이 없습니다.').waitFor()
  await visit(first.page, `/approvals/${id}`)
  await first.page.getByText('승인·실행').waitFor()
  await first.page.getByText(`staff:${juno.staff.email}`).first().waitFor()
  for (const { page, watched } of [first, second]) {
    assertQuiet(watched)
    await page.context().close()
  }
})

test('what cannot be carried out any more says why, and goes on waiting; who asked takes it back', async () => {
  const id = await ask(-6_000n, '정정')
  const other = await ask(-6_000n, '같은 정정')
  assert.equal((await juno.post(`/approvals/${id}/approve`, {})).status, 200)
  const second = await openConsole(juno)
  await visit(second.page, `/approvals/${other}`)
  await press(second.page, '승인하기')
  await sheet(second.page).getByRole('button', { name: '승인하기', exact: true }).click()
  await sheet(second.page).getByText('잔액이 0원보다 작아질 수 없습니다.').waitFor()
  await close(second.page)
  const first = await openConsole(mina)
  await visit(first.page, `/approvals/${other}`)
  await press(first.page, '요청 거두기')
  await sheet(first.page).getByLabel('사유', { exact: true }).fill('잔액이 모자람')
  await sheet(first.page).getByRole('button', { name: '요청 거두기', exact: true }).click()
  await done(first.page)
  await close(first.page)
  await visit(first.page, '/approvals')
  await follow(first.page, '결정됨')
  await first.page.getByText('거절', { exact: true }).first().waitFor()
  for (const { page } of [first, second]) await page.context().close()
})

test('a payout: approved by one, paid by another, its account shown with a reason', async () => {
  const id = await requestPayout()
  const first = await openConsole(mina)
  await visit(first.page, `/withdrawals/${id}`)
  await press(first.page, '지급 승인')
  await sheet(first.page).getByLabel('사유', { exact: true }).fill('확인함')
  await sheet(first.page).getByRole('button', { name: '지급 승인', exact: true }).click()
  await done(first.page)
  await close(first.page)
  await first.page.getByText('승인한 사람이 아닌 다른 사람이 지급을 기록해야 합니다.').waitFor()
  assert.equal(await first.page.getByRole('button', { name: '지급 기록' }).count(), 0)
  const second = await openConsole(juno)
  await visit(second.page, '/approvals')
  await follow(second.page, '지급 기록')
  await press(second.page, '계좌 보기')
  await sheet(second.page).getByLabel('사유', { exact: true }).fill('송금')
  await sheet(second.page).getByRole('button', { name: '계좌 보기', exact: true }).click()
  await sheet(second.page).getByText('110123456789').waitFor()
  await close(second.page)
  assert.equal(await second.page.getByText('110123456789').count(), 0)
  await press(second.page, '지급 기록')
  await sheet(second.page).getByLabel('사유', { exact: true }).fill('보냄')
  await sheet(second.page).getByRole('button', { name: '다음', exact: true }).click()
  await sheet(second.page).getByRole('button', { name: '지급 기록', exact: true }).click()
  await done(second.page)
  await close(second.page)
  await second.page.getByText('지급을 기록했습니다').waitFor()
  for (const { page, watched } of [first, second]) {
    assertQuiet(watched)
    await page.context().close()
  }
})

for (const locale of ['ko-KR', 'en-US']) {
  test(`every page, ${locale}: a heading, nothing for axe, no sideways scrolling on a phone`, async () => {
    const request = await ask(1_000n, '확인용 사유')
    const { rows: payouts } = await database.pool.query('select id from withdrawal limit 1')
    const { page, watched } = await openConsole(juno, locale)
    for (const [path, ko, en] of [
      ['/approvals', '승인', 'Approvals'],
      ['/approvals?view=decided', '승인', 'Approvals'],
      [`/approvals/${request}`, '승인 요청', 'Request'],
      [`/withdrawals/${payouts[0].id}`, '출금', 'Withdrawal'],
    ] as const) {
      await visit(page, path)
      await heading(page, locale === 'ko-KR' ? ko : en)
      assert.deepEqual(await axeViolations(page), [], path)
      await page.setViewportSize(PHONE_SIZE)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, path)
      await page.setViewportSize(DESK)
    }
    assertQuiet(watched)
    await page.context().close()
  })
}
