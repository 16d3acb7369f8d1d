import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideResend } from './resend.ts'
import { companyOf, decide, formatKey, parseKey, planAttempt } from './rules.ts'
import type { AttemptOutcome, DeliveryState, MessageOutcome, Provider, SendsOfCard } from './types.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const CARD = '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55'

const PROVIDERS: Provider[] = ['first', 'second'].map((name) => ({
  name,
  channels: ['alimtalk', 'text'],
  pollAfterMs: MINUTE,
  absentAfterMs: MINUTE,
  retryAfterMs: MINUTE,
}))

const SENT: DeliveryState = {
  id: 1n,
  channel: 'text',
  status: 'queued',
  attempt: 1,
  claimed: true,
  settled: false,
  provider: 'first',
  messageId: null,
  reason: null,
  barred: [],
  avoided: [],
  failures: 0,
  absences: 0,
  tryingMs: 500,
  triedMs: 500,
}
const ACCEPTED: DeliveryState = { ...SENT, status: 'accepted', claimed: false }
const UNKNOWN: DeliveryState = { ...SENT, status: 'unknown', claimed: false, reason: 'timeout' }
const RETRYING: DeliveryState = { ...SENT, claimed: false, reason: 'phone_unreachable' }
const ABSENT: DeliveryState = { ...SENT, claimed: false, reason: 'absent' }
const DELIVERED: DeliveryState = { ...SENT, status: 'delivered', claimed: false, settled: true }
const FAILED: DeliveryState = { ...SENT, status: 'failed', claimed: false, settled: true, reason: 'rejected' }
const GIVEN_UP: DeliveryState = { ...UNKNOWN, settled: true }

const accepted: MessageOutcome = { kind: 'accepted', messageId: 'm' }
const delivered: MessageOutcome = { kind: 'delivered', messageId: 'm' }
const failed: MessageOutcome = { kind: 'failed', reason: 'blocked', retryable: false, messageId: 'm' }
const tryAgain: MessageOutcome = { kind: 'failed', reason: 'busy', retryable: true, messageId: 'm' }
const refused: MessageOutcome = { kind: 'refused', reason: 'unreachable', retryable: true }
const neverTakes: MessageOutcome = { kind: 'refused', reason: 'no_template', retryable: false }
const unknown: MessageOutcome = { kind: 'unknown', reason: 'timeout' }
const absent: MessageOutcome = { kind: 'absent' }

const got = (outcome: MessageOutcome, attempt = 1): AttemptOutcome => ({ id: 1n, attempt, outcome })

// "status reason" and whether it is at its end; "–" when nothing changes.
function summary(state: DeliveryState, reported: AttemptOutcome): string {
  const change = decide(state, reported, PROVIDERS)
  if (!change) return '–'
  return `${change.status} ${change.reason}${change.dueInMs === null ? ' end' : ''}${change.isNews ? '' : ' (again)'}`
}

const CASES: [what: string, state: DeliveryState, reported: AttemptOutcome, expected: string][] = [
  // The answer to the request.
  ['accepted', SENT, got(accepted), 'accepted null'],
  ['delivered before our commit', SENT, got(delivered), 'delivered null end'],
  ['failed before our commit', SENT, got(failed), 'failed blocked end'],
  ['no answer', SENT, got(unknown), 'unknown timeout'],
  ['refused: the other provider', SENT, got(refused), 'queued unreachable'],
  ['refused for good: the other provider', SENT, got(neverTakes), 'queued no_template'],
  ['refused for good by all', { ...SENT, barred: ['second'] }, got(neverTakes), 'failed no_template end'],
  ['refused for a day', { ...SENT, tryingMs: 25 * HOUR }, got(refused), 'failed unreachable end'],
  ['refused, after the claim was taken for lost', UNKNOWN, got(refused), 'queued unreachable'],
  ['an answer that a report overtook', ACCEPTED, got(refused), '–'],
  ['an answer after the end', DELIVERED, got(accepted), '–'],
  // Reports.
  ['delivered', ACCEPTED, got(delivered), 'delivered null end'],
  ['delivered, twice', DELIVERED, got(delivered), '–'],
  ['failed', ACCEPTED, got(failed), 'failed blocked end'],
  ['failed, worth trying again', ACCEPTED, got(tryAgain), 'queued busy'],
  ['failed too often', { ...ACCEPTED, attempt: 4, failures: 3 }, got(tryAgain, 4), 'failed busy end'],
  ['failed once, after refusals', { ...ACCEPTED, attempt: 9 }, got(tryAgain, 9), 'queued busy'],
  ['failed, told twice', RETRYING, got(tryAgain), '–'],
  ['at the carrier, after it failed', RETRYING, got(accepted), '–'],
  ['at the carrier, after it was delivered', DELIVERED, got(accepted), '–'],
  ['failed, of an attempt before', { ...ACCEPTED, attempt: 2 }, got(failed, 1), '–'],
  ['delivered, of an attempt before', { ...ACCEPTED, attempt: 2 }, got(delivered, 1), 'delivered null end'],
  ['delivered, after it was given up', GIVEN_UP, got(delivered), 'delivered null end'],
  ['delivered, after it was said to fail', FAILED, got(delivered), 'delivered null end'],
  ['failed, after it was delivered', DELIVERED, got(failed), '–'],
  ['delivered, while it waits for another try', RETRYING, got(delivered), 'delivered null end'],
  // Questions.
  ['asked: it has it', UNKNOWN, got(accepted), 'accepted null'],
  ['asked: it was delivered', UNKNOWN, got(delivered), 'delivered null end'],
  ['asked too soon: not there', UNKNOWN, got(absent), 'unknown timeout (again)'],
  ['asked late enough: not there', { ...UNKNOWN, triedMs: 2 * MINUTE }, got(absent), 'queued absent'],
  [
    'asked for a day: never there',
    { ...UNKNOWN, triedMs: 2 * MINUTE, tryingMs: 25 * HOUR },
    got(absent),
    'failed absent end',
  ],
  ['asked: no answer', UNKNOWN, got(unknown), 'unknown timeout (again)'],
  ['asked for a day', { ...UNKNOWN, triedMs: 25 * HOUR }, got(unknown), 'unknown given_up end'],
  ['not there, then it turns up', ABSENT, got(accepted), 'accepted null'],
  ['not there, then it failed', ABSENT, got(failed), 'failed blocked end'],
  ['still at the carrier', ACCEPTED, got(accepted), 'accepted null (again)'],
  ['accepted once is not lost', { ...ACCEPTED, triedMs: HOUR }, got(absent), 'accepted null (again)'],
  ['no report for three days', { ...ACCEPTED, triedMs: 73 * HOUR }, got(accepted), 'unknown no_report end'],
]
for (const [what, state, reported, expected] of CASES) {
  test(`decide: ${what}`, () => assert.equal(summary(state, reported), expected))
}

