import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { verify } from '#app/commands/installation.ts'
import type { Tx } from '#base/db/db.ts'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { type Checkpoint, readCheckpoint } from '#flows/books/since/checkpoint.ts'
import { isWholeDue, verifySince } from '#flows/books/since/verify-since.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { verifyBooksJob } from '#jobs/verify-books.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addHolder, type Holder } from '#test/holders.ts'
import { PHONE, startService } from '#test/service.ts'

// Verification from the last good run on: what it finds, and what only a whole run does.
const service = await startService()
const { database } = service
const { run, done, runtime } = await commandsOn(service)
const vault = runtime.keys.vault()
const partner = await service.addPartner({ creditLimit: 100_000_000n })
const query = async (text: string) => (await database.pool.query(text)).rows
const seal = createSealTransfers(database, { most: 5, seconds: 0, rest: 0 })
const buy = async () => (await partner.buy({ phoneNumber: PHONE, amount: 10_000 })).body.data.giftId as string
const old = await buy()
const idle = await addHolder(service, partner, 'idle', { KRW_POINT: 700n })
await seal()
let late: Holder | undefined

async function checkpoint(): Promise<Checkpoint> {
  const { checkpoint: found } = await readCheckpoint(database, vault)
  assert.ok(typeof found === 'object', String(found))
  return found
}

test('without a good whole run there is nothing to go on from', async () => {
  assert.match((await run(verify, '--since-last')).text, /no good whole run to go on from: run ingot verify/)
  assert.equal((await run(verify, '--since-last', '--skip-sealed')).code, 2)
  await done(verify, '--skip-sealed')
  assert.equal((await run(verify, '--since-last')).code, 1, 'a run without PINs is not a whole one')
})

test('one check alone: a query, a sealed one, or the log; the run counts for nothing', async () => {
  for (const name of ['books_balance_per_asset', 'sealed_pin_is_its_cards', 'audit_log_is_whole']) {
    const { ok, checks } = await done(verify, '--check', name)
    assert.deepEqual([ok, checks.map(({ check }: { check: string }) => check)], [true, [name]])
  }
  assert.equal((await run(verify, '--since-last')).code, 1, 'one check is not a whole run')
  assert.deepEqual(await query('select from verification where ok'), [])
  assert.match(
    (await run(verify, '--check', 'no_such_check')).text,
    /no check no_such_check: ingot verify names/,
  )
  for (const other of ['--since-last', '--skip-sealed'])
    assert.equal((await run(verify, '--check', 'books_balance_per_asset', other)).code, 2)
})

test('it goes on from the last good run, says what it covers, and moves the checkpoint', async () => {
  await done(verify)
  const first = await checkpoint()
  await buy()
  await addHolder(service, partner, 'busy', { KRW_POINT: 900n })
  await seal()
  await buy()
  const { text, json, code } = await run(verify, '--since-last')
  assert.equal(code, 0, text)
  assert.equal(json.since.afterTransfer, Number(first.head.throughId))
  assert.match(
    text,
    new RegExp(
      `covers what follows transfer ${first.head.throughId}(?:.|\n)*not covered: .*whole run was at`,
    ),
  )
  const second = await checkpoint()
  assert.ok(second.head.throughId > first.head.throughId)
  assert.equal(second.wholeAt, first.wholeAt)
  // Back to the first, so that there is news for the tests below.
  await done(verify)
  for (let i = 0; i < 3; i += 1) await buy()
  await seal()
  late = await addHolder(service, partner, 'late', { KRW_POINT: 500n })
})

// Does it behind the triggers' backs and rolls it back. Returns the checks that found it.
async function found(mistake: string, isWhole = false): Promise<string[]> {
  const since = await checkpoint()
  let names: string[] = []
  const cancelled = database.withTransaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(mistake).execute(tx)
    const inside = { ...database, withSnapshot: (work: (tx: Tx) => Promise<unknown>) => work(tx) } as never
    const results = isWhole ? await verifyBooks(inside, vault) : await verifySince(inside, vault, since)
    names = results.filter(({ broken }) => broken > 0).map(({ check }) => check)
    throw new Error('cancelled')
  })
  await assert.rejects(cancelled, /cancelled/)
  return names
}

