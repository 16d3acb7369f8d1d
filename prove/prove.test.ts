import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '#test/patience.ts'
import { temporaryFolder } from '#test/process.ts'
import { Random } from '#test/random.ts'
import type { Act, Entry, Outcome } from './acts.ts'
import { type Client, PARTNER } from './client.ts'
import { acknowledged } from './judge/cards.ts'
import { compareRows, verifyBooks } from './judge/judge.ts'
import { replayAcknowledged, resolveUnknown } from './judge/retries.ts'
import { LocalService } from './local-service.ts'
import { exhaust } from './proofs/exhausted-connections.ts'
import { freezeAtRandom } from './proofs/frozen-database.ts'
import { killAtRandom } from './proofs/kill-loop.ts'
import { breakProvider } from './proofs/provider-down.ts'
import { ClientRecord, readEntries } from './record.ts'
import { rounds } from './rounds.ts'
import { prove, type Trial } from './trial.ts'

// The short versions of the proofs: one service, and a few rounds of each. Those that need a scene of their own are in short-runs.test.ts.
const folder = temporaryFolder()
test.after(() => folder.remove())
const service = await LocalService.start({ log: join(folder.path, 'service.log') })
let entries: Entry[] = []
let client: Client
const KINDS = ['buy', 'signup', 'redeem', 'order', 'withdraw'] as const

test('kills, freezes, no connections and no provider under all traffic: nothing acknowledged is lost or doubled', async (t) => {
  const given = { seed: 1, count: 7, duration: 0, leastActs: 0, folder: folder.path, say: () => {} }
  const makeFaults = async (trial: Trial) => {
    client = trial.client
    const notes = [
      ...(await killAtRandom(service, trial, given)),
      ...(await freezeAtRandom(service, trial, { count: 3, duration: 0 }, 1_000)),
      ...(await exhaust(service, trial, { count: 1, duration: 0 }, 1_000)),
      ...(await breakProvider(service, trial, { count: 1, duration: 0 }, 250)),
    ]
    await until(() => {
      entries = readEntries(join(folder.path, 'record.jsonl'))
      return KINDS.every((kind) => acknowledged(entries, kind).size > 0)
    }, 'every kind of act was acknowledged')
    return notes
  }
  const figures = await prove(service, given, makeFaults, { perSecond: 20, members: 2, restMs: 200 })
  for (const note of figures.notes ?? []) t.diagnostic(note)
  t.diagnostic(`${figures.acts} acknowledged, ${figures.unknown} unknown, ${figures.faults} faults`)
  assert.deepEqual(figures.violations, [])
  entries = readEntries(join(folder.path, 'record.jsonl'))
})

const OF_A_REGISTRATION = `action = 'user.signup' and subject =
  (select min(u.id::text) from partner_user u join partner p on p.id = u.partner_id where p.code = '${PARTNER}')`

// What a bug would leave behind, and what the judge has to say of it. $1 is a card: unused, or used where it says so.
const PLANTED: [what: string, statements: readonly string[], said: RegExp][] = [
  ['a lost card', ['delete from gift_card where id = $1'], /^I1 lost card: /m],
  [
    'a doubled card',
    [
      `insert into gift_card
       select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'tx_id', gen_random_uuid(),
                 'number', 1, 'pin_index', '\\x' || encode(sha256('another'), 'hex')))).*
         from gift_card c where id = $1`,
    ],
    /^I2 doubled card: /m,
  ],
  [
    'a card of another amount',
    ['update gift_card set amount = amount + 1 where id = $1'],
    /^I1 card of another amount: /m,
  ],
  [
    'a lost redemption of a used card',
    [
      `update gift_card set status = 'issued', used_at = null, used_by = null, pin = '\\x00',
              pin_index = sha256('another') where id = $1`,
      `delete from transfer where card_id = $1 and kind = 'redeem'`,
    ],
    /^I5 lost redemption: .*\n(?:.*\n)*I6 balance is not the sum/m,
  ],
  [
    'a doubled redemption of a used card',
    [
      'drop index transfer_of_card',
      `insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
       select group_id, kind, asset, amount, debit_account, credit_account, card_id, at
         from transfer where card_id = $1 and kind = 'redeem'`,
    ],
    /^I5 doubled redemption: /m,
  ],
  [
    'a transfer of one side only',
    ["update account set balance = balance + 1 where kind = 'outstanding_cards' and shard = 0"],
    /^I3 transfers do not balance: KRW_POINT: 1$/m,
  ],
  [
    'a member below zero',
    [
      'alter table account drop constraint account_floor',
      "update account set balance = -1 where id = (select min(id) from account where kind = 'holding')",
    ],
    /^I4 below zero: .*: -1$/m,
  ],
  [
    'a registration without its audit entry',
    [`delete from audit_entry where ${OF_A_REGISTRATION}`],
    /^I9 a registration without its one audit entry: .*: 0$/m,
  ],
  [
    'a registration with two audit entries',
    [
      `insert into audit_entry (actor, action, subject)
       select actor, action, subject from audit_entry where ${OF_A_REGISTRATION}`,
    ],
    /^I9 a registration without its one audit entry: .*: 2$/m,
  ],
  ['lost messages', ['delete from delivery where card_id = $1'], /^I7 card .* has 0 messages/m],
  [
    'a message that never ends',
    ["update delivery set status = 'accepted', settled_at = null where card_id = $1"],
    /^I7 open message: /m,
  ],
]