test('the other provider is tried at once; when none is left, later and from the beginning', () => {
  const first = decide(SENT, got(refused), PROVIDERS)!
  assert.deepEqual([first.avoided, first.dueInMs], [['first'], 0])
  const second = decide(
    { ...SENT, provider: 'second', attempt: 2, avoided: ['first'] },
    got(refused, 2),
    PROVIDERS,
  )!
  assert.deepEqual(second.avoided, [])
  assert.ok(second.dueInMs! >= 4_000 && second.dueInMs! <= 5_000)
})

test('what was in doubt and never arrived goes to the other provider, in ever smaller company', () => {
  const late = { ...UNKNOWN, triedMs: 2 * MINUTE, tryingMs: 2 * MINUTE }
  const first = decide(late, got(absent), PROVIDERS)!
  assert.deepEqual([first.avoided, first.dueInMs, first.absences], [['first'], 0, 1])
  const again = decide({ ...late, absences: 1, avoided: ['second'] }, got(absent), PROVIDERS)!
  assert.deepEqual([again.avoided, again.absences], [[], 2])
  assert.ok(again.dueInMs! >= 2_000)
  assert.deepEqual([0, 1, 2, 3, 9, 400].map(companyOf), [200, 25, 3, 1, 1, 1])
})

test('a phone that is off is left alone for longer each time', () => {
  const waits = [0, 1, 2].map(
    (failures) => decide({ ...ACCEPTED, failures }, got(tryAgain), PROVIDERS)!.dueInMs,
  )
  assert.deepEqual(waits, [MINUTE, 5 * MINUTE, 25 * MINUTE])
})

test('a message that nobody takes says whether sending it again can help', () => {
  const single = PROVIDERS.slice(0, 1)
  const curable = decide(SENT, got(neverTakes), single)!
  const hopeless = decide(SENT, got({ kind: 'refused', reason: 'too_long', retryable: false }), single)!
  assert.deepEqual([curable.retryable, hopeless.retryable], [true, false])
})

const QUEUED: DeliveryState = { ...SENT, attempt: 0, claimed: false, provider: null }
const PLANS: [what: string, state: DeliveryState, available: string[], expected: string][] = [
  ['the first', QUEUED, ['first', 'second'], 'first'],
  ['not the one that just refused', { ...QUEUED, avoided: ['first'] }, ['first', 'second'], 'second'],
  ['the one that just refused, if it is alone', { ...QUEUED, avoided: ['first'] }, ['first'], 'first'],
  ['never one that will not take it', { ...QUEUED, barred: ['first'] }, ['first'], 'queued'],
  ['nobody is there', QUEUED, [], 'queued'],
  ['nobody for a day', { ...QUEUED, tryingMs: 25 * HOUR }, [], 'failed'],
]
for (const [what, state, available, expected] of PLANS) {
  test(`plan: ${what}`, () => {
    const plan = planAttempt({ state, dropped: null, waits: false }, available)
    assert.equal('provider' in plan ? plan.provider : plan.change.status, expected)
  })
}

test('a card that is no longer open is not sent', () => {
  const plan = planAttempt({ state: QUEUED, dropped: 'card_voided', waits: false }, ['first'])
  assert.ok('change' in plan)
  assert.deepEqual(
    [plan.change.status, plan.change.reason, plan.change.dueInMs],
    ['failed', 'card_voided', null],
  )
})

