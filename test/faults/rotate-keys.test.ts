import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { parseKeyRing } from '#base/crypto/key-ring.ts'
import { createVault } from '#base/crypto/vault.ts'
import { writeSecrets } from '#test/installed-folder.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { createTestDatabase } from '#test/postgres.ts'
import { ingot, startServer, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'

// Two servers on one database, callers that never stop, and keys that change under them.
const database = await createTestDatabase()
const folder = temporaryFolder()
after(async () => {
  await database.drop()
  folder.remove()
})
const settings = { DATABASE_URL: database.url, DATA_DIR: folder.path }
writeSecrets(settings.DATA_DIR)
const secrets = join(settings.DATA_DIR, 'secrets.json')
const json = { 'content-type': 'application/json' }

// One of a single process, one with a supervisor and two API processes.
const servers = [await startServer(settings), await startServer({ ...settings, INGOT_PROCESSES: '2' })]
await ingot(
  settings,
  'partner',
  'add',
  'acme',
  '--name',
  'Acme',
  '--network',
  '127.0.0.1',
  '--rate-limit',
  '0',
)
const { key } = JSON.parse((await ingot(settings, 'key', 'issue', 'acme', '--json')).stdout)
const authorization = `Bearer ${key}`

async function query<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const signUp = (url: string, person: string) =>
  call(`${url}${SIGNUP}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(signupOf('acme', person)),
  })

const post = (url: string, body: object) =>
  call(url, { method: 'POST', headers: { ...json, authorization }, body: JSON.stringify(body) })

// Callers that go on until they are told to stop; what was answered other than 200 is kept.
function startCallers() {
  const failures: string[] = []
  const keys = new Map<string, string>()
  let calls = 0
  let going = true
  async function caller(n: number): Promise<void> {
    for (let i = 0; going; i += 1) {
      const { url } = servers[(n + i) % 2]!
      // Half of them are people who are known already, so that they must be found under either key.
      const person = `person ${n} ${i % 2 ? i : 0}`
      const answer = await signUp(url, person)
      calls += 1
      if (answer.status !== 200) failures.push(`signup ${answer.status}`)
      else if ((keys.get(person) ?? answer.body.userKey) !== answer.body.userKey) failures.push('another key')
      else keys.set(person, answer.body.userKey)
      for (const made of [
        await post(`${url}${BUY}`, { phoneNumber: PHONE, amount: 1000 }),
        await post(`${url}${HASH}`, { partner: 'acme', partnerKey: answer.body.userKey }),
      ]) {
        calls += 1
        if (made.status !== 200) failures.push(`${made.status}`)
      }
      await sleep(20) // each row has to be sealed again
    }
  }
  const callers = Array.from({ length: 6 }, (_, n) => caller(n))
  return {
    async stop() {
      going = false
      await Promise.all(callers)
      return { failures, calls, keys }
    },
  }
}

const UNDER = `
  select key, count(*)::int as rows from (
    select sealed_under(recipient) as key from gift_card union all
    select sealed_under(pin) from gift_card where pin is not null union all
    select index_key from gift_card union all
    select sealed_under(ci) from member union all
    select key_id from member_ci union all
    select sealed_under(details) from partner_user union all
    select index_key from partner_user) used group by key order by key`

test('keys change twice under load: no call fails, nobody is registered twice, no row stays behind', async () => {
  const [voided] = (
    await Promise.all([post(`${servers[0]!.url}${BUY}`, { phoneNumber: PHONE, amount: 1 })])
  ).map((answer) => answer.body.data.giftId)
  await ingot(settings, 'card', 'void', voided, '--reason', 'test')
  const copy = join(folder.path, 'old-secrets.json')
  copyFileSync(secrets, copy)
  const callers = startCallers()
  await sleep(500)
  let inForce: string[] = []
  for (const expected of ['2', '3']) {
    const run = await ingot(settings, 'keys', 'rotate', '--json')
    assert.equal(run.code, 0, run.stderr)
    const { encryption, index, rows } = JSON.parse(run.stdout)
    assert.match(`${encryption} ${index}`, new RegExp(`^e${expected}[0-9a-z]{6} i${expected}[0-9a-z]{6}$`))
    inForce = [encryption, index]
    assert.ok(rows > 0)
  }
  const { failures, calls, keys } = await callers.stop()
  assert.deepEqual(failures, [], `of ${calls} calls`)
  assert.ok(calls > 200, `${calls} calls`)
  assert.deepEqual(
    (await query<{ key: string }>(UNDER)).map((row) => row.key),
    inForce,
  )
  // Who rotated and from where; and what was sealed apart before is still what its entry was written with.
  const audit = async (action: string) =>
    JSON.parse((await ingot(settings, 'audit', 'list', '--action', action, '--json')).stdout).entries
  for (const action of ['keys.rotate', 'keys.rotated']) {
    const entries = await audit(action)
    assert.equal(entries.length, 2, action)
    assert.match(entries[0].actor, /^cli:/)
    assert.equal(entries[0].from.by, 'command line')
  }
  const [cardVoid] = await audit('card.void')
  assert.deepEqual([cardVoid.details.reason, cardVoid.from.by], ['test', 'command line'])
  const [{ people }] = (await query<{ people: number }>('select count(*)::int as people from member')) as [
    { people: number },
  ]
  assert.equal(people, keys.size)
  const verify = await ingot(settings, 'verify')
  assert.equal(verify.code, 0, verify.stdout)

  // Whoever has an old copy of the ring and a new dump can read nothing.
  const old = parseKeyRing(JSON.stringify(JSON.parse(readFileSync(copy, 'utf8')).keyRing))
  const vault = createVault(old, { epoch: 1, encryption: 'e1', index: 'i1', nextIndex: null })
  const [card] = await query<{ id: string; recipient: Buffer }>('select id, recipient from gift_card limit 1')
  const place = { table: 'gift_card', column: 'recipient', row: card!.id }
  assert.throws(() => vault.open(place, card!.recipient), /does not hold/)
})

// Kills the command at the moment that the database says it is in the middle.
async function killInTheMiddle(isThere: () => Promise<boolean>): Promise<boolean> {
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))
  const child = spawn(process.execPath, [main, 'keys', 'rotate'], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  })
  let ended = false
  const exit = new Promise((resolve) => child.once('exit', resolve)).then(() => {
    ended = true
  })
  while (!ended && !(await isThere())) await sleep(1)
  child.kill('SIGKILL')
  await exit
  return (await query<{ on: boolean }>('select rotating_since is not null as on from installation'))[0]!.on
}

test('a rotation that is killed in the middle is finished by the next one', async () => {
  const begun = async () =>
    (await query<{ on: boolean }>('select rotating_since is not null as on from installation'))[0]!.on
  let kills = 0
  for (let i = 0; i < 3; i += 1) {
    if (await killInTheMiddle(begun)) kills += 1
    assert.equal((await signUp(servers[0]!.url, 'person 0 0')).body.newUserYn, 'N')
    const verify = await ingot(settings, 'verify')
    assert.equal(verify.code, 0, verify.stdout)
  }
  assert.ok(kills > 0, 'no kill came in the middle')
  const run = await ingot(settings, 'keys', 'rotate', '--json')
  assert.equal(run.code, 0, run.stderr)
  const { encryption, index } = JSON.parse(run.stdout)
  assert.deepEqual(
    (await query<{ key: string }>(UNDER)).map((row) => row.key),
    [encryption, index],
  )
})

test('a serving process that has not read the new keys is waited for', async () => {
  // One that was last heard of nine seconds ago and counts as gone after fifteen.
  await query(
    `insert into process (id, keys, seen_at) values (gen_random_uuid(), '{}', now() - interval '9 seconds')`,
  )
  const run = await ingot(settings, 'keys', 'rotate')
  assert.equal(run.code, 0, run.stderr)
  assert.match(run.stderr, /waiting for processes to read the new keys .*: 1/)
  await query(`delete from process where keys = '{}'`)
})

test('a process whose ring lacks the keys in force refuses to start', async () => {
  const elsewhere = temporaryFolder()
  const ring = join(elsewhere.path, 'secrets.json')
  copyFileSync(secrets, ring)
  await ingot(settings, 'keys', 'rotate')
  const run = await ingot({ ...settings, DATA_DIR: elsewhere.path }, 'verify')
  assert.equal(run.code, 1)
  assert.match(run.stderr, /the key ring does not hold e\w+, which is in force: give the newest copy/)
  elsewhere.remove()
})

test('the servers stop in order', async () => {
  assert.deepEqual(await Promise.all(servers.map((server) => server.kill('SIGTERM'))), [0, 0])
  assert.deepEqual(await query('select id from process'), [])
})
