import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createMetrics } from '#app/metrics.ts'
import { generateKeyRing, type KeyRingFile, parseKeyRing, withNewKeys } from '#base/crypto/key-ring.ts'
import { createBuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { personOf } from '#test/people.ts'
import { startService } from '#test/service.ts'
import { writingBy } from '#test/writing-by.ts'

// What becomes of a process that seals with keys the database has left behind, without waiting for its luck.
const service = await startService()
const { database } = service
const { partner } = await service.addPartner()
const metrics = createMetrics()

let file: KeyRingFile = generateKeyRing(true)
const store = {
  read: () => parseKeyRing(JSON.stringify(file)),
  renew: () => Promise.reject(new Error('renewed by the test')),
}
const keys = await openVaultKeeper(database, store)

// All statements that write sealed values, with what the database answered first.
const answers: string[] = []
const watched = writingBy(database, (write) => async (statement, values) => {
  const rows = await write(statement, values)
  // A batch of purchases answers with how many were issued, and with the others one by one.
  const [first] = rows as { outcome?: string; issued?: number; others?: [number, string][] | null }[]
  const outcome = first?.issued === undefined ? first?.outcome : (first.others?.[0]?.[1] ?? 'issued')
  if (outcome !== undefined) answers.push(outcome)
  return rows as never
})
const buyGiftCard = createBuyGiftCard({ database: watched, keys, numberKey: keys.numberKey, metrics })
const signUp = createSignUpPartnerUser({ database: watched, keys, metrics })

const buy = () =>
  buyGiftCard({
    partnerId: partner.id,
    keyId: 'test',
    phoneNumber: '+821012345678',
    amount: 1n,
    idempotencyKey: undefined,
  })
function register(person: string) {
  const { ci, nationality, gender, ...rest } = personOf(person)
  return signUp({
    partnerId: partner.id,
    partnerKey: undefined,
    ci,
    details: { ...rest, nationality: 'K', gender: 'F' },
    consents: [],
    registeredBy: 'test',
    actor: 'test',
  })
}

async function putInForce(encryption: string, index: string, next: string | null): Promise<void> {
  await sql`update installation set key_epoch = key_epoch + 1, encryption_key = ${encryption}, index_key = ${index},
    next_index_key = ${next}`.execute(database.db)
}
const sealedWith = (table: string, column: string) =>
  sql<{ key: string }>`select sealed_under(${sql.ref(column)}) as key from ${sql.table(table)}`
    .execute(database.db)
    .then(({ rows }) => rows.map((row) => row.key).sort())

test('nothing is written with keys of an earlier epoch: it is sealed again and repeated', async () => {
  await buy()
  await register('before')
  file = withNewKeys(file)
  const [e2, i2] = [file.encryption.current, file.index.current]
  await putInForce(e2, 'i1', i2)
  answers.length = 0
  const [card, person] = [await buy(), await register('after')]
  assert.deepEqual([card.kind, person.kind], ['issued', 'new'])
  assert.deepEqual(answers, ['stale_keys', 'issued', 'new'])
  assert.deepEqual(await sealedWith('gift_card', 'recipient'), ['e1', e2])
  assert.deepEqual(await sealedWith('member', 'ci'), ['e1', e2])
})

test('while both index keys are in force, people are found under either', async () => {
  assert.equal((await register('before')).kind, 'known')
  assert.equal((await register('after')).kind, 'known')
  const { rows } = await sql<{ under: string[] }>`
    select array_agg(key_id order by key_id) as under from member_ci group by member_id`.execute(database.db)
  assert.deepEqual(
    rows.map((row) => row.under),
    [
      ['i1', file.index.current],
      ['i1', file.index.current],
    ],
  )
  await putInForce(file.encryption.current, file.index.current, null)
  assert.deepEqual([(await register('before')).kind, (await register('after')).kind], ['known', 'known'])
})

test('a ring without the keys in force answers 503 and writes nothing', async () => {
  await putInForce('e9', file.index.current, null)
  await assert.rejects(buy(), /the key ring does not hold e9/)
  assert.equal((await sealedWith('gift_card', 'recipient')).length, 2)
  await putInForce(file.encryption.current, file.index.current, null)
  await buy()
  // What the harness checks at the end is that no row is under an old key: here there are, by design.
  await sql`
    with begun as (insert into audit_entry (actor, action, subject) values ('test', 'keys.rotate', 'installation'))
    update installation set rotating_since = now()`.execute(database.db)
})
