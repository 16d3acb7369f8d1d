import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { seedDemoStaff } from '#flows/staff/demo-staff.ts'
import { Browser } from '#test/http-browser.ts'
import { startService } from '#test/service.ts'

const service = await startService()
const { database, url } = service

// A browser on this machine, with no proxy between.
function direct(): Browser {
  const browser = new Browser(url, '/console/api')
  delete browser.headers['x-forwarded-for']
  return browser
}

// Another site's name that leads to this machine: fetch() would not let us say so.
async function statusUnder(host: string, path: string): Promise<number | undefined> {
  const asked = request(url + path, { method: 'POST', headers: { host } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('the demo operator comes in with one click, from this machine only', async () => {
  const near = direct()
  assert.equal((await near.get('/sign-in')).body.demo, false, 'there is none yet')
  assert.equal((await near.post('/sign-in/demo')).status, 404)
  await seedDemoStaff(database, 'demo')
  assert.equal((await near.get('/sign-in')).body.demo, true)
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'cf-connecting-ip']) {
    const far = direct()
    far.headers[header] = '203.0.113.9'
    assert.equal((await far.get('/sign-in')).body.demo, false, header)
    assert.equal((await far.post('/sign-in/demo')).status, 404, header)
  }
  assert.equal(await statusUnder('console.ingot.example', '/console/api/sign-in/demo'), 404)
  const opened = await near.post('/sign-in/demo')
  assert.equal(opened.status, 200, opened.text)
  assert.deepEqual(
    [opened.body.staff.role, opened.body.fresh, opened.body.singlePerson],
    ['admin', true, true],
  )
  assert.match(
    opened.headers.getSetCookie().join(),
    /^ingot_console=[\w-]{43}; Path=\/console; HttpOnly; Secure; SameSite=Strict$/,
  )
  const before = near.cookies.get('ingot_console')
  assert.equal((await near.post('/session/proof/demo')).status, 200)
  assert.notEqual(near.cookies.get('ingot_console'), before, 'a proof changes the cookie')
  const stolen = direct()
  stolen.cookies.set('ingot_console', before!)
  assert.equal((await stolen.get('/session')).body.signedIn, false, 'the cookie of before opens nothing')
})

test('signing out ends the session and takes the cookie away', async () => {
  const browser = await service.consoleAs('support')
  const cookie = browser.cookies.get('ingot_console')!
  assert.equal((await browser.get('/session')).body.staff.role, 'support')
  assert.equal((await browser.post('/sign-out')).status, 204)
  assert.equal(browser.cookies.has('ingot_console'), false)
  browser.cookies.set('ingot_console', cookie)
  assert.equal((await browser.get('/session')).body.signedIn, false)
  assert.equal((await browser.get('/roles')).status, 401)
})

test('a proof of the demo operator is for the demo operator', async () => {
  const browser = await service.consoleAs('admin')
  delete browser.headers['x-forwarded-for']
  assert.equal((await browser.post('/session/proof/demo')).status, 404)
})
