import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { LIVE_MESSAGING } from '#test/deliveries.ts'
import { addMember, Browser } from '#test/member.ts'
import { dereference, type OpenApi, operationsOf } from '#test/openapi.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { call, PHONE, startService } from '#test/service.ts'
import { addLink } from '#test/web-view.ts'

// A member sent twice is read in two ways by two readers: refused wherever JSON is taken.
const service = await startService({
  environment: { ...LIVE_MESSAGING, PUBLIC_URL: 'http://127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' },
})
const { url } = service
const partner = await service.addPartner()
const member = (await addMember(service)).browser
const webView = new Browser(url, '/webview/member')
await webView.enter(await (await addLink(service, partner)).hashKey())

async function bodied(document: string): Promise<[method: string, path: string, member: string][]> {
  const { body } = await call(`${url}${document}`)
  return operationsOf(dereference<OpenApi>(body, body)).flatMap(({ method, path, operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    const given = path.replaceAll(/\{\w+\}/g, '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10')
    return schema ? [[method.toUpperCase(), given, schema.required?.[0] ?? 'x']] : []
  })
}

const headersOf = (path: string) => {
  const { cookies, headers } = path.startsWith('/webview') ? webView : member
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return path.startsWith('/v') ? { authorization: `Bearer ${partner.key}` } : { ...headers, cookie }
}

const ask = (method: string, path: string, body: string) =>
  call(`${url}${path}`, {
    method,
    headers: { ...headersOf(path), accept: 'application/problem+json', 'content-type': 'application/json' },
    body,
  })

const routes = [...(await bodied('/openapi.json')), ...(await bodied('/member/openapi.json'))]
const both = routes.flatMap(([method, path, name]) =>
  path.startsWith('/member')
    ? [
        [method, path, name],
        [method, `/webview${path}`, name],
      ]
    : [[method, path, name]],
) as typeof routes
// Not in the web view: not found before its body counts.
const MEMBERS_ONLY = /^\/webview\/member\/(?!identity|cards|links|quotes|orders)/

for (const [method, path, name] of both.filter(([, one]) => !MEMBERS_ONLY.test(one))) {
  test(`400 for a member sent twice: ${method} ${path}`, async () => {
    for (const again of [name, `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`]) {
      const { status, body } = await ask(method, path, `{"${name}":"x","${again}":"x"}`)
      const details = body.errors?.map(({ detail }: { detail: string }) => detail)
      assert.deepEqual([status, details], [400, ['must not name a member twice']])
    }
  })
}

test('nothing is done; a name that is written twice in different objects is no repetition', async () => {
  const amount = 4_321
  assert.equal((await partner.buy(`{"phoneNumber":"${PHONE}","amount":1,"amount":${amount}}`)).status, 400)
  assert.equal((await partner.buy(`{"phoneNumber":"${PHONE}","amount":1,"x":{"y":1,"y":1}}`)).status, 400)
  const usage = await partner.get('/v2/partner/usage?startDate=2020-1-1&endDate=2029-12-31')
  assert.equal(usage.body.totalIssued, 0)
  const nested = `{"phoneNumber":"${PHONE}","amount":${amount},"x":{"amount":1},"__proto__":{"amount":1},"constructor":1}`
  assert.equal((await partner.buy(nested)).status, 200)
  assert.equal((await partner.buy(`\ufeff{"phoneNumber":"${PHONE}","amount":1}`)).status, 200)
  assert.equal(
    (await partner.buy(`{"phoneNumber":"${PHONE}","amount":1,"__proto__":1,"__proto__":2}`)).status,
    400,
  )
  const terms = ['a', 'b'].map((termsId) => ({ termsId, agreeYn: 'Y' }))
  const signup = signupOf(partner.partner.code, 'member', { termsList: terms })
  assert.equal((await partner.post(SIGNUP, signup)).status, 200)
})

test('400 for a member sent twice by a provider', async () => {
  const secret = createHash('sha1').update(LIVE_MESSAGING.SOLAPI_WEBHOOK_SECRET).digest('hex')
  const post = (body: string) =>
    call(`${url}/hooks/solapi`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-solapi-secret': secret,
        'x-solapi-event-name': 'SINGLE-REPORT',
      },
      body,
    })
  assert.equal((await post('[]')).status, 200)
  assert.equal((await post('[{"statusCode":"4000","statusCode":"3104"}]')).status, 400)
})
