import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createLog } from '#base/log.ts'
import { MAGIC_NUMBERS } from '#providers/messaging/magic-numbers.ts'
import { approveTemplates, messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { freePort } from '#test/process.ts'
import { call, startService } from '#test/service.ts'

// Canaries: numbers, PINs and names, through messages that arrive, fail, and go astray, at the log's chattiest level.
const SENDER = '카나리아상점'
const NUMBERS = ['01076543219', ...Object.keys(MAGIC_NUMBERS).map((digits) => `0100000${digits}`)]

const port = await freePort()
const standIns = await startStandIns(`http://127.0.0.1:${port}`, { reports: { twice: true } })
const { solapi, nhn } = standIns
const environment = { ...messagingSettings(standIns), PORT: String(port) }
const providerTimeouts = {
  timeouts: { connectMs: 1_000, answerMs: 1_000 },
  pollAfterMs: 1_000,
  absentAfterMs: 2_000,
  retryAfterMs: 1_000,
}
// Without a worker at first, so that jobs wait to be looked at.
const service = await startService({ logLevel: 'trace', environment, providerTimeouts })
await approveTemplates(service)
const mine = await service.addPartner({ name: '이름카나리아', senderName: SENDER })
// What the link in a message carries.
const LINK_CODE = /(?<=\/#)[a-z2-7]{37}(?=\n)/
const PIN = /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/
const query = (text: string, values: unknown[] = []) => service.database.pool.query(text, values)

function secrets(): string[] {
  const texts = [...solapi.phones.all, ...nhn!.phones.all].map(({ text }) => text)
  const pins = texts.flatMap((text) => text.match(PIN)?.[0] ?? [])
  const codes = texts.flatMap((text) => text.match(LINK_CODE)?.[0] ?? [])
  const numbers = NUMBERS.flatMap((national) => {
    const [a, b, c] = [national.slice(0, 3), national.slice(3, 7), national.slice(7)]
    const bare = national.slice(1)
    return [bare, `${a}-${b}-${c}`, `${a} ${b} ${c}`, `10-${b}-${c}`, `${b}-${c}`]
  })
  return [
    SENDER,
    '이름카나리아',
    NUMBERS[0]!.slice(3),
    ...numbers,
    ...codes,
    ...new Set(pins.flatMap((pin) => [pin, pin.replaceAll('-', '')])),
  ]
}

// As it is, in hexadecimal, and in base64 wherever it begins within its three bytes.
function formsOf(secret: string): string[] {
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString('base64')
    return text.slice(shift === 0 ? 0 : shift + 1).replace(/.?=*$/, '')
  })
  return [secret, Buffer.from(secret).toString('hex'), ...shifted]
}

function leaks(text: string): string[] {
  const folded = text.toLowerCase()
  return secrets().filter((secret) =>
    formsOf(secret).some((form) => text.includes(form) || folded.includes(form.toLowerCase())),
  )
}

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
  join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'p')`

async function dump(tables: readonly string[], ask = query): Promise<string> {
  let text = ''
  for (const table of tables) {
    const { rows } = await ask(`select t::text as row from ${table} t`)
    text += `${table}\n${rows.map(({ row }) => row).join('\n')}\n`
  }
  return text
}

async function tablesOf(schema: string): Promise<string[]> {
  return (await query(TABLES, [schema])).rows.map(({ name }) => name)
}

const dumpJobs = async (ask = query) => dump([...(await tablesOf('graphile_worker')), 'job_ever'], ask)

// Whatever a job's row ever held, however short it was there.
async function keepJobs(): Promise<void> {
  await query('create table job_ever (held text)')
  await query(
    `create function keep_job() returns trigger language plpgsql as
     $$ begin insert into job_ever values (new::text); return null; end $$`,
  )
  await query(
    `create trigger kept after insert or update on graphile_worker._private_jobs
       for each row execute function keep_job()`,
  )
}

const open = async () =>
  (await query('select count(*)::int as n from delivery where settled_at is null')).rows[0].n

// Bought before there is a worker: the jobs wait to be looked at.
await keepJobs()
for (const national of NUMBERS) {
  const answer = await mine.buy({ phoneNumber: national, amount: 50_000 })
  assert.equal(answer.status, 200, answer.text)
}
// And one whose PIN cannot be opened any more.
const broken = (await mine.buy({ phoneNumber: NUMBERS[0], amount: 52_000 })).body.data.giftId
await query(`update gift_card set pin = set_byte(pin, 19, get_byte(pin, 19) # 255) where id = $1`, [broken])
const waiting = await dumpJobs()
const payloads = (await query('select payload from graphile_worker._private_jobs')).rows
const worker = await startService({
  logLevel: 'trace',
  environment: { ...messagingSettings(standIns), INGOT_ROLES: 'api,worker' },
  providerTimeouts,
  beside: service,
})

test('jobs that wait hold ids and nothing else', () => {
  assert.equal(payloads.length, (NUMBERS.length + 1) * 2)
  for (const { payload } of payloads) {
    assert.deepEqual(Object.keys(payload), ['channel', 'ids', 'together'])
    for (const id of payload.ids) assert.equal(typeof id, 'number')
  }
  assert.match(waiting, /send_deliveries/)
  assert.deepEqual(leaks(waiting), [])
})

test('messages go out, arrive, fail and go astray', async () => {
  await until(async () => (await open()) === 0)
  // Once more one by one: messages that leave together share what becomes of their request.
  for (const phoneNumber of NUMBERS) {
    assert.equal((await mine.buy({ phoneNumber, amount: 50_000 })).status, 200)
    await sleep(50)
  }
  await until(async () => (await open()) === 0)
  const { rows } = await query('select distinct status from delivery order by 1')
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['delivered', 'failed'],
  )
  const pins = secrets().filter((secret) => PIN.test(secret))
  assert.ok(pins.length >= NUMBERS.length - 1, 'there are PINs to look for')
  const codes = secrets().filter((secret) => /^[a-z2-7]{37}$/.test(secret))
  assert.ok(codes.length >= NUMBERS.length - 1, 'and the codes of links')
})

