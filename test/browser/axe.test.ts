import assert from 'node:assert/strict'
import { axeViolations, openPage, startBrowser, test } from '#test/browser.ts'

// What the checks of all pages rest on: rows of the same markup are looked at twice, every other one is found.
const browser = startBrowser()

const row = (text: string, style = '') => `<tr><td><a href="/${text}"${style}>${text}</a></td></tr>`
const many = (first: number) => Array.from({ length: 30 }, (_, i) => row(`row ${first + i}`))
const document = (rows: string[], { title = '<h1>Rows</h1>', style = '' } = {}) =>
  `<!doctype html><html lang="en"><head><title>Rows</title><style>${style}</style></head><body><main>${title}
     <table><thead><tr><th>Name</th></tr></thead><tbody>${rows.join('')}</tbody></table></main></body></html>`

test('one row among many that looks different, has no name or is every other one is found', async () => {
  const page = await openPage(browser)
  const found = async (html: string) => {
    await page.setContent(html)
    return axeViolations(page)
  }
  const pale = ' style="color: #eee"'
  assert.deepEqual(await found(document([...many(0), ...many(30)])), [])
  assert.deepEqual(await found(document([...many(0), row('pale', pale), ...many(30)])), [
    'color-contrast: <a href="/pale" style="color: #eee">pale</a>',
  ])
  assert.deepEqual(await found(document([...many(0), row(''), ...many(30)])), ['link-name: <a href="/"></a>'])
  assert.deepEqual(await found(document(many(0), { style: 'tr:nth-child(even) a { color: #eee }' })), [
    'color-contrast: <a href="/row 1">row 1</a>',
  ])
  assert.deepEqual(await found(document(many(0), { title: '' })), ['page-has-heading-one: <html lang="en">'])
})
