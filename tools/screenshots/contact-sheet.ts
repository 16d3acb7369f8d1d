import type { Browser } from 'playwright-core'

export interface Shot {
  caption: string
  width: number
  picture: Buffer
}

const SCALE = 0.5

// One picture of all the ways a page looks, side by side and small, a row of shots below the other.
export async function contactSheet(browser: Browser, title: string, rows: Shot[][]): Promise<Buffer> {
  const figures = (shots: Shot[]) =>
    shots.map(
      ({ caption, width, picture }) =>
        `<figure><img width="${width * SCALE}" src="data:image/png;base64,${picture.toString('base64')}">` +
        `<figcaption>${caption}</figcaption></figure>`,
    )
  const style = `body{margin:16px;background:#7d8590;font:12px sans-serif;width:max-content}
    div{display:flex;gap:12px;align-items:flex-start;margin-top:12px} figure{margin:0} img{display:block}`
  const page = await browser.newPage({ deviceScaleFactor: 1 })
  await page.setContent(
    `<style>${style}</style><strong>${title}</strong>${rows.map((row) => `<div>${figures(row).join('')}</div>`).join('')}`,
  )
  const sheet = await page.locator('body').screenshot()
  await page.close()
  return sheet
}
