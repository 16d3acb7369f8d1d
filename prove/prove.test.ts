import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '#test/patience.ts'
import { temporaryFolder } from '#test/process.ts'
import type { Entry } from './acts.ts'
import type { Client } from './client.ts'
import { acknowledged } from './judge/cards.ts'
import { compareRows } from './judge/judge.ts'
import { LocalService } from './local-service.ts'
import { exhaust } from './proofs/exhausted-connections.ts'
import { freezeAtRandom } from './proofs/frozen-database.ts'
import { killAtRandom } from './proofs/kill-loop.ts'
import { breakProvider } from './proofs/provider-down.ts'
import { readEntries } from './record.ts'
import { prove, type Trial } from './trial.ts'

// The short versions of the proofs: one service, and a few rounds of each.
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
      ...(await freezeAtRandom(service, trial, { count: 3 }, 1_000)),
      ...(await exhaust(service, trial, { count: 1 }, 1_000)),
      ...(await breakProvider(service, trial, { count: 1 }, 250)),
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

test('the service stops in order', () => service.down())
