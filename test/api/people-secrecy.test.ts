import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { assertHides } from '#test/hidden.ts'
import { showUser } from '#test/operator.ts'
import { ASSET, ciOf, HASH, SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { call, startService } from '#test/service.ts'

// Canaries: whatever is told of a person, in good calls and bad ones, at the log's chattiest level.
const service = await startService({ logLevel: 'trace' })
const mine = await service.addPartner({ keyFormat: 'custom', keyPattern: 'own-[0-9]+' })
const { code } = mine.partner

const SAID = {
  name: '남궁카나리아',
  birthday: '19770707',
  nationality: 'K',
  mdn: '01077665544',
  gender: 'F',
  ci: ciOf('canary'),
}
const CHANGED = { ...SAID, name: '독고카나리아', mdn: '01044556677' }
const SECRETS = [SAID.name, CHANGED.name, SAID.birthday, SAID.mdn, CHANGED.mdn, SAID.ci, SAID.ci.slice(0, 40)]

const signUp = (body: unknown, headers?: Record<string, string>) => mine.post(SIGNUP, body, headers)
const body = signupOf(code, 'x', { partnerKey: 'own-1', userInfo: SAID, traceNo: SAID.mdn })

test('calls of every kind are made', async () => {
  const problem = { accept: 'application/problem+json' }
  const answers = [
    await signUp(body),
    await signUp(body),
    await signUp({ ...body, userInfo: CHANGED }),
    await signUp({ ...body, partnerKey: 'own-2' }),
    await signUp({ ...body, userInfo: { ...SAID, ci: `${SAID.ci}x` } }, problem),
    await signUp({ ...body, userInfo: { ...SAID, birthday: '20990707' } }, problem),
    await signUp({ ...body, partnerKey: SAID.name }, problem),
    await signUp(JSON.stringify(body).slice(0, -5), problem),
    await signUp({ ...body, partner: SAID.mdn }),
    await mine.post(HASH, { partner: code, partnerKey: 'own-1' }),
    await mine.post(HASH, { partner: code, partnerKey: SAID.mdn }),
    await mine.get(`${ASSET}?source=${code}&partnerKey=${encodeURIComponent(SAID.name)}`),
    await mine.get(`${ASSET}?source=${SAID.mdn}&partnerKey=own-1`),
    await mine.get(`/nowhere/${SAID.mdn}?ci=${encodeURIComponent(SAID.ci)}`),
  ]
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200, 409, 400, 400, 400, 400, 403, 200, 404, 404, 403, 404],
  )
  // What is wrong is named by place, never by value.
  for (const { text, status } of answers) {
    if (status === 200) continue
    assertHides(text, SECRETS, text)
  }
})

test('the log at every level holds nothing of a person, and no hash key', async () => {
  const { hashKey } = (await mine.post(HASH, { partner: code, partnerKey: 'own-1' })).body
  await call(`${service.url}/webview/${hashKey}`, { redirect: 'manual' })
  const log = service.log.join('')
  assert.ok(service.log.length > 10)
  assertHides(log, [...SECRETS, hashKey, mine.key], 'the log')
})

test('a dump of the database holds nothing of a person, and no hash key', async () => {
  const { hashKey } = (await mine.post(HASH, { partner: code, partnerKey: 'own-1' })).body
  const { rows: tables } = await service.database.pool.query(
    `select tablename from pg_tables where schemaname = 'public'`,
  )
  let dump = ''
  for (const { tablename } of tables) {
    const { rows } = await service.database.pool.query(`select t::text as row from ${tablename} t`)
    dump += rows.map(({ row }) => row).join('\n')
  }
  assert.ok(dump.includes('own-1'), 'the dump is of the right database')
  const forms = (secret: string) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
  assertHides(dump, [...SECRETS, hashKey].flatMap(forms), 'the dump')
})

test('a row moved to another person does not open', async () => {
  await signUp(signupOf(code, 'other', { partnerKey: 'own-9' }))

  const vault = (await openVaultKeeper(service.database, TEST_RING_STORE)).vault()
  const show = () =>
    showUser(service.database, vault, {
      partner: code,
      partnerKey: 'own-9',
      revealReason: undefined,
      actor: 'test',
    })
  const kept = (
    await service.database.pool.query(`select details from partner_user where partner_key = 'own-9'`)
  ).rows
  assert.equal((await show()).details.mdn, '010-****-5432')
  await service.database.pool.query(
    `update partner_user set details = (select details from partner_user where partner_key = 'own-1')
      where partner_key = 'own-9'`,
  )
  await assert.rejects(show())
  await service.database.pool.query(`update partner_user set details = $1 where partner_key = 'own-9'`, [
    kept[0].details,
  ])
})
