import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { MAGIC_NUMBERS, REQUEST_FAULTS } from '#providers/messaging/magic-numbers.ts'
import { createSimulated } from '#providers/messaging/simulated.ts'
import { eucKrBytes } from '#stand-ins/messaging/euc-kr.ts'
import { alimtalk, ask, brief, createWatch, magic, startSolapi, TEMPLATES, text } from '#test/messaging.ts'

// The simulated provider: what each number does to a first attempt, then what asking finds when its time has come.
const numbers: [string, string, string, string][] = [
  ['1234', 'accepted', 'delivered', 'delivered'],
  ['3104', 'accepted', 'failed not_a_messenger_user', 'delivered'],
  ['3107', 'accepted', 'failed blocked_by_recipient', 'delivered'],
  ['3032', 'accepted', 'failed bad_number', 'failed bad_number'],
  ['3043', 'accepted', 'failed phone_unreachable retryable', 'failed phone_unreachable retryable'],
  ['3054', 'accepted', 'delivered', 'failed filtered_as_spam'],
  ['1030', 'refused no_balance retryable', 'absent', 'absent'],
  ['4000', 'accepted', 'delivered', 'delivered'],
  ['4290', 'refused rate_limited retryable', 'absent', 'absent'],
  ['5000', 'unknown server_error', 'absent', 'absent'],
  ['5001', 'unknown server_error', 'delivered', 'delivered'],
  ['5002', 'unknown connection_lost', 'absent', 'absent'],
  ['5003', 'unknown connection_lost', 'delivered', 'delivered'],
  ['5004', 'unknown timeout', 'delivered', 'delivered'],
  ['5005', 'accepted', 'delivered', 'delivered'],
]
for (const [digits, sending, asAlimtalk, asText] of numbers) {
  test(`simulated 010-0000-${digits}: ${sending}, then ${asAlimtalk} and ${asText}`, async () => {
    const provider = createSimulated({ watch: createWatch(), slowMs: 5 })
    const batch = [alimtalk('a', magic(digits)), text('t', magic(digits))]
    assert.deepEqual((await provider.send([batch[0]!])).map(brief), [sending])
    const sentAt = Temporal.Now.instant().subtract({ seconds: 1 })
    const found = await provider.find(batch.map((message) => ({ ...ask(message), sentAt })))
    assert.deepEqual(found.map(brief), [asAlimtalk, asText])
    const second = batch.map((message) => ({ ...message, attempt: 2 }))
    assert.deepEqual((await provider.send(second)).map(brief), ['accepted', 'accepted'])
  })
}

test('simulated: under way for a second, and every number is told of', async () => {
  const provider = createSimulated({ watch: createWatch() })
  assert.deepEqual((await provider.find([ask(text('k'))])).map(brief), ['accepted'])
  assert.ok(provider.isAvailable('text') && provider.hook === undefined && provider.pollAfterMs === 1_000)
  assert.deepEqual(
    Object.keys(MAGIC_NUMBERS).sort(),
    numbers
      .map(([digits]) => digits)
      .filter((digits) => digits !== '1234')
      .sort(),
  )
  for (const { does } of Object.values(MAGIC_NUMBERS)) assert.match(does.en + does.ko, /\..*\.$/)
  await provider.close()
})

test('the carriers count two bytes for what is not ASCII, and know no emoji', () => {
  assert.equal(eucKrBytes('abc\n'), 4)
  assert.equal(eucKrBytes('금 1돈'), 6)
  assert.equal(eucKrBytes('㈜※·…'), 8)
  assert.equal(eucKrBytes('🎁'), undefined)
  assert.equal(eucKrBytes('똠'), undefined, 'the code has 2,350 syllables, and not this one')
})

test('a test can stop the stand-in at each step', async () => {
  const steps: string[] = []
  const barrier = Promise.withResolvers<void>()
  await using solapi = await startSolapi({
    async onRequest(stage) {
      steps.push(stage)
      if (stage === 'recorded') await barrier.promise
    },
  })
  const sending = solapi.provider.send([text('k')])
  while (!steps.includes('recorded')) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(solapi.standIn.phones.reached('k'), 1)
  assert.deepEqual(steps, ['arrived', 'recorded'])
  barrier.resolve()
  assert.deepEqual((await sending).map(brief), ['accepted'])
  assert.deepEqual(steps, ['arrived', 'recorded', 'answered'])
})

test('faults by chance are the same for the same seed, and what is in doubt can be found out', async () => {
  const run = async () => {
    const kinds = REQUEST_FAULTS.filter((fault) => fault !== 'timeout_after')
    await using solapi = await startSolapi({ faults: { rate: 0.5, kinds, seed: 7 }, slowMs: 1 })
    const outcomes: string[] = []
    for (let index = 0; index < 60; index++) {
      const message = text(`k${index}`)
      const [word] = await solapi.provider.send([message])
      const [found] = await solapi.provider.find([ask(message, word)])
      outcomes.push(`${brief(word)}, ${brief(found)}`)
      assert.equal(found!.kind, solapi.standIn.phones.reached(message.key) === 1 ? 'delivered' : 'absent')
    }
    return outcomes
  }
  const outcomes = await run()
  assert.deepEqual(await run(), outcomes)
  assert.ok(new Set(outcomes).size >= 5)
})

test('as a process of its own it takes thousands of messages a second', async (t) => {
  const settings = {
    provider: 'solapi',
    apiKey: 'NCSAYU7YDBXYORXC',
    apiSecret: 'solapi secret',
    senders: ['0212345678'],
    channelId: 'KA01PF',
    templates: TEMPLATES,
    forgetTexts: true,
  }
  const main = new URL('../stand-ins/messaging/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  await using solapi = await startSolapi({}, { url: `http://127.0.0.1:${String(line).trim()}`, timeouts: {} })
  const rounds = Array.from({ length: 20 }, (_, round) =>
    solapi.provider.send(Array.from({ length: 250 }, (_, index) => alimtalk(`${round}-${index}`))),
  )
  const words = (await Promise.all(rounds)).flat()
  assert.ok(words.every((word) => word.kind === 'accepted'))
  child.kill('SIGTERM')
  const [last] = await once(child.stdout, 'data')
  assert.deepEqual(JSON.parse(String(last)), { sends: 20, finds: 0, faults: 0, messages: 5_000, doubled: 0 })
  await once(child, 'exit')
})
