import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { rotationWords } from '#app/commands/vault-keys.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createMetrics } from '#app/metrics.ts'
import {
  generateKeyRing,
  type KeyRingFile,
  type KeyRingStore,
  parseKeyRing,
  withNewKeys,
} from '#base/crypto/key-ring.ts'
import { type Database, openDatabase } from '#base/db/db.ts'
import { Unavailable } from '#base/db/errors.ts'
import { createLog } from '#base/log.ts'
import { createReadInbox } from '#flows/deliveries/read-inbox.ts'
import { createBuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import type { RotateDeps } from '#flows/installation/rotate-keys.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { finishRotation } from '#jobs/finish-rotation.ts'
import { newTerms } from '#modules/partners/rules.ts'
import { markSent } from '#test/deliveries.ts'
import { registerPartner, resumeRotation, rotateKeys } from '#test/operator.ts'
import { personOf } from '#test/people.ts'
import { createTestDatabase, TEST_SCHEMA } from '#test/postgres.ts'
import { assertBooks } from '#test/service.ts'

// A rotation that is cut off before or after each of its transactions, and taken up by a process that has not
// heard of it yet.
// No service runs here: it would be waited for.
const on = await createTestDatabase()
const database = openDatabase({ connection: on.connection, maxConnections: 12, onIdleError: () => {} })
after(async () => {
  await assertBooks(database)
  await database.close()
  await on.drop()
})
const { partner } = await registerPartner(database, {
  code: 'acme',
  terms: { name: 'Acme', ...newTerms('sandbox') },
  actor: 'test',
})
const metrics = createMetrics()

let file: KeyRingFile = generateKeyRing(true)
const ring: KeyRingStore = {
  read: () => parseKeyRing(JSON.stringify(file)),
  async renew() {
    file = withNewKeys(file)
    return { kind: 'renewed', ring: ring.read() }
  },
}
const keys = await openVaultKeeper(database, ring)
const signUp = createSignUpPartnerUser({ database, keys, metrics })
const buyGiftCard = createBuyGiftCard({ database, keys, numberKey: keys.numberKey, metrics })

function register(person: string) {
  const { ci, name, birthday, mdn } = personOf(person)
  return signUp({
    partnerId: partner.id,
    partnerKey: undefined,
    ci,
    details: { name, birthday, mdn, nationality: 'K', gender: 'F' },
    consents: [],
    registeredBy: 'test',
    actor: 'test',
  })
}
const RECIPIENT = '+821012345678'
const people = Array.from({ length: 5 }, (_, i) => `person ${i}`)
const userKeys = new Map<string, string>()
for (const person of people) {
  const user = await register(person)
  assert.ok(user.kind === 'new')
  userKeys.set(person, user.userKey)
  const bought = await buyGiftCard({
    partnerId: partner.id,
    keyId: 'test',
    phoneNumber: RECIPIENT,
    amount: 1n,
    idempotencyKey: undefined,
  })
  assert.ok(bought.kind === 'issued')
  await markSent({ database }, bought.card.giftId)
}

class Cut extends Error {}

// The database, with every transaction made by `step`.
function stepping(step: <Result>(make: () => Promise<Result>) => Promise<Result>): Database {
  return {
    ...database,
    withTransaction: (work) => step(() => database.withTransaction(work)),
    withLongTransaction: (work) => step(() => database.withLongTransaction(work)),
  }
}

// The nth transaction is not begun, or commits and its caller is gone.
function cutting(n: number, when: 'before' | 'after'): Database {
  let transactions = 0
  return stepping(async (make) => {
    transactions += 1
    if (transactions === n && when === 'before') throw new Cut()
    const result = await make()
    if (transactions === n) throw new Cut()
    return result
  })
}

const depsOf = (on: Database, keeper: RotateDeps['keys'] = keys): RotateDeps => ({
  database: on,
  keys: keeper,
  ring,
  actor: 'test',
  schemaVersion: TEST_SCHEMA.version,
  onProgress: () => {},
})

async function keysInUse(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select sealed_under(recipient) as key from gift_card union select sealed_under(pin) from gift_card
    union select index_key from gift_card union select sealed_under(ci) from member
    union select key_id from member_ci union select sealed_under(details) from partner_user
    union select index_key from partner_user order by key`.execute(database.db)
  return rows.map((row) => row.key)
}

async function assertEveryoneIsKnown(): Promise<void> {
  for (const [person, userKey] of userKeys) {
    const user = await register(person)
    assert.deepEqual([user.kind, user.kind === 'known' && user.userKey], ['known', userKey])
  }
}

// By a process that has not heard of the rotation, too.
async function assertInboxIsWhole(keeper: RotateDeps['keys']): Promise<void> {
  const imprint = { registerUrl: 'https://ingot.example', contact: 'test' }
  const inbox = await createReadInbox({ database, keys: keeper, imprint })({ to: RECIPIENT, kind: 'card' })
  assert.deepEqual(new Set(inbox.map((message) => message.to)), new Set([RECIPIENT]))
  assert.equal(inbox.length, 2 * people.length)
}

const CUTS = 12 // as many transactions as a rotation of these few rows has, and one more
for (let n = 1; n <= CUTS; n += 1) {
  for (const when of ['before', 'after'] as const) {
    test(`cut ${when} transaction ${n}, and taken up by one who knows nothing of it`, async () => {
      const stale = await openVaultKeeper(database, ring)
      const rotated = await rotateKeys(depsOf(cutting(n, when))).then(
        () => true,
        (error) => {
          assert.ok(error instanceof Cut, error)
          return false
        },
      )
      assert.ok(!rotated || n >= CUTS - 1, `a rotation has ${n} transactions or fewer`)
      await assertEveryoneIsKnown()
      await assertInboxIsWhole(stale)
      await assertBooks(database)
      const resumed = await resumeRotation(depsOf(database, stale))
      if (resumed.kind === 'none' && !rotated) await rotateKeys(depsOf(database, stale))
      assert.deepEqual(await keysInUse(), [file.encryption.current, file.index.current])
      await assertEveryoneIsKnown()
      await assertBooks(database)
    })
  }
}

test('only one at a time', async () => {
  const holder = await database.pool.connect()
  await holder.query('select pg_advisory_lock(4857103)')
  await assert.rejects(rotateKeys(depsOf(database)), /rotation_running/)
  holder.release(true)
})

for (const n of [1, 2, 3, 5]) {
  test(`one that lost its lock and was overtaken after transaction ${n} stops, and undoes nothing`, async () => {
    let transactions = 0
    const slow = stepping(async (make) => {
      const result = await make()
      transactions += 1
      if (transactions === n) {
        // Another process finishes for it, and rotates once more.
        await database.pool.query('select pg_terminate_backend(pid) from pg_locks where objid = 4857103')
        await sleepUntilFree()
        await rotateKeys(depsOf(database))
        await rotateKeys(depsOf(database))
      }
      return result
    })
    await assert.rejects(rotateKeys(depsOf(slow)), /rotation_taken_over/)
    assert.deepEqual(await keysInUse(), [file.encryption.current, file.index.current])
    await assertEveryoneIsKnown()
  })
}

async function sleepUntilFree(): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query('select from pg_locks where objid = 4857103')
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('one stops when a newer release has migrated, and is left to that release', async () => {
  const NEWER = `insert into schema_migration (version, name, checksum, compatible_with) values (9999, '9999_next', 'x', 1)`
  let transactions = 0
  const overtaken = stepping(async (make) => {
    const result = await make()
    transactions += 1
    if (transactions === 2) await database.pool.query(NEWER)
    return result
  })
  await assert.rejects(rotateKeys(depsOf(overtaken)), /newer_release/)
  await assert.rejects(resumeRotation(depsOf(database)), /newer_release/)
  await assertEveryoneIsKnown()
  const newer = { ...depsOf(database), schemaVersion: 9999 }
  assert.equal((await resumeRotation(newer)).kind, 'done')
  await assert.rejects(rotateKeys(depsOf(database)), /newer_release/)
  await database.pool.query('delete from schema_migration where version = 9999')
  assert.deepEqual(await keysInUse(), [file.encryption.current, file.index.current])
})

test('a rotation is not gone on with by another ring than the one it was begun with', async () => {
  await assert.rejects(rotateKeys(depsOf(cutting(3, 'before'))), Cut)
  const begun = file
  file = { ...file, index: { ...file.index, current: 'i1' } }
  await assert.rejects(resumeRotation(depsOf(database)), /ring_of_another_rotation/)
  await assertEveryoneIsKnown()
  file = begun
  assert.equal((await resumeRotation(depsOf(database))).kind, 'done')
  await assertBooks(database)
})

test('a rotation that ended while the worker waited for the lock is not begun again', async () => {
  await assert.rejects(rotateKeys(depsOf(cutting(3, 'before'))), Cut)
  const connect = async () => {
    await rotateKeys(depsOf(database))
    return database.pool.connect()
  }
  const late = { ...database, pool: { connect } as unknown as Database['pool'] }
  const ended = file
  assert.equal((await resumeRotation(depsOf(late))).kind, 'none')
  assert.equal(file, ended)
})

test('a commit that nobody heard of is not taken for somebody else', async () => {
  // The first and the last transaction are made, and their connection breaks: each is repeated.
  let transactions = 0
  const lossy = stepping(async (make) => {
    const result = await make()
    transactions += 1
    const { rows } = await sql<{
      on: boolean
    }>`select rotating_since is not null as on from installation`.execute(database.db)
    if (transactions === 1 || (!rows[0]!.on && !lost)) {
      lost = transactions > 1
      throw new Unavailable('the connection broke')
    }
    return result
  })
  let lost = false
  await rotateKeys(depsOf(lossy))
  assert.ok(lost)
  assert.deepEqual(await keysInUse(), [file.encryption.current, file.index.current])
  await assertBooks(database)
})

test('a ring whose current keys are older than those in force is not gone back to', async () => {
  const now = file
  file = {
    ...file,
    encryption: { ...file.encryption, current: 'e1' },
    index: { ...file.index, current: 'i1' },
  }
  await assert.rejects(rotateKeys(depsOf(database)), /ring_outdated/)
  file = now
  assert.deepEqual(await keysInUse(), [file.encryption.current, file.index.current])
})

test('two rings renewed apart: the other process is waited for, not taken at its word', async () => {
  const apart = withNewKeys(file)
  const other = await openVaultKeeper(database, { ...ring, read: () => parseKeyRing(JSON.stringify(apart)) })
  const announcement = other.announce(
    () => [],
    () => {},
  )
  await announcement.made
  let waited = 0
  const stop = new Error('waited long enough')
  const deps: RotateDeps = {
    ...depsOf(database),
    onProgress() {
      waited += 1
      throw stop
    },
  }
  await assert.rejects(rotateKeys(deps), stop)
  assert.equal(waited, 1)
  await announcement.remove()
  await rotateKeys(depsOf(database))
  await assertBooks(database)
})

test('the job finishes what was begun, says so, and is quiet when there is nothing to do', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const job = {
    database,
    keys,
    keyRing: ring,
    log,
    schemaVersion: TEST_SCHEMA.version,
    explain: rotationWords,
  }
  await finishRotation(job)
  assert.deepEqual(lines, [])
  await assert.rejects(rotateKeys(depsOf(cutting(2, 'after'))), Cut)
  await finishRotation(job)
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /key rotation finished/)
  assert.deepEqual(await keysInUse(), [file.encryption.current, file.index.current])
})
