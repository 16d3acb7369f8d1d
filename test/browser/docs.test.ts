import assert from 'node:assert/strict'
import { openPage, startBrowser, test } from '#test/browser.ts'
import { startPages, watch } from '#test/pages.ts'
import { BUY } from '#test/service.ts'

const browser = startBrowser()
const { service, ours } = await startPages()
const { key } = await service.addPartner()

test('the reference renders and try-it buys a card, with no inline script or style let through', async () => {
  const page = await openPage(browser, { viewport: { width: 1_280, height: 900 }, locale: 'en-US' })
  const watched = watch(page, ours)
  const answer = await page.goto(`${ours}/docs`)
  const policy = answer?.headers()['content-security-policy'] ?? ''
  assert.match(policy, /script-src 'nonce-[\w+/=-]{20,}'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  // Operations are drawn as they come into view.
  await page.getByRole('link', { name: 'Buy a gift card' }).first().click()
  await page.getByRole('heading', { name: 'Buy a gift card' }).first().waitFor()
  // Schemas are shown by name, and an answer with the code that it carries.
  await page.getByRole('link', { name: 'PurchaseRequest', exact: true }).first().waitFor()
  await page.getByRole('tab', { name: /402/ }).first().click()
  await page.getByText('"credit_limit_exceeded"').first().waitFor()
  await page.getByPlaceholder('Token').first().fill(key)
  await page.getByRole('button', { name: /Test Request.*giftcard\/buy\)/ }).click()
  const answered = page.waitForResponse((response) => response.url() === `${ours}${BUY}`)
  await page.getByRole('button', { name: /^Send post request/ }).click()
  const bought = await answered
  assert.equal(bought.status(), 200, await bought.text())
  // Once more is another card: nothing is sent that would make it a replay.
  assert.equal(bought.request().headers()['idempotency-key'], undefined)
  const next = page.waitForResponse((response) => response.url() === `${ours}${BUY}`)
  await page.getByRole('button', { name: /^Send post request/ }).click()
  assert.notEqual((await (await next).json()).data.giftId, (await bought.json()).data.giftId)
  await page.getByText('"giftId"').last().waitFor()
  assert.deepEqual(
    [watched.complaints.filter((text) => !/^@scalar\//.test(text)), watched.strangers],
    [[], []],
  )
})
