import assert from 'node:assert/strict'
import { openPage, servePage, startBrowser, test } from '#test/browser.ts'
import { startPages, watch } from '#test/pages.ts'
import { addLink } from '#test/web-view.ts'

const browser = startBrowser()
const { service, ours } = await startPages()

// In live a change with a cookie is refused without it. The pages tell no referrer, which hides the origin of a form.
test('our pages name their origin with every change, in a frame too', async () => {
  const shop = await servePage(
    ({ searchParams }) => `<iframe src="${searchParams.get('view') ?? ''}"></iframe>`,
  )
  const partner = await service.addPartner({ frameAncestors: [shop] })
  const link = await addLink(service, partner)
  const view = `${ours}/webview/${await link.hashKey()}`
  for (const address of [`${ours}/login`, `${shop}/?view=${encodeURIComponent(view)}`]) {
    const page = await openPage(browser)
    const watched = watch(page, ours)
    await page.goto(address)
    const place = address.startsWith(ours) ? page : page.frames().find((frame) => frame !== page.mainFrame())!
    await place.waitForURL(/\/(?:login|webview)$/)
    const prefix = address.startsWith(ours) ? '' : '/webview'
    await place.evaluate(`fetch('${prefix}/member/logout', { method: 'POST', cache: 'no-store' })`)
    const changes = watched.requests.filter(({ method }) => method === 'POST')
    assert.ok(changes.length > 0)
    for (const { headers } of changes) assert.equal((await headers).origin, ours)
  }
})