test('jobs that fail say nothing in their last words', async () => {
  // A row that cannot be written, with all that PostgreSQL has to say about it.
  await query(`alter table delivery add constraint canary check (status <> 'accepted') not valid`)
  await mine.buy({ phoneNumber: NUMBERS[0], amount: 51_000 })
  // Payloads that nobody of ours has written.
  await query(`select graphile_worker.add_job('send_deliveries', '{"channel":"text","ids":["x"]}'::json)`)
  await query(`select graphile_worker.add_job('send_deliveries', '{"channel":"none","ids":[1]}'::json)`)
  await until(async () => {
    const failed = await query('select 1 from graphile_worker._private_jobs where last_error is not null')
    return failed.rows.length >= 3
  })
  await query('alter table delivery drop constraint canary')
  const errors = (await query('select last_error from graphile_worker._private_jobs')).rows
  assert.match(JSON.stringify(errors), /error 23514/)
  assert.deepEqual(leaks(await dumpJobs()), [])
})

test('what is refused is not quoted', async () => {
  const problem = { accept: 'application/problem+json' }
  const [number] = NUMBERS
  const pin = secrets().find((secret) => PIN.test(secret))!
  const hook = (body: unknown, headers = {}) =>
    call(`${service.url}/hooks/solapi`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const answers = [
    await mine.buy({ phoneNumber: `${number}x`, amount: 1_000 }, problem),
    await mine.buy({ phoneNumber: number, amount: pin }, problem),
    await mine.get(`/v2/partner/metal/giftcard/buy/${number}/deliveries`, problem),
    await mine.get(`/v2/partner/metal/giftcard/buy/${pin}`, problem),
    await hook([{ to: number, text: pin, customFields: { key: number, attempt: '1' } }]),
    await hook({ pin, number }, { 'x-solapi-secret': number }),
    await hook(pin),
  ]
  for (const { text, status } of answers) {
    assert.ok(status >= 400 && status < 500, `${status} ${text}`)
    assert.deepEqual(leaks(text), [])
  }
})

test('logs, measurements and the rows of messages hold nothing either', async () => {
  const log = [...service.log, ...worker.log].join('')
  assert.match(log, /"event":"job failed"/)
  assert.match(log, /"event":"message not composed"/)
  assert.deepEqual(leaks(log), [])
  for (const { url } of [service, worker]) {
    const { text } = await call(`${url}/metrics`)
    assert.match(text, /ingot_/)
    assert.deepEqual(leaks(text), [])
  }
  const rows = await dump(['delivery', 'delivery_event', 'template_registration'])
  assert.match(rows, /not_a_messenger_user/)
  assert.deepEqual(leaks(rows), [])
  assert.deepEqual(leaks(await dumpJobs()), [])
})

test('a canary that is there is found', async () => {
  const [number] = NUMBERS
  const pin = secrets().find((secret) => PIN.test(secret))!
  const client = new pg.Client(service.on.connection)
  await client.connect()
  const ask = (text: string, values: unknown[] = []) => client.query(text, values)
  for (const planted of [number!, `+82${number!.slice(1)}`, pin, pin.replaceAll('-', ''), SENDER]) {
    const payload = JSON.stringify({ channel: 'text', ids: [], planted })
    await ask('begin')
    await ask('select graphile_worker.add_job($1, $2::json)', ['send_deliveries', payload])
    assert.ok(leaks(await dumpJobs(ask)).length > 0, 'in a job')
    await ask('rollback')
    const lines: string[] = []
    createLog('trace', { write: (line) => void lines.push(line) }).warn('planted', { reason: planted })
    assert.ok(leaks(lines.join('')).length > 0, 'in a log line')
    for (const form of formsOf(planted)) assert.ok(leaks(`x ${form} x`).length > 0, form)
  }
  await client.end()
})
