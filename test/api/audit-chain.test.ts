import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anchorPath, outsideOf } from '#app/audit/anchor-file.ts'
import { startSealer } from '#app/audit/keep-sealed.ts'
import { auditList } from '#app/commands/audit.ts'
import { auditAnchor, auditErase, auditShow, auditVerify } from '#app/commands/audit-chain.ts'
import { verify } from '#app/commands/installation.ts'
import { partnerSet } from '#app/commands/partner.ts'
import { priceResume, priceStop } from '#app/commands/price.ts'
import type { Tx } from '#base/db/db.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { sealChunk, sealEntries } from '#flows/audit/seal-entries.ts'
import { judgeAudit } from '#flows/audit/verify-audit.ts'
import { recordRestoration } from '#flows/restoration/record-restoration.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { readChainState, readHead } from '#modules/audit/chain.ts'
import { type hashEntry, linkEntries } from '#modules/audit/rules.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { advanceClock } from '#test/operator.ts'
import { until } from '#test/patience.ts'
import { temporaryFolder } from '#test/process.ts'
import { startService } from '#test/service.ts'

// The chain of the audit log: how it is sealed and anchored, and what a thief with SQL cannot hide.
const service = await startService()
const { database } = service
const { done, run, runtime } = await commandsOn(service)
const { keys } = runtime
const deps = { database, keys }
const folder = temporaryFolder()
runtime.config.dataDir = folder.path
const { partner } = await service.addPartner()
const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
const pace = { entries: 1, minutes: 1 }

const note = (action: string, details = {}) =>
  database.withTransaction((tx) => insertAuditEntry(tx, { actor: 'test', action, subject: 'test', details }))
const seal = () => sealEntries(deps)

test('entries of before, of the release before and of this one are sealed, each once', async () => {
  // As the release before writes them: the reason in plain.
  await note('test.old', { reason: '김하나 asked', amount: 5 })
  await done(partnerSet, partner.code, '--rate-limit', '7', '--reason', '이두리 called')
  assert.equal((await readHead(database.db)).position, 0n)
  assert.ok((await readChainState(database.db)).waiting >= 2n)
  await seal()
  const [all] = await query(
    'select count(*)::int as entries, (select count(*)::int from audit_chain) as links from audit_entry',
  )
  assert.equal(all.entries, all.links)
  assert.deepEqual(await readChainState(database.db).then((s) => [s.waiting, s.backlog]), [0n, false])
  // No word that a person typed is left in plain anywhere.
  for (const table of ['audit_entry', 'audit_private', 'audit_chain']) {
    const [{ text }] = await query(`select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`)
    assert.doesNotMatch(text, /김하나|이두리/, table)
  }
  const [old] = (await done(auditList, '--action', 'test.old')).entries
  assert.deepEqual([old.details, old.position > 0], [{ amount: 5, reason: '김하나 asked' }, true])
  const [set] = (await done(auditList, '--action', 'partner.set')).entries
  assert.deepEqual(set.from, { by: 'command line', host: 'test' })
  assert.equal(set.details.reason, '이두리 called')
  assert.match((await run(auditShow, String(set.id))).text, /reason +이두리 called/)
})

test('an entry that becomes visible after a later number is not skipped', async () => {
  const slow = await database.pool.connect()
  await slow.query('begin')
  const late = (
    await slow.query(
      `insert into audit_entry (actor, action, subject) values ('slow', 'test.late', 'x') returning id`,
    )
  ).rows[0].id
  await note('test.early')
  await seal()
  await slow.query('commit')
  slow.release()
  await seal()
  const rows = await query(
    `select e.action, c.position, c.entry_id from audit_chain c join audit_entry e on e.id = c.entry_id
      where e.action in ('test.late', 'test.early') order by c.position`,
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['test.early', 'test.late'],
  )
  assert.ok(BigInt(late) < BigInt(rows[0].entry_id), 'its number is the lower one')
})

test('two sealers race and one is killed: every position once, none left out', async () => {
  for (let i = 0; i < 20; i += 1) await note(`test.race ${i}`)
  // Killed after its writes and before its commit.
  const killed = database.withTransaction(async (tx) => {
    await sealChunk({ keys, database: { ...database, withTransaction: (work) => work(tx) } })
    throw new Error('killed')
  })
  await assert.rejects(killed, /killed/)
  await Promise.all([seal(), seal(), seal()])
  await seal()
  assert.equal((await readChainState(database.db)).waiting, 0n)
  assert.deepEqual((await verdict()).findings, [])
})

