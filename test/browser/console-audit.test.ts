import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { auditList } from '#app/commands/audit.ts'
import { partnerSet } from '#app/commands/partner.ts'
import { sealEntries } from '#flows/audit/seal-entries.ts'
import { recordAuditJudgement } from '#flows/audit/verify-audit.ts'
import type { Finding } from '#modules/audit/findings.ts'
import { axeViolations, openPage, PHONE_SIZE, startBrowser, test } from '#test/browser.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { assertQuiet, heading, startPages, tabTo, watch } from '#test/pages.ts'

// The audit log in the console: what is wrong with the chain, an entry, and what was typed into it, by keyboard.
const { service, ours } = await startPages({})
const browser = startBrowser()
const { database } = service
const { done, runtime } = await commandsOn(service)
const { partner } = await service.addPartner()
await done(partnerSet, partner.code, '--rate-limit', '9', '--reason', '김하나 요청')
const [set] = (await done(auditList, '--action', 'partner.set')).entries
await sealEntries({ database, keys: runtime.keys })
const admin = await service.consoleAs('admin')

const DESK = { width: 1440, height: 900 }

async function openConsole(locale: string) {
  const page = await openPage(browser, { viewport: DESK, locale })
  const kept = { domain: 'localhost', path: '/console', secure: true, httpOnly: true }
  await page.context().addCookies([...admin.cookies].map(([name, value]) => ({ name, value, ...kept })))
  return { page, watched: watch(page, ours) }
}
const visit = (page: Page, path: string) => page.goto(`${ours}/console${path}`)

async function assertFits(page: Page): Promise<void> {
  assert.deepEqual(await axeViolations(page), [])
  await page.setViewportSize(PHONE_SIZE)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  await page.setViewportSize(DESK)
}

// In the words of each language: what is wrong, and where.
const BROKEN: [Finding, ko: RegExp, en: RegExp][] = [
  [
    { kind: 'entry_edited', position: '2', entry: '7' },
    /기록이 수정되었습니다\. 2번째, 기록 7/,
    /An entry was edited\. position 2, entry 7/,
  ],
  [
    { kind: 'entry_deleted', position: '3', entry: '8' },
    /기록이 삭제되었습니다\. 3번째, 기록 8/,
    /An entry was deleted\. position 3, entry 8/,
  ],
  [
    { kind: 'chain_cut_off', position: '9', goodTo: '4', at: '2026-11-16T00:00:00Z' },
    /잘려 나갔습니다\. 9번째, 4번째까지는 이상 없음/,
    /cut off\. position 9, good up to position 4/,
  ],
]

for (const locale of ['ko-KR', 'en-US']) {
  const isKorean = locale === 'ko-KR'
  test(`${locale}: the first edited, deleted or cut-off entry is named; a whole chain says so`, async () => {
    const { page, watched } = await openConsole(locale)
    for (const [finding, ko, en] of BROKEN) {
      await recordAuditJudgement(database, '3', finding)
      await visit(page, '/audit')
      await page
        .getByRole('alert')
        .filter({ hasText: isKorean ? ko : en })
        .waitFor()
    }
    await heading(page, isKorean ? '감사 기록' : 'Audit')
    await assertFits(page)
    await recordAuditJudgement(database, '3', null)
    await visit(page, '/audit')
    await page.getByText(isKorean ? '이상 없음' : 'whole', { exact: true }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await visit(page, `/audit/${set.id}`)
    await heading(page, isKorean ? `감사 기록 ${set.id}` : `Audit entry ${set.id}`)
    await page.getByRole('cell', { name: 'rateLimit' }).waitFor()
    assert.equal(await page.getByText('김하나').count(), 0, 'what was typed is sealed')
    await assertFits(page)
    assertQuiet(watched)
    await page.context().close()
  })
}

test('by keyboard alone: what was typed is opened with a reason, and the log keeps that', async () => {
  const { page, watched } = await openConsole('ko-KR')
  await visit(page, `/audit/${set.id}`)
  await page.getByRole('button', { name: '열람하기', exact: true }).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await tabTo(page, sheet.getByLabel('사유', { exact: true }))
  await page.keyboard.type('분쟁 확인')
  await tabTo(page, sheet.getByRole('button', { name: '열람하기', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByText('김하나 요청').first().waitFor()
  const [entry] = (await done(auditList, '--action', 'audit.reveal')).entries
  assert.deepEqual([entry.details.reason, entry.actor], ['분쟁 확인', `staff:${admin.staff.email}`])
  assertQuiet(watched)
  await page.context().close()
})
