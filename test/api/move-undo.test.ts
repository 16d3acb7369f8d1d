import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { withDatabase } from '#app/move/open-target.ts'
import { sealEntries } from '#flows/audit/seal-entries.ts'
import { beginUndo } from '#flows/installation/record-move.ts'
import { makePlace, type Place } from '#test/moving.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { ingot } from '#test/process.ts'
import { startService, type TestService } from '#test/service.ts'

// The undo of a completed move goes back to an earlier time: the target may have served since.
const source = await makePlace('template')
const service = await startService({
  beside: { on: { ...source, drop: async () => {} }, companions: [] } as unknown as TestService,
})
const partner = await service.addPartner()
const bought = await partner.buy({ phoneNumber: '010-2345-6789', amount: 1_000 })
assert.equal(bought.status, 200, bought.text)
await service.stop()

const command = (...words: string[]) => ingot(source.settings, ...words)
const restorations = () =>
  source.query(`select certain_until <= restored_to as "isEarlier", signature is not null as signed,
                       verified_at is not null as verified, released_at from restoration order by service_at`)
const RESTORED = { isEarlier: true, signed: true, released_at: null }
const block = async () => (await source.query('select last_value from gift_card_serial_block'))[0]!.last_value
const undone = async () => {
  const listed = await command('audit', 'list', '--action', 'installation.move_undone', '--json')
  return JSON.parse(listed.stdout).entries[0].details
}
const filesAside = () =>
  readdirSync(source.settings.DATA_DIR).filter((name) => /^audit-anchors\.log\.\d+$/.test(name)).length

// As a worker there does. Both places keep their anchors in the same folder.
async function anchor(place: Place): Promise<void> {
  await withDatabase(place.connection, async (database) =>
    sealEntries({ database, keys: await openVaultKeeper(database, TEST_RING_STORE) }),
  )
  const run = await ingot({ ...source.settings, DATABASE_URL: place.url }, 'audit', 'anchor')
  assert.match(run.stdout, /audit-anchor/, run.stderr)
}

async function moveAway(): Promise<Place> {
  const target = await makePlace('empty')
  const moved = await command('move', '--to', target.url)
  assert.equal(moved.code, 0, moved.stderr)
  return target
}

test('a move that was not completed is undone without a restore', async () => {
  const target = await makePlace('empty')
  await source.query(
    `insert into installation_move (id, state, target, begun_by)
    values (gen_random_uuid(), 'stopped', $1, 'test')`,
    [target.url],
  )
  const { code, stdout } = await command('move', '--undo', '--json')
  assert.deepEqual([code, JSON.parse(stdout)], [0, { undone: true, target: target.url, wasMoved: false }])
  assert.deepEqual(await restorations(), [])
  assert.equal((await undone()).wasMoved, false)
})

test('the undo of a completed move is a restore: numbers jump, messages wait, anchors begin anew', async () => {
  await anchor(source)
  const target = await moveAway()
  const there = { ...source.settings, DATABASE_URL: target.url }
  assert.equal((await ingot(there, 'partner', 'add', 'later', '--name', 'Later')).code, 0)
  await anchor(target)
  const before = await block()
  const { code, stdout } = await command('move', '--undo')
  assert.equal(code, 0)
  assert.match(stdout, /never run both.*ingot restored report/s)
  assert.deepEqual(await restorations(), [{ ...RESTORED, verified: true }])
  assert.ok(BigInt(await block()) > BigInt(before) + 1_000n, 'card numbers jump')
  const report = await command('restored', 'report', '--json')
  assert.match(report.stdout, /"releasedAt":null.*"provider":"simulated".*"finishedAt":null/, 'messages wait')
  assert.deepEqual(await undone(), { target: (await undone()).target, wasMoved: true })
  assert.equal(filesAside(), 1)
  const verified = await command('verify')
  assert.equal(verified.code, 0, verified.stdout)
  assert.equal((await command('partner', 'add', 'back', '--name', 'Back')).code, 0)
})

test('an undo that was interrupted at once: nothing serves, and the next one knows that the move was completed', async () => {
  await moveAway()
  const [aside, recorded] = [filesAside(), (await restorations()).length]
  assert.equal((await withDatabase(source.connection, beginUndo))?.wasMoved, true)
  const [row] = await source.query('select state from installation_move')
  assert.equal(row!.state, 'moved', 'also for a release before this one')
  assert.match(
    (await command('partner', 'list')).stderr,
    /is being undone here.*run `ingot move --undo` again/,
  )
  assert.match((await command('move', '--to', '/none')).stderr, /`ingot move --undo` was begun here/)
  const { stdout } = await command('move', '--undo')
  assert.match(stdout, /never run both/)
  assert.doesNotMatch(stdout, /remove it/)
  assert.deepEqual([filesAside(), (await restorations()).length], [aside + 1, recorded + 1])
  assert.equal((await undone()).wasMoved, true)
})

test('an undo that was interrupted before its end is done again, and the restore with it', async () => {
  await moveAway()
  const recorded = (await restorations()).length
  await source.query(`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
    create trigger cut_off before delete on installation_move for each row execute function cut_off()`)
  assert.equal((await command('move', '--undo')).code, 1)
  await source.query('drop function cut_off cascade')
  assert.equal((await restorations()).length, recorded + 1)
  assert.match((await command('partner', 'list')).stderr, /is being undone here/, 'nothing serves in between')
  const { code, stdout } = await command('move', '--undo')
  assert.equal(code, 0)
  assert.match(stdout, /never run both/)
  const all = (await restorations()).slice(recorded)
  assert.deepEqual(
    all.map(({ verified, ...rest }) => rest),
    [RESTORED, RESTORED],
  )
  assert.deepEqual(await source.query('select from installation_move'), [])
})
