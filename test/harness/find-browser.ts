import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { patiently } from './patience.ts'
import { unpackOnce } from './unpack-once.ts'

const PACKED = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))
const PLATFORM = `${process.platform}-${process.arch}`
const BUNDLED_FOR = 'linux-x64'
const BUNDLED = ['chromium.br', 'al2023.tar.br']
const FONTS = 'fonts.tar.br'
const FONT = 'Open Sans' // what is in it
// The headless shell first: without a browser's own windows it takes a third of the time for the same pages.
const OF_THE_MACHINE = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
// Pages have a language of their own. A machine's that is set and empty makes Chromium crash at a field for a date.
const ENGLISH = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', LANGUAGE: 'en_US' }
export const NO_BROWSER = `no browser for ${PLATFORM}: apt-get install chromium`

export type Found = { browser: Browser; choice: string } | { missing: string }

// TEST_BROWSER=bundled|none|PATH chooses. Unset: the bundled browser where it runs, else the first of the machine's that
// starts, else none. A browser that was named must start.
export async function findBrowser(chosen = process.env.TEST_BROWSER): Promise<Found> {
  if (chosen === 'none') return { missing: 'no browser: TEST_BROWSER=none' }
  if (chosen) return { browser: await launch(chosen).catch(refuse(chosen)), choice: chosen }
  for (const choice of candidates()) {
    try {
      return { browser: await launch(choice), choice }
    } catch {}
  }
  return { missing: NO_BROWSER }
}

function refuse(choice: string) {
  return (error: Error) => {
    throw new Error(`TEST_BROWSER=${choice} does not start: ${error.message.split('\n')[0]}`)
  }
}

// The package has a browser for Linux on x64 only; there is none for arm64 in npm.
function candidates(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const paths = OF_THE_MACHINE.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...(PLATFORM === BUNDLED_FOR ? ['bundled'] : []), ...paths.filter((path) => existsSync(path))]
}

async function launch(choice: string): Promise<Browser> {
  const [fonts, bundled] = await Promise.all([
    unpackOnce('fonts', (folder) => unpack(folder, FONTS)),
    choice === 'bundled' ? unpackBrowser() : undefined,
  ])
  return playwright.launch({
    executablePath: bundled?.path ?? choice,
    env: {
      ...process.env,
      ...ENGLISH,
      ...bundled?.environment,
      FONTCONFIG_FILE: writeFontSettings(fonts),
    },
    // Third-party cookies are blocked, as browsers do or will do: only a partitioned one passes. The flags that the
    // package proposes are for another purpose: they turn off the very borders we test.
    args: ['--test-third-party-cookie-phaseout', '--disable-gpu', '--disable-domain-reliability'],
    timeout: patiently(120_000),
  })
}

async function unpackBrowser() {
  // Elsewhere the shell would take it for a script.
  if (PLATFORM !== BUNDLED_FOR) throw new Error(`the bundled browser is for ${BUNDLED_FOR}`)
  const browser = await unpackOnce('browser', (folder) => unpack(folder, ...BUNDLED))
  return {
    path: join(browser, 'chromium'),
    // Libraries that a bare machine lacks come along too.
    environment: { LD_LIBRARY_PATH: join(browser, 'al2023/lib') },
  }
}

async function unpack(folder: string, ...names: string[]): Promise<void> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder // where the package unpacks to
  const parts = names.map((name) => inflate(fileURLToPath(new URL(name, PACKED))))
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(parts)
}

// Latin text in the font that comes along, so that a page is as wide on every machine. The machine's own, if it has any, are for
// Hangul.
function writeFontSettings(unpacked: string): string {
  const path = join(unpacked, `test-fonts-${process.pid}.conf`)
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', join(unpacked, 'fonts')]
  const preferred = ['sans-serif', 'system-ui', 'ui-sans-serif'].map(
    (name) =>
      `<alias binding="strong"><family>${name}</family><prefer><family>${FONT}</family></prefer></alias>`,
  )
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
    ${folders.map((dir) => `<dir>${dir}</dir>`).join('')}
    ${preferred.join('')}
    <cachedir>${join(unpacked, 'font-cache')}</cachedir></fontconfig>`,
  )
  return path
}
