import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import {
  generateKeyRing,
  type KeyRingFile,
  type KeyRingStore,
  parseKeyRing,
  withNewKeys,
} from '#base/crypto/key-ring.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import { openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { createManagePasskeys } from '#flows/accounts/manage-passkeys.ts'
import { createOnboarding } from '#flows/accounts/onboarding.ts'
import { createSignUpMember } from '#flows/accounts/sign-up-member.ts'
import {
  createBeginVerification,
  createFindVerification,
  createRecordProof,
} from '#flows/accounts/verify-identity.ts'
import { writeDeviceNotice, writeNotice } from '#flows/deliveries/write-notices.ts'
import { withVault } from '#flows/kit/with-vault.ts'
import { findMembers } from '#flows/members/find-member.ts'
import { createContinueSession } from '#flows/sessions/continue-session.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { findAccountByLogin } from '#modules/accounts/store.ts'
import { lockSendableNotices } from '#modules/deliveries/notices/sending.ts'
import { openNotice } from '#modules/deliveries/notices/store.ts'
import { takeOverJobs } from '#modules/deliveries/store.ts'
import { newPin } from '#modules/gift-cards/pin.ts'
import { insertPasskey } from '#modules/passkeys/store.ts'
import { rotateKeys } from '#test/operator.ts'
import { ciOf } from '#test/people.ts'
import { createTestDatabase, TEST_SCHEMA } from '#test/postgres.ts'
import { assertBooks } from '#test/service.ts'

// The keys change while people sign up. No service runs here: it would be waited for.
const on = await createTestDatabase()
const database = openDatabase({ connection: on.connection, maxConnections: 6, onIdleError: () => {} })
after(async () => {
  await assertBooks(database)
  await database.close()
  await on.drop()
})
let file: KeyRingFile = generateKeyRing(true)
const ring: KeyRingStore = {
  read: () => parseKeyRing(JSON.stringify(file)),
  async renew() {
    file = withNewKeys(file)
    return { kind: 'renewed', ring: ring.read() }
  },
}
const passwords = createPasswords()
const today = Temporal.PlainDate.from('2026-11-15')
const browser = {
  sessions: [],
  devices: [],
  deviceLabel: '',
  address: '203.0.113.1',
  language: 'ko',
} as const

function processOf(keys: VaultKeeper) {
  const deps = { database, keys, queue: createWorkQueue() }
  const begin = createBeginVerification(deps)
  const prove = createRecordProof(deps)
  const signUp = createSignUpMember({ ...deps, passwords })
  return {
    find: createFindVerification(deps),
    continueSession: createContinueSession(deps),
    async proven(name: string) {
      const wish = { purpose: 'sign_up' as const, sessionId: null, mdn: '01055550001', provider: 'test' }
      const { id } = await begin(wish)
      const person = { ci: ciOf(name), name, birthday: '19900131', gender: 'F' as const, mdn: wish.mdn }
      const proof = await prove({ id, person: { ...person, isForeigner: false }, session: null, today })
      assert.equal(proof.kind, 'proven')
      return id
    },
    signUp: (verificationId: string, loginId: string) =>
      signUp({
        verificationId,
        login: { id: loginId, password: 'correct horse battery' },
        marketing: false,
        versions: { terms: '2026-11-16', privacy: '2026-11-16' },
        browser,
      }),
  }
}

const quick = processOf(await openVaultKeeper(database, ring))
// One that hears of the change only when the database tells it.
const slow = processOf(await openVaultKeeper(database, ring))

const rotate = async () =>
  rotateKeys({
    database,
    keys: await openVaultKeeper(database, ring),
    ring,
    actor: 'test',
    schemaVersion: TEST_SCHEMA.version,
    onProgress() {},
  })

