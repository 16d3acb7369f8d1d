import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test as nodeTest } from 'node:test'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findBrowser } from './find-browser.ts'
import { patiently } from './patience.ts'

// Before any test is told, since without a browser every one of the file is skipped, with the reason.
const found = await findBrowser()
if ('browser' in found) after(() => found.browser.close())

export const test: typeof nodeTest =
  'missing' in found
    ? (Object.assign((name: string) => nodeTest(name, { skip: found.missing }), nodeTest) as typeof nodeTest)
    : nodeTest

export function startBrowser(): Browser {
  return 'browser' in found ? found.browser : nothing()
}

// A file that sets something up with a browser gets through that without one: whatever is called gives the same again.
function nothing<Anything>(): Anything {
  const self: unknown = new Proxy(() => {}, {
    get: (_, name) => (name === 'then' ? undefined : self),
    apply: () => self,
  })
  return self as Anything
}

export const PHONE_SIZE = { width: 375, height: 812 }

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE_SIZE, locale: 'ko-KR', ...options })
  context.setDefaultTimeout(patiently(180_000))
  return context.newPage()
}

// Rules that are broken, and where. Given to the browser by its debugger: a page without script has no other way.
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${rules ? JSON.stringify({ runOnly: rules }) : ''})`,
  )
  return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`))
}

// A site of somebody else's: one page, whatever is asked for.
export async function servePage(body: (url: URL) => string): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html>${body(new URL(request.url ?? '/', 'http://localhost'))}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