test('a mistake planted since the last run is found, each by its check', async () => {
  assert.deepEqual(await found('select 1'), [])
  const { head } = await checkpoint()
  const fresh = `(select min(id) from transfer where id > ${head.throughId})`
  const card = `(select card_id from transfer where id = ${fresh})`
  const holding = ({ holderId }: Holder) =>
    `(select id from account where holder_id = '${holderId}' and asset = 'KRW_POINT')`
  const cases: [check: string, mistake: string][] = [
    ['balance_follows_from_the_checkpoint', `update transfer set amount = amount + 1 where id = ${fresh}`],
    [
      'sealed_transfers_are_as_they_were',
      `update transfer set at = at + interval '1 us' where id = ${fresh}`,
    ],
    ['sealed_transfers_are_as_they_were', `update transfer_seal set hash = content_hash where position = 1`],
    ['sealed_transfers_are_as_they_were', `delete from transfer_seal where position >= ${head.position}`],
    ['card_has_one_issue_of_its_amount', `update gift_card set amount = amount + 1 where id = ${card}`],
    ['issue_has_its_card', `delete from gift_card where id = ${card}`],
    [
      'voided_card_has_one_void',
      `update gift_card set status = 'voided', voided_at = issued_at, pin = null where id = ${card}`,
    ],
    [
      'voided_card_was_voided_by_an_act',
      `update gift_card set status = 'voided', voided_at = issued_at, pin = null where id = ${card}`,
    ],
    [
      'used_card_left_its_key',
      `update gift_card set status = 'used', used_at = service_now(), used_by = id, pin = null where id = ${card}`,
    ],
    [
      'trading_was_stopped_and_resumed_by_an_act',
      `insert into audit_entry (actor, action, subject) values ('me', 'trading.stop', 'trading')`,
    ],
    ['transfer_joins_what_it_may', `update transfer set kind = 'waive' where id = ${fresh}`],
    [
      'balance_follows_from_the_checkpoint',
      `update account set balance = balance + 1 where kind = 'outstanding_cards' and shard = 0`,
    ],
    [
      'holding_follows_from_its_transfers',
      `update account set balance = balance + 1 where id = ${holding(late!)}`,
    ],
    [
      'holding_follows_from_its_transfers',
      `update account set balance = balance + 1 where id = ${holding(idle)}`,
    ],
    [
      'audit_log_is_whole',
      `update audit_entry set actor = 'me' where id = (select min(entry_id) from audit_chain)`,
    ],
    ['triggers_are_in_place', 'drop trigger transfer_is_final on transfer'],
  ]
  const { sealEntries } = await import('#flows/audit/seal-entries.ts')
  await sealEntries({ database, keys: runtime.keys })
  for (const [check, mistake] of cases) {
    const names = await found(mistake)
    assert.ok(names.includes(check), `${mistake}: ${names.join(', ') || 'nothing'}`)
  }
})

// Transfers, balances and cards agree with it all the same: only the seal says whose an account was.
test('two members whose accounts were exchanged are found, by a whole run and by one of what is new', async () => {
  const of = ({ holderId }: Holder) => `where holder_id = '${holderId}' and asset = 'KRW_POINT'`
  const mistake = `
    create temporary table mine on commit drop as select id from account ${of(late!)};
    update account set holder_id = gen_random_uuid() where id = (select id from mine);
    update account set holder_id = '${late!.holderId}' ${of(idle)};
    update account set holder_id = '${idle.holderId}' where id = (select id from mine)`
  await buy()
  await seal()
  assert.deepEqual(await found(mistake), ['sealed_transfers_are_as_they_were'])
  assert.deepEqual(await found(mistake, true), ['sealed_transfers_are_as_they_were'])
})

test('what was rewritten before the last run is left to a whole one', async () => {
  const mistake = `update transfer set at = at + interval '1 us' where card_id = '${old}'`
  assert.deepEqual(await found(mistake), [])
  assert.ok((await found(mistake, true)).includes('sealed_transfers_are_as_they_were'))
})

test('a planted checkpoint covers nothing up; after a broken run only a whole one goes on', async () => {
  const [{ checkpoint: stored }] = await query('select checkpoint from verification')
  await database.pool.query('update verification set checkpoint = $1', [
    stored.replace('"throughId":"', '"throughId":"9'),
  ])
  assert.match((await run(verify, '--since-last')).text, /not signed with this key ring/)
  await database.pool.query('update verification set checkpoint = $1, ok = false, broken = 1', [stored])
  assert.match((await run(verify, '--since-last')).text, /only a whole one can clear them/)
  await database.pool.query('update verification set ok = true, broken = 0, finished_at = now()')
  assert.match((await run(verify, '--since-last')).text, /not signed with this key ring/)
  await done(verify)
  assert.equal((await run(verify, '--since-last')).code, 0)
})

test('every night: whole while that is short, else once a week', async () => {
  const whole = { ...(await checkpoint()), wholeAt: '2026-11-01T00:00:00Z' }
  const at = (day: string) => Temporal.Instant.from(`2026-11-${day}T00:00:00Z`)
  assert.equal(isWholeDue('none', at('02')), true)
  assert.equal(isWholeDue({ ...whole, wholeSeconds: 60 }, at('02')), true)
  assert.equal(isWholeDue({ ...whole, wholeSeconds: 3_600 }, at('02')), false)
  assert.equal(isWholeDue({ ...whole, wholeSeconds: 3_600 }, at('08')), true)
  const lines: string[] = []
  const log = { debug() {}, info: (event: string) => void lines.push(event), warn() {}, error() {} }
  const outside = () => ({ place: { host: 'a', folder: 'a' }, anchors: undefined })
  await verifyBooksJob({ database, keys: runtime.keys, log, outside })
  assert.deepEqual(lines, ['books verified'])
})