test('what was sealed before is sealed anew, and goes on', async () => {
  const signedUp = await quick.signUp(await quick.proven('하나'), 'hana')
  assert.ok(signedUp.kind === 'opened')
  const waiting = await slow.proven('두리')
  const account = (await findAccountByLogin(database.db, 'hana'))!
  const keys = await openVaultKeeper(database, ring)
  await withVault({ database, keys }, (tx, vault) => writeDeviceNotice(tx, vault, account, 'Chrome'))
  // With the notice that an open account's passkey has.
  const passkey = newId<'passkey'>()
  await withVault({ database, keys }, async (tx, vault) => {
    const name = vault.seal({ table: 'passkey', column: 'name', row: passkey }, '내 전화')
    const key = { credentialId: Buffer.alloc(16), publicKey: Buffer.alloc(77), counter: 0, transports: [] }
    const made = { ...key, backupEligible: true, backedUp: true, id: passkey, accountId: account.id, name }
    assert.ok(await insertPasskey(tx, made))
    await writeNotice(tx, vault, account, { purpose: 'passkey_added', values: { device: 'Chrome' } })
  })
  const { rows } = await rotate()
  assert.ok(rows >= 6, 'the member, the account, the passkey, two notices and what waits')
  const vault = await keys.refresh()
  const manage = createManagePasskeys({ database, keys }, { id: 'localhost', origin: 'http://localhost' })
  const [shown] = await manage.list({ accountId: account.id, sessionId: newId() })
  assert.equal(shown?.name, '내 전화')
  const [notice] = await database.withTransaction(async (tx) => {
    const ids = await takeOverJobs(tx, 'notice', { channel: 'text', room: 10 })
    return lockSendableNotices(tx, { ids, withDoubtful: false })
  })
  const said = openNotice(vault, notice!.message, { pagesUrl: 'https://ingot.example/', contact: 'test' })
  assert.equal(said?.to, '+821055550001')
  assert.match(said?.text.text ?? '', /기기: Chrome/)
  const after = processOf(await openVaultKeeper(database, ring))
  const continued = await after.continueSession('member', [signedUp.session.reveal()])
  assert.ok(continued.kind === 'continued')
  assert.deepEqual([continued.visitor.name, continued.visitor.loginId], ['하나', 'hana'])
  assert.equal((await after.find(waiting))?.mdn, '01055550001')
  assert.equal((await slow.signUp(waiting, 'duri')).kind, 'opened')
})

test('people are found by name and number before, during and after a change of keys', async () => {
  const found = async () => {
    const keys = await openVaultKeeper(database, ring)
    const by = (kind: 'phone' | 'name', text: string) =>
      findMembers({ database, keys }, { by: kind, text, actor: 'test' })
    const { members } = await by('name', '하나')
    return [members.map(({ loginId }) => loginId), (await by('phone', '010-5555-0001')).members.length]
  }
  const everybody = [['hana'], 2]
  assert.deepEqual(await found(), everybody)
  // Cut off after some were sealed anew: both keys are in force, and rows are under either.
  const cutOff = rotateKeys({
    database,
    keys: await openVaultKeeper(database, ring),
    ring,
    actor: 'test',
    schemaVersion: TEST_SCHEMA.version,
    onProgress(what) {
      if (what === 'accounts') throw new Error('cut off')
    },
  })
  await assert.rejects(cutOff, /cut off/)
  assert.deepEqual(await found(), everybody)
  await rotate()
  assert.deepEqual(await found(), everybody)
})

test('a card in hand and a code on its way go on under the new keys', async () => {
  const keys = await openVaultKeeper(database, ring)
  const onboarding = createOnboarding({ database, keys, queue: createWorkQueue() })
  const pin = newPin()
  const { token } = await onboarding.keepCard([], { pin, told: null })
  await rotate()
  const again = createOnboarding({
    database,
    keys: await openVaultKeeper(database, ring),
    queue: createWorkQueue(),
  })
  assert.equal((await again.findPin([token.reveal()]))?.reveal(), pin.reveal())
  // One that has not heard of the change reads what the other wrote, and writes under the keys in force.
  await onboarding.noteRegistered([token.reveal()])
  assert.equal((await again.find([token.reveal()]))?.content.card?.registered, true)
})

test('a person is one person, whichever process and keys find them', async () => {
  await rotate()
  const again = await slow.signUp(await quick.proven('하나'), 'hana.again')
  assert.deepEqual(again, { kind: 'refused', reason: 'already_member' })
  const { rows } = await database.pool.query('select count(*)::int as count from member')
  assert.equal(rows[0].count, 2)
})

test('people who sign up while the keys change', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `사람 ${i}`)
  const people = names.map(async (name, i) => {
    const one = i % 2 ? quick : slow
    return one.signUp(await one.proven(name), `person${i}`)
  })
  await rotate()
  const outcomes = await Promise.all(people)
  assert.ok(outcomes.every(({ kind }) => kind === 'opened'))
})
