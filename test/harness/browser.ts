import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test as nodeTest } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { atEnd } from './at-end.ts'
import { findBrowser } from './find-browser.ts'
import { patiently } from './patience.ts'

// Before any test is told, since without a browser every one of the file is skipped, with the reason.
const found = await findBrowser()
if ('browser' in found) atEnd(() => found.browser.close())

export const test: typeof nodeTest =
  'missing' in found
    ? (Object.assign((name: string) => nodeTest(name, { skip: found.missing }), nodeTest) as typeof nodeTest)
    : nodeTest

// The files of a process share it. What a file opened is closed with the file.
export function startBrowser(): Browser {
  if (!('browser' in found)) return nothing()
  after(() => Promise.all(found.browser.contexts().map((context) => context.close())))
  return found.browser
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

// Without motion: each frame of a sheet that slides is drawn by the processor.
const USUAL = { viewport: PHONE_SIZE, locale: 'ko-KR', reducedMotion: 'reduce' } as const

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...USUAL, ...options })
  context.setDefaultTimeout(patiently(180_000))
  return context.newPage()
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

// Rows and list items of the same markup as two before them, whatever their words: axe would say the same of each. Two,
// as every other one may look different. They are empty while axe runs, since it examines what is excluded too.
const REPEATED = `(() => {
  const seen = new Map()
  const hasTwoBefore = (one) => {
    const markup = one.outerHTML
      .replace(/(\\s(?:id|href|for|name|value|title|datetime|aria-(?:label|labelledby|describedby|controls)|data-[\\w-]+)=")[^"]+/g, '$1')
      .replace(/>[^<]*[^<\\s][^<]*</g, '>text<')
    const counts = seen.get(one.parentElement) ?? new Map()
    seen.set(one.parentElement, counts.set(markup, (counts.get(markup) ?? 0) + 1))
    return counts.get(markup) > 2
  }
  return [...document.querySelectorAll('tbody tr, li')].filter(hasTwoBefore)
})()`

// Rules that are broken, and where. Given to the browser by its debugger: a page without script has no other way. All
// rules are checked; what is in order is not described, since that takes longer than the check.
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await giveAxe(page)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const violations = await page.evaluate<AxeResults['violations']>(`(async () => {
    const repeated = ${REPEATED}
    const contents = repeated.map((one) => [one, [...one.childNodes]])
    for (const [one] of contents) one.replaceChildren()
    try {
      return (await axe.run({ exclude: repeated }, ${JSON.stringify(options)})).violations
    } finally {
      for (const [one, nodes] of contents) one.replaceChildren(...nodes)
    }
  })()`)
  return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`))
}

// Not by page.evaluate(), which wraps it: as it is, the browser compiles it once for all documents of a process. The
// session ends with its page: one that is detached takes the page's virtual authenticators along.
const debuggers = new WeakMap<Page, CDPSession>()

async function giveAxe(page: Page): Promise<void> {
  const debug = debuggers.get(page) ?? (await page.context().newCDPSession(page))
  debuggers.set(page, debug)
  await debug.send('Runtime.evaluate', { expression: `${AXE}\n0` })
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
