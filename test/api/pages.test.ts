import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ensurePages } from '#app/server/web-build.ts'
import { PAGES } from '#edge/site/shell/shell.ts'
import { call, startService } from '#test/service.ts'

const service = await startService()
const KILOBYTE = 1_000

// Node's own fetch would unpack what it gets: only the raw bytes tell what was sent.
async function raw(path: string, encoding: string) {
  const { request } = await import('node:http')
  return new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    const asked = request(
      `${service.url}${path}`,
      { headers: { 'accept-encoding': encoding } },
      async (answer) => {
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part)
        resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) })
      },
    )
    asked.on('error', reject).end()
  })
}

const scriptOf = (text: string) => /<script type="module" src="([^"]+)"/.exec(text)![1]!

test('every page is the same document, under a policy that lets nothing in', async () => {
  for (const path of ['/', ...PAGES.map((page) => `/${page}`)]) {
    const { status, headers, text } = await call(service.url + path)
    assert.equal(status, 200, path)
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
    assert.deepEqual(
      ['cache-control', 'referrer-policy', 'x-content-type-options', 'x-robots-tag'].map((name) =>
        headers.get(name),
      ),
      ['no-store', 'no-referrer', 'nosniff', 'noindex'],
    )
    assert.match(
      text,
      /<html lang="ko" data-base="" data-mode="member" data-sandbox="true" data-contact="[^"]+">/,
    )
    assert.doesNotMatch(text, /<style|style="|<script(?! type="module" src="\/static\/)|https?:/)
    assert.match(text, /<noscript>.*자바스크립트.*JavaScript.*<\/noscript>/)
  }
})

test('the reader’s language', async () => {
  const english = await call(`${service.url}/login`, { headers: { 'accept-language': 'en' } })
  assert.match(english.text, /<html lang="en"/)
  assert.match((await call(`${service.url}/?lang=en`)).text, /<html lang="en"/)
})

test('files are sent packed, as each browser can read them, and kept for good', async () => {
  const { text } = await call(service.url)
  const script = scriptOf(text)
  const plain = await raw(script, 'identity')
  assert.equal(plain.encoding, undefined)
  const br = await raw(script, 'gzip, deflate, br')
  assert.equal(br.encoding, 'br')
  assert.ok(brotliDecompressSync(br.body).equals(plain.body))
  const gzip = await raw(script, 'gzip;q=1, br;q=0')
  assert.equal(gzip.encoding, 'gzip')
  assert.ok(gunzipSync(gzip.body).equals(plain.body))
  const { headers } = await call(service.url + script)
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('vary'), 'accept-encoding')
  assert.match(headers.get('content-type') ?? '', /^text\/javascript/)
})

test('before the first page is seen: one script and one sheet, under 150 kB', async () => {
  const { text } = await call(service.url)
  const files = [...text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, path]) => path!)
  const scripts = files.filter((path) => path.endsWith('.js'))
  assert.equal(scripts.length, 1)
  assert.equal(files.filter((path) => path.endsWith('.css')).length, 1)
  const { body } = await raw(scripts[0]!, 'gzip')
  assert.ok(body.length < 150 * KILOBYTE, `${body.length} bytes`)
  for (const path of files) assert.equal((await call(service.url + path)).status, 200, path)
})

test('what a page needs beyond that is asked for along with it', async () => {
  const { text } = await call(`${service.url}/trade/gold`)
  const ahead = [...text.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, path]) => path!)
  assert.ok(ahead.some((path) => /\/trade-[\w-]+\.js$/.test(path)))
  for (const path of ahead) assert.equal((await call(service.url + path)).status, 200, path)
})

test('an icon, and nothing else than what was built', async () => {
  for (const path of ['/favicon.ico', '/static/icon.svg']) {
    const { status, headers } = await call(service.url + path)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'])
  }
  for (const path of ['/static/', '/static/pages.json', '/static/..%2fpackage.json', '/static/main.js']) {
    assert.equal((await call(service.url + path)).status, 404, path)
  }
})

test('a proxy may serve us under a path of its own', async () => {
  const environment = { PUBLIC_URL: 'https://gold.example/app/' }
  const at = await startService({ beside: service, environment })
  const { text } = await call(at.url)
  assert.match(text, / data-base="\/app" /)
  assert.match(scriptOf(text), /^\/app\/static\//)
})

test('what is built already is not built again, whoever asks', async () => {
  const events: string[] = []
  const place = { dataDir: '/nowhere', onEvent: (event: string) => void events.push(event) }
  const all = await Promise.all([ensurePages(place), ensurePages(place)])
  assert.equal(new Set(all.map(({ member }) => member.script)).size, 1)
  assert.deepEqual(events, [])
})
