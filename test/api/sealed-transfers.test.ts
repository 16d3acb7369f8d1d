import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { watchCommittedRows } from '#base/db/committed-rows.ts'
import type { Tx } from '#base/db/db.ts'
import { sealEntries } from '#flows/audit/seal-entries.ts'
import { judgeAudit } from '#flows/audit/verify-audit.ts'
import { createSealTransfers, sealBlock } from '#flows/books/seals/seal-transfers.ts'
import { walkSeals } from '#flows/books/seals/walk-seals.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { expireCards, lapseCards } from '#flows/gift-cards/expire-cards.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { linkHash } from '#modules/audit/rules.ts'
import { hashLines, marksOf, printTransfers } from '#modules/ledger/seals.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'

// The chain over transfers and the cards that they issued: what a thief with SQL cannot hide, and what may go.
const service = await startService()
const { database } = service
const { runtime } = await commandsOn(service)
const { buy } = await service.addPartner({ creditLimit: 100_000_000n })
const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
const NOW = { most: 4, seconds: 0, rest: 0 }
const seal = createSealTransfers(database, NOW)
const bought = async (amount = 10_000) =>
  (await buy({ phoneNumber: PHONE, amount })).body.data.giftId as string
const broken = () => database.withSnapshot(async (tx) => (await walkSeals(tx)).findings)
const blocks = () => query('select position, through_id, transfers from transfer_seal order by position')

const cards: string[] = []
for (let i = 0; i < 10; i += 1) cards.push(await bought())

test('not due yet: a young installation with few transfers waits; then blocks of at most so many, each with an entry', async () => {
  // Longer than any suite runs: the database was copied from one that was made at its beginning.
  assert.equal(await createSealTransfers(database, { ...NOW, most: 11, seconds: 86_400 })(), 0)
  assert.equal(await seal(), 10)
  assert.deepEqual(
    (await blocks()).map(({ transfers }) => transfers),
    [4, 4, 2],
  )
  assert.equal(await seal(), 0)
  const entries = await query(`select details from audit_entry where action = 'books.seal' order by id`)
  assert.deepEqual(
    entries.map(({ details }) => details.position),
    ['1', '2', '3'],
  )
  assert.deepEqual(await broken(), [])
})

