import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { StandInRequest } from '#stand-ins/http.ts'
import type { Stage, StandIn } from '#stand-ins/messaging/server.ts'
import { afterTest } from './at-end.ts'
import {
  approveTemplates,
  type MessagedOptions,
  messagingSettings,
  startStandIns,
} from './messaged-service.ts'
import { patiently, until } from './patience.ts'
import { TEST_RING_FILE } from './postgres.ts'
import { freePort, type ServerProcess, startServer, temporaryFolder } from './process.ts'
import { startService, type TestPartner, type TestService } from './service.ts'

export type OnRequest = (stage: Stage, request: StandInRequest) => void | Promise<void>

// The API in this process, the providers beside it, and workers as processes of their own, to be killed.
export interface Rig {
  service: TestService
  partner: TestPartner
  standIns: StandIn[]
  // A connection that is nobody else's.
  client: pg.Client
  // What the providers do with requests, until it is changed.
  onRequest: OnRequest
  startWorker(): Promise<ServerProcess>
}

export async function startRig(options: MessagedOptions = {}): Promise<Rig> {
  const port = await freePort()
  const onRequest: OnRequest = (stage, request) => rig.onRequest(stage, request)
  const standIns = await startStandIns(`http://127.0.0.1:${port}`, {
    ...options,
    solapi: { ...options.solapi, onRequest },
    nhn: options.nhn === undefined || options.nhn === false ? false : { ...options.nhn, onRequest },
  })
  const settings = messagingSettings(standIns)
  const service = await startService({ environment: { ...settings, PORT: String(port) } })
  await approveTemplates(service)
  const folder = temporaryFolder()
  const ring = join(folder.path, 'ring.json')
  writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
  const client = new pg.Client(service.on.connection)
  await client.connect()
  // The database goes before this connection does.
  client.on('error', () => {})
  after(async () => {
    await client.end()
    folder.remove()
  })
  // A worker belongs to the file: it outlives the test that started it, and is there for the next one to kill.
  const file = new AsyncResource('rig')
  const rig: Rig = {
    service,
    partner: await service.addPartner({ name: '한빛페이' }),
    standIns: [standIns.solapi, ...(standIns.nhn ? [standIns.nhn] : [])],
    client,
    onRequest: () => {},
    startWorker: () =>
      file.runInAsyncScope(startServer, undefined, {
        ...settings,
        DATABASE_URL: service.on.url,
        DATA_DIR: folder.path,
        KEY_RING_FILE: ring,
        INGOT_ROLES: 'worker',
        LOG_LEVEL: 'trace',
      }),
  }
  return rig
}

let serial = 0

// The keys of its messages. Numbers without magic.
export async function buyCard({ partner }: { partner: Pick<TestPartner, 'buy'> }): Promise<string[]> {
  serial += 1
  const phoneNumber = `010-3${String(serial % 900).padStart(3, '0')}-${String(serial % 10_000).padStart(4, '0')}`
  const headers = { 'idempotency-key': `card-${serial}` }
  const amount = 1_000 + serial
  const answer = await until(async () => {
    const got = await partner.buy({ phoneNumber, amount }, headers)
    return got.status !== 503 && got
  })
  assert.equal(answer.status, 200, answer.text)
  return ['alimtalk', 'text'].map((channel) => `${answer.body.data.giftId}.${channel}.gift.0`)
}

// So many of a worker's statements wait for a lock.
export function waitBlocked({ client }: Rig, atLeast: number): Promise<boolean> {
  return until(async () => {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n >= atLeast
  })
}

// Held by a connection of its own until released, or until the test ends: one that fails takes no other along.
export async function holdLock({ service }: Rig, statement: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(service.on.connection)
  await holder.connect()
  let released: Promise<void> | undefined
  const release = () => {
    released ??= holder.end()
    return released
  }
  afterTest(release)
  await holder.query('begin')
  await holder.query(statement)
  return release
}