let anchors: Outside = { place: { host: 'a', folder: 'a' }, anchors: undefined }

async function verdict(outside: Outside = anchors) {
  return database.withSnapshot((tx) => judgeAudit(tx, keys.vault(), { outside }))
}

test('the worker seals and anchors by itself, and says so in the log', async () => {
  const lines: string[] = []
  const log = {
    debug() {},
    info: (event: string, f = {}) => void lines.push(JSON.stringify({ event, ...f })),
    warn() {},
    error() {},
  }
  const sealer = startSealer({
    ...deps,
    log,
    config: { dataDir: folder.path, auditAnchors: pace },
    pauseMs: 20,
  })
  await note('test.first')
  await until(() => lines.length > 0)
  await note('test.second')
  await until(() => lines.length > 1)
  await sealer.stop()
  anchors = outsideOf(folder.path)
  assert.equal(anchors.anchors?.length, lines.length)
  const { findings, ...found } = await verdict()
  assert.deepEqual([findings, found.anchors?.goodTo], [[], found.sealedTo])
  // A shipped log serves as well as the file.
  const shipped = `${folder.path}/shipped.log`
  writeFileSync(shipped, lines.join('\n'))
  assert.equal((await done(auditVerify, '--anchor', shipped)).anchors.count, lines.length)
})

// Rewrites what it likes and rolls it back.
async function planted(plant: (tx: Tx) => Promise<unknown>, outside = anchors): Promise<string[]> {
  let found: string[] = []
  const cancelled = database.withTransaction(async (tx) => {
    for (const table of ['audit_entry', 'audit_chain', 'audit_private'])
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
    await sql`alter table audit_entry enable trigger audit_entry_waits`.execute(tx)
    await plant(tx)
    const { findings } = await judgeAudit(tx, keys.vault(), { outside })
    found = findings.map(({ kind, position, entry }) => [kind, position, entry].filter(Boolean).join(' '))
    throw new Error('cancelled')
  })
  await assert.rejects(cancelled, /cancelled/)
  return found
}

// The thief has our code, and computes the chain anew from a position.
async function rewriteFrom(tx: Tx, position: bigint): Promise<void> {
  const { rows } = await sql<Parameters<typeof hashEntry>[0]>`
    select e.id, (extract(epoch from e.at) * 1000000)::bigint as at, e.actor, e.action, e.subject,
           e.details::text as details, e.private_id as "privateId", e.private_hash as "privateHash"
      from audit_chain c join audit_entry e on e.id = c.entry_id where c.position >= ${position} order by c.position`.execute(
    tx,
  )
  const { rows: head } = await sql<{ position: bigint; hash: Buffer }>`
    select position, hash from audit_chain where position = ${position - 1n}`.execute(tx)
  await sql`delete from audit_chain where position >= ${position}`.execute(tx)
  for (const link of linkEntries(head[0]!, rows))
    await sql`insert into audit_chain (position, entry_id, content_hash, hash)
      values (${link.position}, ${link.entryId}, ${link.contentHash}, ${link.hash})`.execute(tx)
}

async function sealMisdated(tx: Tx, by: string): Promise<void> {
  await sql`insert into audit_entry (at, actor, action, subject)
    values (service_now() + ${by}::interval, 'me', 'partner.set', 'x')`.execute(tx)
  await sealChunk({ keys, database: { ...database, withTransaction: (work) => work(tx) } })
}

const at = (position: bigint) => sql`(select entry_id from audit_chain where position = ${position})`