test('a clock that was ahead when the last block was sealed holds nothing up', async () => {
  await database.withTransaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update transfer_seal set sealed_at = now() + interval '1 year'`.execute(tx)
  })
  cards.push(await bought())
  assert.equal(await createSealTransfers(database, { ...NOW, seconds: 600 })(), 1)
})

test('after a full block it rests as long as its pace and the worker say, and a stop ends the rest', async () => {
  for (let i = 0; i < 4; i += 1) cards.push(await bought())
  const full = { ...NOW, most: 2 }
  // A rest of days, by the pace or by the worker.
  for (const [rest, ofWorker] of [
    [1e9, 0],
    [0, 1e9],
  ] as const) {
    let sealed = 0
    const sealTransfers = createSealTransfers(database, { ...full, rest }, () => ofWorker)
    const isOver = () => sealed > 0
    const resting = sealTransfers((count) => {
      setTimeout(() => {
        sealed = count
      }, 300)
    }, isOver)
    assert.equal(await resting, 2)
    assert.equal(sealed, 2)
  }
})

test('a transfer that commits after one with a higher number is neither skipped nor sealed too early', async () => {
  const slow = await database.pool.connect()
  await slow.query('begin')
  // Draws a number and holds the lock of a writer, as every purchase does.
  await slow.query(`insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
    select gen_random_uuid(), 'grant', asset, 1, id, id + 0, service_now() from account where false`)
  await slow.query(`select nextval(pg_get_serial_sequence('transfer', 'id'))`)
  const early = await bought()
  assert.equal(await seal(), 0, 'the writer before is still under way')
  await slow.query('commit')
  slow.release()
  assert.equal(await seal(), 1)
  cards.push(early)
})

test('two sealers race and one is killed: every transfer is in one block', async () => {
  for (let i = 0; i < 6; i += 1) cards.push(await bought())
  const killed = database.withTransaction(async (tx) => {
    const inside = { ...database, withTransaction: (work: (tx: Tx) => Promise<never>) => work(tx) }
    const committed = watchCommittedRows(database, 'transfer')
    const committedAccounts = watchCommittedRows(database, 'account')
    await sealBlock({ database: inside as never, committed, committedAccounts }, 4)
    throw new Error('killed')
  })
  await assert.rejects(killed, /killed/)
  await Promise.all([seal(), createSealTransfers(database, NOW)(), createSealTransfers(database, NOW)()])
  await seal()
  const [all] = await query(
    `select (select count(*)::int from transfer) as transfers, sum(transfers)::int as sealed,
            (select max(id) from transfer) as newest, max(through_id) as through from transfer_seal`,
  )
  assert.deepEqual([all.sealed, all.through], [all.transfers, all.newest])
  assert.deepEqual(await broken(), [])
})

// Rewrites what it likes and rolls it back.
async function planted(
  plant: (tx: Tx) => Promise<unknown>,
  isWhole = false,
): Promise<{ seals: string[]; checks: string[] }> {
  const found: { seals: string[]; checks: string[] } = { seals: [], checks: [] }
  const cancelled = database.withTransaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await plant(tx)
    found.seals = (await walkSeals(tx)).findings
    const inside = { ...database, withSnapshot: (work: (tx: Tx) => Promise<unknown>) => work(tx) }
    const results = isWhole ? await verifyBooks(inside as never, TEST_VAULT, { skipSealed: true }) : []
    found.checks = results.filter((result) => result.broken > 0).map(({ check }) => check)
    throw new Error('cancelled')
  })
  await assert.rejects(cancelled, /cancelled/)
  return found
}

const idOf = async (card: string) => {
  const [row] = await query(`select id from transfer where card_id = $1 and kind = 'issue'`, [card])
  return BigInt(row.id)
}

// One won more on a card, with everything that is counted from it.
const rewriteCard = (card: string) => async (tx: Tx) => {
  for (const text of [
    `update gift_card set amount = amount + 1 where id = '${card}'`,
    `update account a set balance = balance + case when a.id = t.credit_account then 1 else -1 end from transfer t
      where t.card_id = '${card}' and a.id in (t.debit_account, t.credit_account)`,
    `update transfer set amount = amount + 1 where card_id = '${card}'`,
    `update usage_day set issued = issued + 1 where (partner_id, day, shard) = (
       select u.partner_id, u.day, min(u.shard) from usage_day u
         join gift_card c on u.partner_id = c.partner_id and u.day = c.issued_on where c.id = '${card}' group by 1, 2)`,
  ])
    await sql.raw(text).execute(tx)
}

// The thief has our code, and computes the chain anew from a position.
async function resealFrom(tx: Tx, from: bigint): Promise<void> {
  const { rows } = await sql<{ position: bigint; throughId: bigint }>`
    select position, through_id as "throughId" from transfer_seal where position >= ${from - 1n} order by position`.execute(
    tx,
  )
  for (const [i, { position, throughId }] of rows.entries()) {
    if (position < from) continue
    const lines = await printTransfers(tx, { after: rows[i - 1]?.throughId ?? 0n, through: throughId })
    const { rows: before } = await sql<{ hash: Buffer }>`
      select hash from transfer_seal where position = ${position - 1n}`.execute(tx)
    const contentHash = hashLines(lines)
    const hash = linkHash(
      { position: position - 1n, hash: before[0]?.hash ?? Buffer.alloc(32) },
      contentHash,
      'transfer',
    )
    await sql`update transfer_seal set content_hash = ${contentHash}, hash = ${hash}, marks = ${marksOf(lines)}
      where position = ${position}`.execute(tx)
  }
}

test('a consistent rewrite, which nothing else can tell, is named with its transfer', async () => {
  const card = cards[5]!
  const id = await idOf(card)
  const { seals, checks } = await planted(rewriteCard(card), true)
  assert.deepEqual(checks, ['sealed_transfers_are_as_they_were'], 'only the chain tells')
  assert.match(seals[0]!, new RegExp(`^transfer ${id} or its card is not what was sealed \\(block 2, `))
})

test('what a thief does with SQL is named', async () => {
  const id = await idOf(cards[5]!)
  const raw = (text: string) => (tx: Tx) => sql.raw(text).execute(tx)
  const cases: [string, (tx: Tx) => Promise<unknown>, RegExp][] = [
    [
      'a card to another partner',
      raw(`update gift_card set partner_id = partner_id + 1 where id = '${cards[5]}'`),
      new RegExp(`^transfer ${id} or its card`),
    ],
    [
      'a number',
      raw(`update gift_card set number = number + 1 where id = '${cards[5]}'`),
      new RegExp(`^transfer ${id} or its card`),
    ],
    [
      'a moment',
      raw(`update transfer set at = at + interval '1 microsecond' where id = ${id}`),
      new RegExp(`^transfer ${id} or its card`),
    ],
    [
      'an account',
      raw(`update transfer set debit_account = debit_account + 1000 where id = ${id}`),
      new RegExp(`^transfer ${id} or its card`),
    ],
    [
      'a deletion',
      raw(`delete from transfer where id = ${id}`),
      new RegExp(`^a transfer before ${id + 1n} is gone`),
    ],
    [
      'a card gone',
      raw(`delete from gift_card where id = '${cards[5]}'`),
      new RegExp(`^transfer ${id} or its card`),
    ],
    ['a block gone', raw('delete from transfer_seal where position = 2'), /^block 2 is gone/],
    [
      'the last blocks gone',
      raw('delete from transfer_seal where position >= 2'),
      /^blocks after 1 are gone: the audit log has block/,
    ],
    [
      'a block moved',
      raw('update transfer_seal set content_hash = hash where position = 2'),
      /^block 2 does not follow/,
    ],
    [
      'everything rewritten',
      async (tx) => {
        await rewriteCard(cards[5]!)(tx)
        await resealFrom(tx, 2n)
      },
      /^block 2 is not the one of audit entry \d+: transfers after \d+ were rewritten/,
    ],
  ]
  for (const [name, plant, wanted] of cases) {
    const { seals } = await planted(plant)
    assert.match(seals[0] ?? 'nothing', wanted, name)
  }
})

test('with the entries of the blocks rewritten as well, the chain of the audit log tells', async () => {
  await sealEntries({ database, keys: runtime.keys })
  let findings: string[] = []
  await planted(async (tx) => {
    await rewriteCard(cards[5]!)(tx)
    await resealFrom(tx, 2n)
    await sql`update audit_entry e set details = e.details || jsonb_build_object('hash', encode(s.hash, 'hex'))
      from transfer_seal s where e.action = 'books.seal' and e.details ->> 'position' = s.position::text`.execute(
      tx,
    )
    assert.deepEqual((await walkSeals(tx)).findings, [])
    findings = (await judgeAudit(tx, TEST_VAULT, {})).findings.map(({ kind }) => kind)
  })
  assert.equal(findings[0], 'entry_edited')
})

test('the database refuses changes of the chain', async () => {
  for (const statement of [
    'update transfer_seal set transfers = transfers',
    'delete from transfer_seal',
    'truncate transfer_seal',
  ])
    await assert.rejects(query(statement), /not allowed/, statement)
})

test('expiry, retention and erasure leave the chain whole', async () => {
  const card = await bought()
  await seal()
  const [{ days }] = await query(
    'select expires_on - seoul_date(service_now()) + 1 as days from gift_card where id = $1',
    [card],
  )
  await advanceClock(database, { seconds: days * 86_400, actor: 'test' })
  assert.ok(Number(await expireCards(database)) >= 0)
  await seal()
  await advanceClock(database, { seconds: 11 * 366 * 86_400, actor: 'test' })
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await forgetOldRecords({ database, log })
  assert.ok((await lapseCards(database)) > 0)
  const [left] = await query(
    `select count(*) filter (where pin is not null)::int as pins from gift_card where status = 'expired'`,
  )
  assert.equal(left.pins, 0)
  assert.deepEqual(await broken(), [])
})