// All open jobs of this kind are taken, and as many statements wait for a lock. A job that gave up waiting is tried again
// at once, not after its own delay: on a busy machine they would never be taken at the same time.
export function waitTaken({ client }: Rig, task: string): Promise<boolean> {
  return until(async () => {
    await client.query(
      `update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
        where t.id = j.task_id and t.identifier = $1 and j.locked_at is null and j.run_at > now()`,
      [task],
    )
    const { rows } = await client.query(
      `select count(*) > 0 and bool_and(locked_at is not null)
              and count(*) <= (select count(*) from pg_stat_activity
                                where datname = current_database() and wait_event_type = 'Lock') as taken
         from graphile_worker.jobs where task_identifier = $1`,
      [task],
    )
    return rows[0].taken
  }, `jobs of ${task} are taken and wait`)
}

// Of cards, and notices to members.
const MESSAGES = ['delivery', 'notice'] as const

// Time passes: leases end, what was to be looked at later is due, and an absence means that nothing was taken. As much
// as all that needs, and not so much that a provider's list would no longer reach back.
export async function passTime({ client }: Pick<Rig, 'client'>, unclaimedOnly = false): Promise<void> {
  for (const table of MESSAGES) {
    // Those that are due already are left to the worker, which skips what is locked. The others are locked in the order of
    // their ids, as the worker does: the two never wait for each other.
    await client.query(
      `update ${table} set due_at = least(due_at, now() - interval '1 minute'),
              claimed_until = case when claimed_until is not null then least(claimed_until, now() - interval '1 minute') end,
              tried_at = case when tried_at is not null then least(tried_at, now() - interval '17 minutes') end
        where id in (select id from ${table} where settled_at is null and (claimed_until is null or not $1)
                        and (due_at > now() - interval '1 minute' or claimed_until > now() - interval '1 minute'
                             or tried_at > now() - interval '17 minutes')
                      order by id for no key update)`,
      [unclaimedOnly],
    )
  }
  await client.query(`select graphile_worker.add_job('sweep_deliveries', job_key => 'sweep')`)
}

export async function countOpen({ client }: Pick<Rig, 'client'>): Promise<number> {
  const counts = MESSAGES.map((table) => `(select count(*) from ${table} where settled_at is null)`)
  const { rows } = await client.query(`select (${counts.join(' + ')})::int as n`)
  return rows[0].n
}

// With a worker that lives. Whatever it has in hand itself is left to it after the first time.
export async function settleAll(rig: Pick<Rig, 'client'>, withinMs = 600_000): Promise<void> {
  const began = performance.now()
  for (let round = 0; (await countOpen(rig)) > 0; round += 1) {
    assert.ok(performance.now() - began < patiently(withinMs), 'every message comes to its end')
    await passTime(rig, round > 0)
    await sleep(250)
  }
}

interface Row {
  key: string
  status: string
  attempt: number
  provider: string | null
  message_id: string | null
  claimed: boolean
  history: string[]
}

export async function readRows({ client }: Pick<Rig, 'client'>, keys: readonly string[]): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select * from (
       select concat_ws('.', d.card_id, d.channel, d.purpose, d.ordinal) as key, d.status, d.attempt, d.provider,
              d.message_id, d.claimed_until is not null as claimed,
              array(select concat_ws(' ', e.attempt, e.status, e.reason) from delivery_event e
                     where e.delivery_id = d.id order by e.id) as history
         from delivery d) as all_of_them where key = any($1) order by key`,
    [keys],
  )
  assert.equal(rows.length, keys.length)
  return rows
}

// Every message has come to its phone once, and the books know with which attempt.
export async function assertArrived(
  rig: Pick<Rig, 'client' | 'standIns'>,
  keys: readonly string[],
): Promise<Row[]> {
  const rows = await readRows(rig, keys)
  for (const row of rows) {
    const sent = rig.standIns.flatMap(({ phones }) => phones.byKey(row.key))
    const said = JSON.stringify(row)
    assert.equal(row.status, 'delivered', said)
    assert.equal(sent.length, 1, `a phone was reached ${sent.length} times: ${said}`)
    assert.deepEqual([row.attempt, row.message_id], [sent[0]!.attempt, sent[0]!.messageId], said)
    assert.equal(row.history.filter((event) => / delivered/.test(event)).length, 1, said)
  }
  return rows
}
