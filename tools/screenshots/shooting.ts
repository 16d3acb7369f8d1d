import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { PHONE_SIZE } from '#test/browser.ts'
import { SETTLED } from '#test/page-states.ts'
import { contactSheet, type Shot } from './contact-sheet.ts'

// How pictures are taken, of the members' pages and of the console: few for the documents, or every page in every form.
const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))
const { SCREENSHOTS_ALL, SCREENSHOTS_ONLY = '' } = process.env
export const forDocuments = SCREENSHOTS_ALL === undefined
const MOST_BYTES = 240_000 // a table on a desktop has the most
mkdirSync(SCREENSHOTS_ALL ?? FOLDER, { recursive: true })

export const LOCALES = { ko: 'ko-KR', en: 'en-US' } as const
export type Language = keyof typeof LOCALES

// For a document.
export async function shoot(page: Page, name: string, t: TestContext): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(SETTLED)
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  assert.ok(picture.length < MOST_BYTES, `${name} has ${picture.length} bytes`)
  writeFileSync(`${FOLDER}${name}.png`, picture)
  t.diagnostic(`${name}: ${Math.round(picture.length / 1_000)} kB`)
}

const WIDTHS = [360, 375, 768, 1_440]
const LARGE_TEXT = { width: 360, scheme: 'light', text: 32 } as const
const MOST_HEIGHT = 1_800

// One page as it stands, in every width, by day and by night, and with text of 200%.
async function shootVariants(page: Page, widths: readonly number[]): Promise<Shot[]> {
  const shots: Shot[] = []
  const variants = widths.flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => ({ width, scheme, text: 16 })),
  )
  const debug = await page.context().newCDPSession(page)
  for (const { width, scheme, text } of [...variants, LARGE_TEXT]) {
    await debug.send('Page.setFontSizes', { fontSizes: { standard: text } })
    await page.setViewportSize({ width, height: width < 768 ? 760 : 900 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.evaluate(SETTLED)
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    await page.setViewportSize({ width, height: Math.min(Math.max(height, 760), MOST_HEIGHT) })
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    shots.push({ caption: `${width} ${scheme}${text > 16 ? ' 200' : ''}`, width, picture })
  }
  await debug.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(PHONE_SIZE)
  return shots
}

interface Subject {
  name: string
  language: string
  reach: () => Promise<unknown>
  widths?: readonly number[]
}

const rows = new Map<string, Shot[][]>()

// Every form of a page, and a sheet that shows all of them.
export async function shootAll(
  page: Page,
  { name, language, reach, widths = WIDTHS }: Subject,
  t: TestContext,
): Promise<void> {
  if (!name.includes(SCREENSHOTS_ONLY)) return
  // A page that is not reached is told of, and the others are taken.
  const failure = await reach().then(
    () => undefined,
    (error: Error) => error,
  )
  if (failure) t.diagnostic(`${name} in ${language}: ${failure.message.split('\n')[0]}`)
  const shots = await shootVariants(page, widths)
  const [day, night] = ['light', 'dark'].map((one) => shots.filter(({ caption }) => caption.includes(one)))
  rows.set(name, [...(rows.get(name) ?? []), day!, night!])
  const folder = SCREENSHOTS_ALL!
  // With what there is so far: who stops it early has something to look at.
  const sheet = await contactSheet(page.context().browser()!, name, rows.get(name)!)
  writeFileSync(join(folder, `sheet-${fileName(name)}.png`), sheet)
  for (const { caption, picture } of shots) {
    writeFileSync(join(folder, `${fileName(name)}-${language}-${fileName(caption)}.png`), picture)
  }
}

const fileName = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