test('what a thief does with SQL is named: the first entry, and where', async () => {
  const { position: head } = await readHead(database.db)
  const [five] = await query('select entry_id as id from audit_chain where position = 5')
  const edit = (tx: Tx) => sql`update audit_entry set actor = 'me' where id = ${at(5n)}`.execute(tx)
  const cases: [string, (tx: Tx) => Promise<unknown>, string[]][] = [
    ['nothing', async () => {}, []],
    ['an edit', edit, [`entry_edited 5 ${five.id}`]],
    [
      'a deletion',
      (tx) => sql`delete from audit_entry where id = ${at(5n)}`.execute(tx),
      [`entry_deleted 5 ${five.id}`],
    ],
    [
      'a position',
      (tx) => sql`delete from audit_chain where position = 5`.execute(tx),
      ['link_deleted 5', `entry_inserted ${five.id}`],
    ],
    [
      'two swapped',
      async (tx) => {
        await sql`alter table audit_chain drop constraint audit_chain_entry_id_key`.execute(tx)
        await sql`update audit_chain a set entry_id = b.entry_id, content_hash = b.content_hash from audit_chain b
          where (a.position, b.position) in ((5, 6), (6, 5))`.execute(tx)
      },
      ['link_edited 5', 'link_edited 6'],
    ],
    [
      'an entry in the middle',
      async (tx) => {
        await sql`alter table audit_entry disable trigger audit_entry_waits`.execute(tx)
        await sql`insert into audit_entry (id, actor, action, subject) overriding system value
          values (-1, 'me', 'x', 'x')`.execute(tx)
      },
      ['entry_inserted -1'],
    ],
    ['an entry of days ago, sealed', (tx) => sealMisdated(tx, '-2 days'), [`entry_misdated ${head + 1n}`]],
    ['an entry of days to come, sealed', (tx) => sealMisdated(tx, '2 days'), [`entry_misdated ${head + 1n}`]],
    ['an entry of a transaction that took hours', (tx) => sealMisdated(tx, '-6 hours'), []],
    [
      'all of it, rewritten consistently',
      async (tx) => {
        await edit(tx)
        await rewriteFrom(tx, 5n)
      },
      [`chain_rewritten ${anchors.anchors![0]!.position}`],
    ],
    [
      'the tail, cut off with its entries',
      async (tx) => {
        await sql`delete from audit_entry where id = ${at(head)}`.execute(tx)
        await sql`delete from audit_chain where position = ${head}`.execute(tx)
      },
      [`chain_cut_off ${head}`],
    ],
    ['a private part', (tx) => sql`delete from audit_private where true`.execute(tx), ['private_deleted']],
    [
      'an erasure without an entry',
      (tx) => sql`update audit_private set sealed = null, erased_at = now()`.execute(tx),
      ['erased_without_entry'],
    ],
    [
      'private parts of two entries swapped',
      (tx) =>
        sql`update audit_private a set sealed = b.sealed from audit_private b where a.id <> b.id`.execute(tx),
      ['private_edited'],
    ],
  ]
  for (const [name, plant, wanted] of cases) {
    const found = await planted(plant)
    assert.equal(found.length > 0, wanted.length > 0, name)
    for (const [i, one] of wanted.entries())
      assert.ok(found[i]?.startsWith(one), `${name}: ${found.join(', ')}`)
  }
})

test('a file of anchors that is forged, cut or gone is found; beginning anew is an act with a reason', async () => {
  const [last, ...others] = anchors.anchors!.toReversed()
  const forged = { ...last!, hash: Buffer.alloc(32, 1) }
  const kinds = async (list: Outside['anchors']) =>
    (await verdict({ ...anchors, anchors: list })).findings.map(({ kind }) => kind)
  assert.deepEqual(await kinds([...others, last!]), [])
  assert.deepEqual(await kinds([...others, last!, forged]), ['anchor_forged'])
  assert.deepEqual(await kinds(others), ['anchors_missing'])
  assert.deepEqual(await kinds(undefined), ['anchors_missing'])
  // A folder that the database does not know is new, or was moved.
  assert.deepEqual((await verdict({ place: { host: 'b', folder: 'b' }, anchors: undefined })).findings, [])
  const kept = readFileSync(anchorPath(folder.path))
  rmSync(anchorPath(folder.path))
  assert.match((await run(auditVerify)).text, /BROKEN {2}anchors_missing/)
  assert.equal((await run(verify)).code, 1)
  await note('test.more')
  await seal()
  // The worker goes on anchoring, and the loss stays known.
  assert.equal((await run(auditAnchor)).code, 1)
  assert.ok(existsSync(anchorPath(folder.path)))
  assert.equal((await run(auditVerify)).code, 1)
  assert.equal((await run(auditAnchor, '--begin')).code, 2)
  await done(auditAnchor, '--begin', '--reason', 'the disk was replaced')
  assert.equal((await run(auditVerify)).code, 0)
  const [begun] = (await done(auditList, '--action', 'audit.begin_anchors')).entries
  assert.equal(begun.details.reason, 'the disk was replaced')
  writeFileSync(anchorPath(folder.path), Buffer.concat([kept, readFileSync(anchorPath(folder.path))]))
  anchors = outsideOf(folder.path)
})

