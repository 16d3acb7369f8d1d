import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core'
import { temporaryFolder } from './process.ts'

const PACKED = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))

// A real browser. It comes with the install, packed, for Linux on x64 only; elsewhere the machine's own is used.
// The flags that its package proposes are for another purpose: they turn off the very borders we test.
export async function startBrowser(): Promise<Browser> {
  const bundled = process.platform === 'linux' && process.arch === 'x64'
  const browser = await playwright.launch({
    ...(bundled ? await unpack() : ownBrowser()),
    // Third-party cookies are blocked, as browsers do or will do: only a partitioned one passes.
    args: ['--test-third-party-cookie-phaseout', '--disable-gpu'],
  })
  after(() => browser.close())
  return browser
}

// Into a folder of this run: unpacking takes two seconds, and a shared place would belong to whoever came first
// or hold what a killed run left half written.
async function unpack(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const folder = temporaryFolder()
  after(() => folder.remove())
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder.path // where the package unpacks to
  const parts = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) =>
    inflate(fileURLToPath(new URL(name, PACKED))),
  )
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(parts)
  // The machine's fonts, if it has any, and one that comes along.
  const fonts = ['/usr/share/fonts', '/usr/local/share/fonts', join(folder.path, 'fonts')]
  writeFileSync(
    join(folder.path, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${fonts
      .map((dir) => `<dir>${dir}</dir>`)
      .join('')}<cachedir>${join(folder.path, 'font-cache')}</cachedir></fontconfig>`,
  )
  return {
    executablePath: join(folder.path, 'chromium'),
    env: {
      ...(process.env as Record<string, string>),
      // Libraries that a bare machine lacks come along too.
      LD_LIBRARY_PATH: join(folder.path, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder.path, 'fonts.conf'),
    },
  }
}

function ownBrowser(): { executablePath: string } | { channel: string } {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim()
    if (found) return { executablePath: found }
  }
  return { channel: 'chrome' }
}

const PATIENCE_MS = 20_000
export const PHONE_SIZE = { width: 375, height: 812 }

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE_SIZE, locale: 'ko-KR', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}

// Rules that are broken, and where. Given to the browser by its debugger: a page without script has no other way.
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
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
