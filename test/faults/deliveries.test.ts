import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { REQUEST_FAULTS } from '#providers/messaging/magic-numbers.ts'
import type { StandInRequest } from '#stand-ins/http.ts'
import { createFaults } from '#stand-ins/messaging/faults.ts'
import type { Sent } from '#stand-ins/messaging/phones.ts'
import type { Stage, StandIn } from '#stand-ins/messaging/server.ts'
import { approveTemplates, messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { patiently } from '#test/patience.ts'
import { freePort } from '#test/process.ts'
import { startService, type TestPartner, type TestService } from '#test/service.ts'

// Two workers on one database, each with another provider in front, and every fifth request goes wrong in one of the
// ways requests do. In the end every message has come to its phone, once.
const CARDS = 1_500
const BUYERS = 20
const RATE = 0.2
const CUT_RATE = 0.02
const SEED = Number(process.env.INGOT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const WITHIN_MS = patiently(300_000)

// Far enough beyond the longest a busy machine keeps a request waiting that an absence means something.
const PROVIDER_TIMEOUTS = {
  timeouts: { connectMs: 2_000, answerMs: 1_500 },
  pollAfterMs: 3_000,
  absentAfterMs: 5_000,
}

// Questions go wrong as well: their connection is cut, and with it every question that was to follow in its batch.
const isCut = createFaults({ rate: CUT_RATE, kinds: ['reset_before'], seed: SEED })
const seen = { sends: 0, questions: 0, cut: 0 }
function onRequest(stage: Stage, { method }: StandInRequest): void {
  if (stage !== 'arrived') return
  seen[method === 'GET' ? 'questions' : 'sends'] += 1
  if (method !== 'GET' || !isCut([])) return
  seen.cut += 1
  throw new Error('cut off')
}

const port = await freePort()
const standIns = await startStandIns(`http://127.0.0.1:${port}`, {
  reports: { delayMs: 700, maxPerPost: 150, twice: true, outOfOrder: true },
  solapi: { faults: { rate: RATE, kinds: REQUEST_FAULTS, seed: SEED }, onRequest },
  nhn: { faults: { rate: RATE, kinds: REQUEST_FAULTS, seed: SEED + 1 }, onRequest },
})
const both: StandIn[] = [standIns.solapi, standIns.nhn!]
const settings = { INGOT_ROLES: 'api,worker', ...messagingSettings(standIns) }
const service = await startService({
  providerTimeouts: PROVIDER_TIMEOUTS,
  environment: { ...settings, PORT: String(port) },
})
await approveTemplates(service)
await startService({
  providerTimeouts: PROVIDER_TIMEOUTS,
  environment: { ...settings, MESSAGING: 'nhn,solapi' },
  beside: service,
})

async function buyAll(partner: TestPartner): Promise<string[]> {
  const bought: string[] = []
  let serial = 0
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (serial < CARDS) {
        serial += 1
        const phoneNumber = `010-2${String(serial % 900).padStart(3, '0')}-${String(serial).padStart(4, '0')}`
        const answer = await partner.buy({ phoneNumber, amount: 1_000 + serial })
        assert.equal(answer.status, 200, answer.text)
        bought.push(answer.body.data.giftId)
      }
    }),
  )
  return bought
}

async function waitSettled({ database }: TestService): Promise<void> {
  const began = performance.now()
  for (;;) {
    const { rows } = await database.pool.query(
      `select status, count(*)::int from delivery where settled_at is null group by status`,
    )
    if (rows.length === 0) return
    assert.ok(performance.now() - began < WITHIN_MS, `not settled: ${JSON.stringify(rows)}`)
    await sleep(100)
  }
}

interface Row {
  key: string
  status: string
  attempt: number
  provider: string
  message_id: string
  history: string[]
}

async function readAll({ database }: TestService): Promise<Map<string, Row>> {
  const { rows } = await database.pool.query<Row>(
    `select concat_ws('.', d.card_id, d.channel, d.purpose, d.ordinal) as key, d.status, d.attempt, d.provider,
            d.message_id, array(select concat_ws(' ', e.attempt, e.status, e.reason) from delivery_event e
                                 where e.delivery_id = d.id order by e.id) as history
       from delivery d`,
  )
  return new Map(rows.map((row) => [row.key, row]))
}

// What the books say of a message is what came to its phone, and its history leads there.
function assertAgrees(row: Row, sent: readonly { provider: string; sent: Sent }[]): void {
  const said = JSON.stringify(row)
  assert.equal(row.status, 'delivered', said)
  assert.equal(sent.length, 1, `a phone was reached ${sent.length} times: ${said}`)
  const { provider, sent: one } = sent[0]!
  assert.deepEqual([row.provider, row.message_id, row.attempt], [provider, one.messageId, one.attempt], said)
  assert.equal(row.history.at(-1), `${row.attempt} delivered`, said)
  const marks = row.history.map((event) => event.split(' '))
  assert.equal(marks.filter(([, status]) => status === 'delivered').length, 1, said)
  // Each attempt but the last ended in going back to the queue, certain that it had not been taken.
  for (let attempt = 1; attempt < row.attempt; attempt += 1) {
    const last = marks.findLast(([n]) => Number(n) === attempt)
    assert.equal(last?.[1], 'queued', said)
    assert.match(last?.[2] ?? '', /^(absent|rate_limited|unreachable|circuit_open)$/, said)
  }
}

test(`${CARDS * 2} messages with ${RATE * 100}% faults: none lost, none twice`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const partner = await service.addPartner({ name: '한빛페이' })
  const began = performance.now()
  const bought = await buyAll(partner)
  t.diagnostic(`${bought.length} cards bought in ${Math.round(performance.now() - began)} ms`)
  await waitSettled(service)
  t.diagnostic(`all settled after ${Math.round(performance.now() - began)} ms`)
  // What the stand-ins have still to say, again and out of order, must change nothing.
  for (const standIn of both) await standIn.reports.idle()

  const rows = await readAll(service)
  assert.equal(rows.size, CARDS * 2)
  const [solapi, nhn] = both.map(({ phones }) => phones)
  for (const giftId of bought) {
    for (const channel of ['alimtalk', 'text']) {
      const key = `${giftId}.${channel}.gift.0`
      const sent = [
        ...solapi!.byKey(key).map((one) => ({ provider: 'solapi', sent: one })),
        ...nhn!.byKey(key).map((one) => ({ provider: 'nhn', sent: one })),
      ]
      assertAgrees(rows.get(key)!, sent)
    }
  }
  assert.equal(solapi!.all.length + nhn!.all.length, CARDS * 2)
  report(t, rows)
})

function report(t: { diagnostic(text: string): void }, rows: Map<string, Row>): void {
  const tries = new Map<number, number>()
  for (const { attempt } of rows.values()) tries.set(attempt, (tries.get(attempt) ?? 0) + 1)
  const doubts = [...rows.values()].filter(({ history }) => history.some((e) => / unknown /.test(e))).length
  const faults = both.reduce((sum, { counts }) => sum + counts.faults, 0)
  t.diagnostic(
    `${seen.sends} requests to send (${faults} went wrong), ${seen.questions} questions (${seen.cut} cut off), ` +
      `${doubts} messages once in doubt, tries: ${JSON.stringify([...tries].sort())}`,
  )
  const isBad = seen.sends > CARDS / 5 && seen.questions > CARDS / 100 && doubts > CARDS / 50
  assert.ok(isBad, 'there were faults to survive')
}
