import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newPin } from '#modules/gift-cards/pin.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { applicantOf, persona } from '#test/identity.ts'
import { AGREED, Browser, newPerson, PASSWORD, verify } from '#test/member.ts'
import { until } from '#test/patience.ts'
import { freePort, ingot, type ServerProcess, startServer, temporaryFolder } from '#test/process.ts'
import { type Answer, BUY, call } from '#test/service.ts'

// Members who register cards and buy gold while the server is killed under them. Each writes down what it asked for and what
// it was told; afterwards everything that was acknowledged is there once, and what is unknown resolves one way.
const ROUNDS = 4
const MEMBERS = 8
const CARDS = 40 // of each: more than a round can use up

const folder = temporaryFolder()
const settings = {
  DATA_DIR: join(folder.path, 'data'),
  LOG_LEVEL: 'warn',
  INGOT_ROLES: 'api,worker',
  TRUSTED_PROXIES: '127.0.0.1',
  PORT: String(await freePort()),
}
test.after(() => folder.remove())

type Wish =
  | { kind: 'redeem'; pin: string; amount: number; done: boolean }
  | { kind: 'order'; quoteId: string; orderId?: string; fromPoints?: number }

interface Member {
  browser: Browser
  pins: { pin: string; amount: number }[]
  wishes: Wish[]
}

async function addMember(url: string, i: number): Promise<Member> {
  const browser = new Browser(url)
  const verificationId = await verify(browser, 'sign_up', newPerson())
  const body = { verificationId, loginId: `member-${i}`, password: PASSWORD, agreed: AGREED }
  const joined = await browser.post('/signup', body)
  assert.equal(joined.status, 200, joined.text)
  return { browser, pins: [], wishes: [] }
}

async function giveCards(url: string, key: string, member: Member, i: number): Promise<void> {
  const to = `010700000${String(i).padStart(2, '0')}`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const amounts = Array.from({ length: CARDS }, (_, n) => 10_000 + n)
  await Promise.all(
    amounts.map((amount) =>
      call(`${url}${BUY}`, { method: 'POST', headers, body: JSON.stringify({ phoneNumber: to, amount }) }),
    ),
  )
  const found = new Map<string, number>()
  for (let tries = 0; found.size < CARDS; tries += 1) {
    assert.ok(tries < 100, `${found.size} messages arrived`)
    for (const { body } of (await call(`${url}/dev/inbox.json?to=${to}`)).body) {
      const pin = /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/.exec(body)
      const won = /₩?(10,0\d\d)/.exec(body)
      if (pin && won) found.set(pin[0], Number(won[1]!.replace(',', '')))
    }
    await sleep(100)
  }
  member.pins = [...found].map(([pin, amount]) => ({ pin, amount }))
}

// A session that asks too often waits, as its pages would.
async function send(member: Member, wish: Wish): Promise<Answer | undefined> {
  for (;;) {
    const answer = await (wish.kind === 'redeem'
      ? member.browser.post('/cards/redeem', { pin: wish.pin })
      : member.browser.post('/orders', { quoteId: wish.quoteId })
    ).catch(() => undefined)
    if (answer?.status !== 429) return answer
    await sleep(200)
  }
}

function note(wish: Wish, answer: Answer): void {
  if (wish.kind === 'redeem') {
    assert.equal(answer.body.amount, wish.amount)
    if (wish.done) assert.equal(answer.body.again, true, 'an acknowledged card is not credited again')
    wish.done = true
    return
  }
  const { orderId, fromPoints } = answer.body
  if (wish.orderId) assert.equal(orderId, wish.orderId, 'an acknowledged order is answered with itself')
  Object.assign(wish, { orderId, fromPoints })
}

async function actUntilItFalls(server: ServerProcess, member: Member): Promise<void> {
  let alive = true
  void server.ended.then(() => {
    alive = false
  })
  while (alive) {
    const card = member.pins.pop()
    const wishes: Wish[] = card ? [{ kind: 'redeem', ...card, done: false }] : []
    const body = { side: 'buy', metal: 'gold', won: 3_000 }
    const quote = await member.browser.post('/quotes', body).catch(() => undefined)
    if (quote?.status === 200) wishes.push({ kind: 'order', quoteId: quote.body.quoteId })
    for (const wish of wishes) {
      member.wishes.push(wish)
      const answer = await send(member, wish)
      if (answer?.status === 200) note(wish, answer)
      // Alive, it says yes, not now, or that there is too little.
      else if (answer) assert.ok([409, 503].includes(answer.status), answer.text)
    }
  }
}

