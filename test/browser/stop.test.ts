import assert from 'node:assert/strict'
import { newId } from '#base/ids.ts'
import { openPage, startBrowser, test } from '#test/browser.ts'
import { noticesTo, stopCodeIn } from '#test/notices.ts'
import { addHoldingMember, assertQuiet, heading, press, startPages, watch } from '#test/pages.ts'
import { until } from '#test/patience.ts'

const { service, ours } = await startPages({ environment: { INGOT_ROLES: 'api,worker' } })
const browser = startBrowser()
const partner = await service.addPartner({ name: '한빛페이' })

// What the member's phone shows: the link, opened in a browser where nobody is signed in.
async function askForWon() {
  const member = await addHoldingMember(service, partner, { KRW: 200_000n })
  const wish = { requestId: newId(), amount: 50_000, bank: '088', account: '110123456789' }
  const asked = await member.browser.post('/withdrawals', wish)
  assert.equal(asked.status, 200, asked.text)
  const { mdn } = member.person
  const code = await until(async () => stopCodeIn((await noticesTo(service, mdn))[0] ?? { body: '' }))
  return { member, code, id: asked.body.id as string, wish }
}

const WORDS = {
  ko: {
    open: '이 출금을 멈출까요?',
    stop: '출금 멈추기',
    stopped: '출금을 멈췄어요',
    unknown: '쓸 수 없는 주소예요',
    gone: '이미 취소되거나 거절된 출금이에요',
    stopOther: '다른 출금 1건 멈추기',
    lock: '계정 잠그기',
  },
  en: {
    open: 'Stop this withdrawal?',
    stop: 'Stop the withdrawal',
    stopped: 'The withdrawal is stopped',
    unknown: 'This address does not work',
    gone: 'This withdrawal was cancelled or refused',
    stopOther: 'Stop the other withdrawals (1)',
    lock: 'Lock the account',
  },
} as const

for (const language of ['ko', 'en'] as const) {
  test(`a withdrawal is looked at and stopped from the link, in ${language}`, async () => {
    const words = WORDS[language]
    const { member, code } = await askForWon()
    const page = await openPage(browser)
    const watched = watch(page, ours)
    await page.goto(`${ours}/stop?lang=${language}#${code}`)
    await heading(page, words.open)
    await page
      .getByText(language === 'ko' ? '50,000원' : '₩50,000')
      .first()
      .waitFor()
    assert.equal((await member.browser.get('/assets')).status, 200, 'a look stops nothing')
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    )
    assert.equal(overflow, false)
    await press(page, words.stop)
    await heading(page, words.stopped)
    assert.equal((await member.browser.get('/assets')).status, 401)
    await page.reload()
    await heading(page, words.stopped)
    assert.ok(
      watched.requests.every(({ url }) => !url.includes(code)),
      'the code is in no address that is asked for',
    )
    assertQuiet(watched)
    await page.close()
  })

  test(`the link of one that was taken back stops the next one, or locks the account, in ${language}`, async () => {
    const words = WORDS[language]
    for (const button of [words.stopOther, words.lock]) {
      const { member, code, id, wish } = await askForWon()
      await member.browser.post(`/withdrawals/${id}/cancel`, {})
      if (button === words.stopOther) {
        assert.equal((await member.browser.post('/withdrawals', { ...wish, requestId: newId() })).status, 200)
      }
      const page = await openPage(browser)
      const watched = watch(page, ours)
      await page.goto(`${ours}/stop?lang=${language}#${code}`)
      await heading(page, words.gone)
      await press(page, button)
      await heading(page, words.stopped)
      assert.equal((await member.browser.get('/assets')).status, 401)
      assertQuiet(watched)
      await page.close()
    }
  })

  test(`a link that is none says so, in ${language}`, async () => {
    const page = await openPage(browser)
    for (const end of ['', '#nonsense', '#00000000u00000000u00000000u00000000']) {
      await page.goto(`about:blank`)
      await page.goto(`${ours}/stop?lang=${language}${end}`)
      await heading(page, WORDS[language].unknown)
    }
    await page.close()
  })
}
