import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, type LaunchOptions, chromium as playwright } from 'playwright-core'
import { patiently } from './patience.ts'
import { temporaryFolder } from './process.ts'

const PACKED = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))
const PLATFORM = `${process.platform}-${process.arch}`
const BUNDLED_FOR = 'linux-x64'
// The headless shell first: without a browser's own windows it takes a third of the time for the same pages.
const OF_THE_MACHINE = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
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
  return playwright.launch({
    ...(choice === 'bundled' ? await unpack() : { executablePath: choice }),
    // Third-party cookies are blocked, as browsers do or will do: only a partitioned one passes. The flags that the
    // package proposes are for another purpose: they turn off the very borders we test.
    args: ['--test-third-party-cookie-phaseout', '--disable-gpu', '--disable-domain-reliability'],
    timeout: patiently(120_000),
  })
}

// Into a folder of this run: unpacking takes two seconds, and a shared place would belong to whoever came first
// or hold what a killed run left half written.
async function unpack(): Promise<LaunchOptions> {
  // Elsewhere the shell would take it for a script.
  if (PLATFORM !== BUNDLED_FOR) throw new Error(`the bundled browser is for ${BUNDLED_FOR}`)
  const folder = temporaryFolder()
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
      ...process.env,
      // Libraries that a bare machine lacks come along too.
      LD_LIBRARY_PATH: join(folder.path, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder.path, 'fonts.conf'),
    },
  }
}