// What was unknown is asked for once more, and what was known again.
async function settle(member: Member): Promise<void> {
  for (const wish of member.wishes) {
    const answer = await send(member, wish)
    const known = wish.kind === 'redeem' || wish.orderId !== undefined
    if (answer?.status === 200) note(wish, answer)
    else assert.ok(!known && answer?.status === 409, answer?.text ?? 'no answer')
  }
}

// A visitor on the way to an account takes one step a round, under the same kill. A step without an answer is done
// again, and nothing is lost of what was brought along.
const pin = newPin().reveal()
const STEPS: ((visitor: Browser) => Promise<Answer>)[] = [
  (visitor) => visitor.put('/onboarding', { pin }),
  (visitor) =>
    visitor.post('/onboarding/identity', { purpose: 'sign_up', ...applicantOf(persona('이두리')) }),
  (visitor) => visitor.post('/onboarding/identity/confirm', { code: SIMULATED_CODE }),
  (visitor) => visitor.post('/signup', { agreed: AGREED }),
]

async function takeNextStep(visitor: Browser, round: number, answer: Answer | undefined): Promise<void> {
  // Signed up, and the answer was lost: the verification is used, and the person is told so.
  const again = answer ?? (await STEPS[round]!(visitor))
  assert.ok(again.status === 200 || (round === 3 && again.body.code === 'identity_failed'), again.text)
  const { card } = (await visitor.get('/onboarding')).body
  assert.equal(card.pin.slice(-4), pin.slice(-4), `the card is in hand after step ${round + 1}`)
}

async function assertPoints(member: Member): Promise<void> {
  const points = member.wishes.reduce((sum, wish) => {
    if (wish.kind === 'redeem') return sum + (wish.done ? wish.amount : 0)
    return sum - (wish.fromPoints ?? 0)
  }, 0)
  assert.equal((await member.browser.get('/assets')).body.points, points)
}

const ordersOf = (members: readonly Member[]) =>
  members
    .flatMap(({ wishes }) => wishes)
    .filter((wish) => wish.kind === 'order' && wish.orderId !== undefined)

test(`${ROUNDS} rounds of kill -9 under members lose and double nothing`, async (t) => {
  let server = await startServer(settings)
  const issued = await ingot(settings, 'key', 'issue', 'hanbit-pay', '--json')
  const { key } = JSON.parse(issued.stdout)
  const members: Member[] = []
  for (let i = 0; i < MEMBERS; i += 1) {
    const member = await addMember(server.url, i)
    await giveCards(server.url, key, member, i)
    members.push(member)
  }
  const visitor = new Browser(server.url)
  for (let round = 0; round < ROUNDS; round += 1) {
    const load = Promise.all(members.map((member) => actUntilItFalls(server, member)))
    const before = ordersOf(members).length
    await until(() => ordersOf(members).length > before + 5, 'orders go on')
    const step = STEPS[round]!(visitor).catch(() => undefined)
    await sleep(Math.random() * 150)
    server.child.kill('SIGKILL')
    await load
    assert.equal(await server.ended, 'SIGKILL')
    server = await startServer({ ...settings, INGOT_PROCESSES: '' })
    await takeNextStep(visitor, round, await step)
    for (const member of members) await settle(member)
    for (const member of members) await assertPoints(member)
  }
  const wishes = members.flatMap((member) => member.wishes)
  assert.ok(ordersOf(members).length > 20 && wishes.some((wish) => wish.kind === 'redeem'))
  const checked = await ingot(settings, 'verify', '--json')
  assert.equal(checked.code, 0, checked.stdout)
  t.diagnostic(`${wishes.length} redemptions and orders across ${ROUNDS} kills`)
  assert.equal(await server.kill('SIGTERM'), 0)
})
