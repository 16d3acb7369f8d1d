import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dereference, type OpenApi, operationsOf } from '#test/openapi.ts'
import { ASSET } from '#test/people.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

const service = await startService()
const { key } = await service.addPartner()
const limited = await service.addPartner({ rateLimit: 1 })
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi

const OURS = /^(?:x-request-id|www-authenticate|retry-after|ratelimit-.*|idempotency-.*)$/

// What the document says of the headers of an answer, by their names in small letters.
function documented(operationId: string, status: number): Map<string, { required?: boolean }> {
  const { operation } = operationsOf(document).find((one) => one.operation.operationId === operationId)!
  const answer = dereference(document, operation.responses[String(status)]) as {
    headers: Record<string, { required?: boolean }>
  }
  return new Map(Object.entries(answer.headers).map(([name, header]) => [name.toLowerCase(), header]))
}

const USAGE = '/v2/partner/usage?startDate=2026-1-1&endDate=2026-1-2'
const purchase = JSON.stringify({ phoneNumber: PHONE, amount: 1 })
type Ask = [
  operationId: string,
  status: number,
  method: string,
  path: string,
  headers?: object,
  body?: string,
]
const by = (own: string) => ({ authorization: `Bearer ${own}`, 'content-type': 'application/json' })
const ASKED: Ask[] = [
  ['buyGiftCard', 200, 'POST', BUY, { ...by(key), 'idempotency-key': 'a' }, purchase],
  // The same again: now a replay.
  ['buyGiftCard', 200, 'POST', BUY, { ...by(key), 'idempotency-key': 'a' }, purchase],
  ['buyGiftCard', 400, 'POST', BUY, by(key), '{}'],
  ['buyGiftCard', 401, 'POST', BUY, {}, purchase],
  ['buyGiftCard', 413, 'POST', BUY, by(key), ' '.repeat(20_000)],
  ['lookUpGiftCard', 404, 'GET', `${BUY}/1`, by(key)],
  ['usageTotals', 200, 'GET', USAGE, by(limited.key)],
  ['usageTotals', 429, 'GET', USAGE, by(limited.key)],
  ['usageTotals', 431, 'GET', USAGE, { ...by(key), 'x-long': 'a'.repeat(17_000) }],
  ['lookUpAssets', 403, 'GET', `${ASSET}?source=other&partnerKey=x`, by(key)],
]

test('an answer has the headers that the document names, and of ours no other', async () => {
  const sent = new Set<string>()
  for (const [operationId, status, method, path, headers = {}, body = null] of ASKED) {
    const answer = await fetch(service.url + path, { method, headers: { ...headers }, body })
    const label = `${operationId} ${status}`
    assert.equal(answer.status, status, label)
    const known = documented(operationId, status)
    const own = [...answer.headers.keys()].filter((name) => OURS.test(name))
    for (const name of own) assert.ok(known.has(name), `${label} sends ${name}`)
    for (const [name, { required }] of known)
      if (required) assert.ok(own.includes(name), `${label} lacks ${name}`)
    for (const name of own) sent.add(name)
  }
  assert.equal(sent.size, Object.keys(document.components.headers!).length)
})