for (const [what, statements, said] of PLANTED) {
  test(`the judge finds ${what}`, async () => {
    const used = acknowledged(entries, 'redeem')
    const id = what.endsWith('a used card')
      ? [...used.keys()][0]
      : [...acknowledged(entries, 'buy').keys()].find((one) => !used.has(one))
    const violations = await service.withSql(async (sql) => {
      await sql.query('begin')
      // No trigger stops what a bug in them would let pass.
      await sql.query('set local session_replication_role = replica')
      for (const text of statements) await sql.query(text, text.includes('$1') ? [id] : [])
      const found = await compareRows(sql, client, entries)
      await sql.query('rollback')
      return found
    })
    assert.match(violations.join('\n'), said)
  })
}

test('the judge finds a doubled message', async () => {
  const { phones } = service.standIn
  phones.add({ ...phones.all[0]! })
  const violations = await service.withSql((sql) => compareRows(sql, client, entries))
  assert.deepEqual(violations, [`I7 doubled message: ${phones.all[0]!.key} came 2 times`])
})

test('the judge finds an unknown purchase that a retry makes twice, or refuses', async () => {
  const record = new ClientRecord(join(folder.path, 'planted.jsonl'))
  const bought = entries.find(({ act, outcome }) => act.kind === 'buy' && outcome.kind === 'ok')!
  const unknown: Entry = { ...bought, outcome: { kind: 'unknown', why: 'planted' } }
  // Another key each time: as if the service forgot them.
  const random = new Random(2)
  const forgetful = { send: (act: Act) => client.send({ ...act, key: random.uuid() } as Act) }
  assert.match(
    (await resolveUnknown(forgetful, record, [{ ...unknown }])).join('\n'),
    /^I10 resolves two ways, /,
  )
  assert.match((await replayAcknowledged(forgetful, [bought])).join('\n'), /^I2 answers with another card, /)
  const refused = { send: (act: Act) => forgetful.send({ ...act, amount: 0 } as Act) }
  assert.match(
    (await resolveUnknown(refused, record, [{ ...unknown }])).join('\n'),
    /^I10 is refused \(400\) on retry: /,
  )
  assert.deepEqual(await resolveUnknown(client, record, [{ ...unknown }]), [], 'the sound client resolves it')
  record.close()
})

test('an order that a card of the same member pays for later resolves one way', async () => {
  const record = new ClientRecord(join(folder.path, 'one-way.jsonl'))
  const why = { kind: 'unknown', why: 'planted' } as const
  let isPaid = false
  const sender = {
    async send({ kind }: Act): Promise<Outcome> {
      if (kind === 'redeem') isPaid = true
      return isPaid ? { kind: 'ok', id: kind } : { kind: 'refused', code: 'insufficient_balance' }
    },
  }
  const unknown: Entry[] = [
    { n: 1, act: { kind: 'order', member: 0, quoteId: 'a quote' }, outcome: why },
    { n: 2, act: { kind: 'redeem', member: 0, giftId: 'a card', pin: 'a pin', amount: 1 }, outcome: why },
  ]
  assert.deepEqual(await resolveUnknown(sender, record, unknown), [])
  assert.deepEqual(
    unknown.map(({ outcome }) => outcome.kind),
    ['refused', 'ok'],
  )
  record.close()
})

// By a command of its own, so these are committed. Nothing is judged on this service after it.
test('the judge finds usage that is not that of the cards, and an audit log without its guard', async () => {
  await service.withSql(async (sql) => {
    await sql.query('update usage_day set issued = issued + 1 where day = (select max(day) from usage_day)')
    await sql.query('alter table audit_entry disable trigger audit_entry_is_final')
  })
  const violations = (await verifyBooks(client)).join('\n')
  assert.match(violations, /^verify: .*"usage_is_recomputed_from_cards"/m)
  assert.match(violations, /^verify: .*"triggers_are_in_place".*audit_entry_is_final/m)
})

test('the service stops in order', () => service.down())

test('faults go on until both the count and the duration are reached', () => {
  const made = (count: number, duration: number) => {
    let faults = 0
    // A fault takes two seconds here.
    for (const _ of rounds({ count, duration }, () => 2 * faults)) faults += 1
    return faults
  }
  assert.deepEqual([made(3, 0), made(1, 9), made(7, 9)], [3, 5, 7])
})
