import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newPin } from '#modules/gift-cards/pin.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { applicantOf, persona } from '#test/identity.ts'
import { install } from '#test/installed-folder.ts'
import { AGREED, Browser } from '#test/member.ts'
import { freePort, ingot, startServer, temporaryFolder } from '#test/process.ts'
import type { Answer } from '#test/service.ts'

// Members' acts under a kill are in prove/prove.test.ts.
const folder = temporaryFolder()
const settings = {
  DATA_DIR: join(folder.path, 'data'),
  LOG_LEVEL: 'warn',
  INGOT_ROLES: 'api',
  TRUSTED_PROXIES: '127.0.0.1',
  PORT: String(await freePort()),
}
test.after(() => folder.remove())
install(settings.DATA_DIR)

// A visitor on the way to an account takes one step a round, under a kill. A step without an answer is done
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

test('kill -9 at each step of an onboarding: the card is in hand all the way', async () => {
  let server = await startServer(settings)
  const visitor = new Browser(server.url)
  for (const round of STEPS.keys()) {
    const step = STEPS[round]!(visitor).catch(() => undefined)
    await sleep(Math.random() * 150)
    server.child.kill('SIGKILL')
    assert.equal(await server.ended, 'SIGKILL')
    server = await startServer(settings)
    await takeNextStep(visitor, round, await step)
  }
  const checked = await ingot(settings, 'verify', '--json')
  assert.equal(checked.code, 0, checked.stdout)
  assert.equal(await server.kill('SIGTERM'), 0)
})