test('a cancellation waits for what becomes of the card’s own message', () => {
  const plan = planAttempt({ state: QUEUED, dropped: null, waits: true }, ['first'])
  assert.ok('change' in plan)
  assert.deepEqual([plan.change.status, plan.change.dueInMs, plan.change.isNews], ['queued', 30_000, false])
})

const anyOutcome = fc.constantFrom(
  accepted,
  delivered,
  failed,
  tryAgain,
  refused,
  neverTakes,
  unknown,
  absent,
)

test('whatever outcomes come, in whatever order: nothing is sent again while its outcome is open', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyOutcome, fc.constantFrom(0, 2 * MINUTE))), (outcomes) => {
      let state = SENT
      for (const [outcome, later] of outcomes) {
        const before = state
        state = { ...state, triedMs: state.triedMs + later }
        const change = decide(state, got(outcome), PROVIDERS)
        if (!change) continue
        state = { ...state, ...change, claimed: false, settled: change.dueInMs === null }
        if (before.status === 'delivered') assert.fail('who has it has it')
        const requeued = state.status === 'queued' && (before.claimed || before.status !== 'queued')
        const over = outcome.kind === 'failed' || outcome.kind === 'refused' || outcome.kind === 'absent'
        if (requeued) assert.ok(over, `sent again after ${outcome.kind}`)
        if (requeued && outcome.kind === 'absent') assert.ok(state.triedMs >= MINUTE)
        assert.equal(state.settled, ['delivered', 'failed'].includes(state.status) || change.dueInMs === null)
      }
    }),
  )
})

test('what an honest provider says of one attempt comes to the same in every order, however often', () => {
  const honest = fc.constantFrom([accepted, delivered], [accepted, failed])
  fc.assert(
    fc.property(honest, fc.array(fc.nat(1)), fc.boolean(), ([first, last], order, lost) => {
      const end = last!.kind
      let state = SENT
      const said = [...(lost ? [unknown] : []), ...order.map((i) => [first!, last!][i]!), last!]
      for (const outcome of said) {
        const change = decide(state, got(outcome), PROVIDERS)
        if (change) state = { ...state, ...change, claimed: false, settled: change.dueInMs === null }
      }
      assert.equal(state.status, end)
    }),
  )
})

test('keys: there and back, and nothing else', () => {
  const key = { cardId: CARD, channel: 'alimtalk', purpose: 'reminder', ordinal: 30 } as const
  assert.deepEqual(parseKey(formatKey(key)), key)
  for (const text of [
    '',
    CARD,
    `${CARD}.text.gift`,
    `${CARD}.text.gift.x`,
    `${CARD}.fax.gift.0`,
    `x.text.gift.0`,
  ])
    assert.equal(parseKey(text), undefined)
  fc.assert(
    fc.property(fc.string(), (text) => parseKey(text) === undefined || formatKey(parseKey(text)!) === text),
  )
})

type Send = SendsOfCard['sends'][number]
const gift = (changes: Partial<Send> = {}): Send[] =>
  (['alimtalk', 'text'] as const).map((channel) => ({
    channel,
    purpose: 'gift',
    ordinal: 0,
    isOpen: false,
    ageSeconds: 600,
    ...changes,
  }))
const resends = (count: number, ageSeconds: number) =>
  Array.from({ length: count }, (_, i) => gift({ purpose: 'resend', ordinal: i + 1, ageSeconds })).flat()

const RESENDS: [what: string, facts: Parameters<typeof decideResend>[0], expected: string][] = [
  ['a used card', { status: 'used', isPast: true, sends: gift({ isOpen: true }) }, 'not_valid'],
  ['a card past its day', { status: 'issued', isPast: true, sends: gift({ isOpen: true }) }, 'not_valid'],
  [
    'still on its way',
    { status: 'issued', isPast: false, sends: gift({ isOpen: true, ageSeconds: 1 }) },
    'on_its_way',
  ],
  ['just sent', { status: 'issued', isPast: false, sends: gift({ ageSeconds: 59.5 }) }, 'too_soon 1'],
  [
    'five times today',
    { status: 'issued', isPast: false, sends: [...gift(), ...resends(5, 3_600)] },
    'too_often 82800',
  ],
  [
    'five times yesterday',
    { status: 'issued', isPast: false, sends: [...gift(), ...resends(5, 90_000)] },
    '6 alimtalk,text',
  ],
  ['the first time', { status: 'issued', isPast: false, sends: gift() }, '1 alimtalk,text'],
  [
    'one channel is open',
    {
      status: 'issued',
      isPast: false,
      sends: [...gift(), { ...gift({ purpose: 'resend', ordinal: 1 })[0]!, isOpen: true }],
    },
    '2 text',
  ],
]
for (const [what, facts, expected] of RESENDS) {
  test(`resend: ${what}`, () => {
    const decision = decideResend(facts)
    const brief =
      'reason' in decision
        ? [decision.reason, decision.retryAfterSeconds].join(' ').trim()
        : `${decision.ordinal} ${decision.channels}`
    assert.equal(brief, expected)
  })
}