test('erasing leaves the hash and an entry, and the chain stays whole', async () => {
  const [set] = (await done(auditList, '--action', 'partner.set')).entries
  const first = await run(auditErase, String(set.id))
  assert.match(first.text, /이두리 called(?:.|\n)*nothing was changed/)
  await done(auditErase, String(set.id), '--reason', 'asked to be forgotten')
  assert.match((await run(auditErase, String(set.id), '--reason', 'again')).text, /nothing is left to erase/)
  assert.equal((await run(auditErase, '999999', '--reason', 'x')).code, 1)
  const [erased] = (await done(auditList, '--action', 'partner.set')).entries
  assert.deepEqual([erased.private, erased.details.reason, erased.from], ['erased', undefined, null])
  const [entry] = (await done(auditList, '--action', 'audit.erase')).entries
  assert.deepEqual(entry.details, { entries: [String(set.id)], reason: 'asked to be forgotten' })
  await seal()
  assert.deepEqual((await verdict()).findings, [])
  // Erased for good: not even the guard lets it back.
  await assert.rejects(
    query(`update audit_private set sealed = '\\x00', erased_at = null where sealed is null`),
    /not allowed/,
  )
})

test('the database refuses changes of the log and of its chain', async () => {
  for (const statement of [
    `update audit_entry set actor = 'me'`,
    `update audit_entry set details = details - 'reason', private_id = gen_random_uuid(), private_hash = '\\x00'`,
    'delete from audit_entry',
    `update audit_chain set hash = content_hash`,
    'delete from audit_chain',
    'truncate audit_chain',
    'delete from audit_private',
    'truncate audit_private',
    'truncate audit_unsealed',
  ])
    await assert.rejects(query(statement), /not allowed/, statement)
})

test('a restore that was recorded explains the anchors of the lost time; one that was planted does not', async () => {
  await seal()
  const { position: kept } = await readHead(database.db)
  const [{ to }] = await query('select clock_timestamp()::text as to')
  await done(priceStop, '--reason', 'x')
  await done(priceResume, '--reason', 'x')
  await seal()
  await done(auditAnchor)
  const outside = outsideOf(folder.path)
  const goBack = async (tx: Tx) => {
    await sql`delete from audit_entry e using audit_chain c where c.entry_id = e.id and c.position > ${kept}`.execute(
      tx,
    )
    await sql`delete from audit_chain where position > ${kept}`.execute(tx)
  }
  const restore = (tx: Tx, signed: boolean) =>
    recordRestoration(
      { withLongTransaction: (work) => work(tx) },
      {
        to: Temporal.Instant.from(to.replace(' ', 'T')),
        actor: 'test',
        ...(signed ? { signer: keys.vault() } : {}),
      },
    )
  assert.match((await planted(goBack, outside))[0]!, /chain_cut_off/)
  const faked = await planted(async (tx) => {
    await goBack(tx)
    await restore(tx, false)
  }, outside)
  assert.match(faked[0]!, /chain_cut_off/)
  const restored = await planted(async (tx) => {
    await goBack(tx)
    await restore(tx, true)
  }, outside)
  assert.deepEqual(restored, [])
})

test('after five years the job erases what was typed, says so, and leaves the chain whole', async () => {
  const [{ open }] = await query('select count(*)::int as open from audit_private where sealed is not null')
  assert.ok(open > 0)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await forgetOldRecords({ database, log })
  assert.equal((await query('select from audit_private where sealed is null')).length, 1, 'the one before')
  await advanceClock(database, { seconds: (5 * 366 + 1) * 86_400, actor: 'test' })
  await forgetOldRecords({ database, log })
  assert.deepEqual(await query('select id from audit_private where sealed is not null'), [])
  const [entry] = (await done(auditList, '--action', 'audit.erase')).entries
  assert.deepEqual(
    [entry.actor, entry.details.cause, entry.details.entries.length],
    ['worker', 'retention', open],
  )
  await seal()
  assert.deepEqual((await verdict(outsideOf(folder.path))).findings, [])
})
