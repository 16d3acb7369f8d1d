import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { schemaVersion } from '#app/database/migration-files.ts'
import { readConfig } from '#app/settings/config.ts'
import type { Database } from '#base/db/db.ts'
import { CHECKS } from './checks.ts'
import { examine } from './examine.ts'
import type { Reached } from './types.ts'

const RING = '/ring.json'
const KNOWN = schemaVersion()
const sandbox = readConfig({})
const live = readConfig({
  INGOT_MODE: 'live',
  KEY_RING_FILE: RING,
  PUBLIC_URL: 'https://cards.example',
  DATABASE_URL: 'postgresql://db/books',
  INGOT_PROCESSES: '4',
})

const STANDBY = { name: 'two', state: 'streaming', sync: 'sync' }
const STAMP = {
  mode: 'live',
  keyRing: 'f',
  encryption: 'e1',
  index: 'i1',
  nextIndex: null,
  rotatingHours: null,
}
const FIGURES = { unsealedSeconds: 0, unanchoredSeconds: 60, ok: true, finding: null }
const GB = 1024 ** 3

// Facts as they should be. Each case changes one thing, and that alone is found.
const SOUND: Record<string, object> = {
  settings: { missing: [] },
  proxies: {
    publicUrl: 'https://cards.example',
    host: '127.0.0.1',
    isContainer: false,
    trusted: ['10.0.0.1'],
    trustsEveryone: false,
  },
  disk: { path: '/data', free: 50 * GB, size: 100 * GB },
  backup: {
    isEmbedded: true,
    plan: { dir: '/backups' },
    ageHours: 5,
    status: { reason: null, givenUp: false },
  },
  database: { why: undefined, isNew: false, where: 'db:5432', isPooled: false },
  'key ring': {
    why: undefined,
    ring: { fingerprint: 'f' },
    path: RING,
    days: 3,
    mode: 0o600,
    stamp: STAMP,
    lost: [],
  },
  tls: { isEncrypted: true, isLocal: false, isNear: false, checks: 'name', daysLeft: 90 },
  version: {
    number: 180_004,
    text: '18.4',
    encoding: 'UTF8',
    hasPlpgsql: true,
    collation: { recorded: '1', actual: '1' },
  },
  rights: {
    role: 'r',
    database: 'd',
    schema: 's',
    mayCreateSchemas: true,
    mayCreateTables: true,
    hasJobQueue: true,
    closedTables: [],
    otherOwners: [],
  },
  schema: { version: KNOWN, mode: 'live' },
  move: { isCopy: false, move: undefined },
  restoration: { restorations: 1, held: 0, unverified: 0 },
  books: {
    areThere: true,
    isGood: true,
    isSigned: true,
    broken: 0,
    verifiedSeconds: 7_200,
    openDays: 0,
    lastDay: '2026-11-16',
    unsealedSeconds: 60,
  },
  'audit log': { figures: FIGURES, anchors: 3, path: '/data/audit-anchors.log' },
  durability: {
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    checksums: 'on',
    walLevel: 'replica',
  },
  replication: { isStandby: false, isReadOnly: false, names: 'two', standbys: [STANDBY], waiting: 0 },
  planner: {
    jit: 'off',
    isolation: 'read committed',
    autovacuum: 'on',
    trackCounts: 'on',
    idleSessionTimeout: '0',
  },
  clock: { aheadMs: 0, withinMs: 1, zone: 'UTC' },
  connections: { allowed: 97, used: 5 },
  templates: { hasTables: true, missing: [] },
}

function judge(name: string, change: object = {}, config = live) {
  const check = CHECKS.find((one) => one.name === name)!
  return check.judge({ ...SOUND[name], ...change }, config)
}

test('a sound installation has a sentence for each check, and nothing to mend', () => {
  for (const { name } of CHECKS) {
    assert.ok(SOUND[name], `the facts of ${name}`)
    const [finding, ...more] = judge(name)
    assert.deepEqual(
      [finding?.level, finding?.mend, more],
      ['ok', undefined, []],
      `${name}: ${finding?.says}`,
    )
  }
})

const CASES: [check: string, change: object, level: string, says: RegExp][] = [
  ['settings', { missing: [{ name: 'MESSAGING', why: 'is required' }] }, 'wrong', /MESSAGING/],
  ['proxies', { trustsEveryone: true }, 'wrong', /trusts everyone/],
  ['proxies', { publicUrl: 'http://cards.example' }, 'wrong', /without TLS/],
  ['proxies', { trusted: [] }, 'warning', /TRUSTED_PROXIES is empty/],
  ['proxies', { host: '0.0.0.0' }, 'warning', /past the proxy/],
  ['disk', { free: GB / 20 }, 'warning', /0\.1 of 100\.0 GB/],
  ['disk', { free: 1_000 }, 'wrong', /0\.0 of 100\.0 GB/],
  ['database', { why: 'the database cannot be reached' }, 'wrong', /cannot be reached/],
  ['database', { why: 'there is none yet', isNew: true }, 'warning', /none yet/],
  ['key ring', { ring: undefined, why: 'gone' }, 'wrong', /cannot be used: gone/],
  ['key ring', { ring: { fingerprint: 'g' } }, 'wrong', /not the key ring of this database/],
  ['key ring', { lost: ['e2'] }, 'wrong', /lacks e2/],
  ['key ring', { mode: 0o644 }, 'wrong', /others can read/],
  ['key ring', { days: 500 }, 'warning', /500 days/],
  ['key ring', { stamp: { ...STAMP, rotatingHours: 30 } }, 'warning', /more than a day ago/],
  ['tls', { isEncrypted: false }, 'wrong', /not encrypted/],
  ['tls', { isEncrypted: false, isNear: true }, 'warning', /without a dot/],
  ['tls', { checks: 'nothing' }, 'warning', /could pose/],
  ['tls', { checks: 'authority' }, 'warning', /for this host/],
  ['tls', { daysLeft: 5 }, 'warning', /ends in 5 days/],
  ['version', { number: 140_000, text: '14.0' }, 'wrong', /14\.0 is too old/],
  ['version', { number: 190_000 }, 'warning', /newer than this release/],
  ['version', { encoding: 'SQL_ASCII' }, 'wrong', /SQL_ASCII/],
  ['version', { hasPlpgsql: false }, 'wrong', /plpgsql/],
  ['version', { collation: { recorded: '1', actual: '2' } }, 'wrong', /lookups may miss rows/],
  ['rights', { closedTables: ['partner'] }, 'wrong', /1 tables, such as partner/],
  ['rights', { mayCreateTables: false }, 'warning', /cannot migrate/],
  ['rights', { otherOwners: ['admin'] }, 'warning', /cannot migrate/],
  ['schema', { mode: 'sandbox' }, 'wrong', /made for sandbox/],
  ['schema', { version: KNOWN - 1 }, 'warning', /this release brings/],
  ['schema', { version: KNOWN + 1 }, 'warning', /newer release/],
  ['move', { isCopy: true }, 'wrong', /target of a move/],
  ['move', { move: { state: 'moved', target: '/new' } }, 'wrong', /was moved to \/new/],
  ['move', { move: { state: 'stopped', target: '/new' } }, 'warning', /writes are stopped/],
  ['move', { move: { state: 'reopening', target: '/new' } }, 'wrong', /undone in part/],
  ['backup', { plan: undefined }, 'wrong', /nothing backs this database up/],
  ['backup', { ageHours: undefined }, 'wrong', /no backup has ended/],
  ['backup', { ageHours: 40 }, 'warning', /40 hours old/],
  ['backup', { status: { reason: 'no room', givenUp: false } }, 'wrong', /archive of backups fails: no room/],
  ['backup', { status: { reason: 'no room', givenUp: true } }, 'wrong', /has a gap/],
  ['restoration', { unverified: 1 }, 'wrong', /books were not found to hold/],
  ['restoration', { held: 1 }, 'warning', /messages from before a restore wait/],
  ['books', { isGood: false, broken: 2 }, 'wrong', /found 2 checks broken/],
  ['books', { isGood: false, isSigned: false }, 'wrong', /this key ring did not sign/],
  ['books', { verifiedSeconds: 100_000 }, 'warning', /for 27 hours/],
  ['books', { openDays: 3 }, 'warning', /3 days up to 2026-11-16/],
  ['books', { unsealedSeconds: 7_300 }, 'warning', /sealed for 2 hours/],
  [
    'audit log',
    { figures: { ...FIGURES, ok: false, finding: '{"kind":"entry_deleted","position":"5","entry":"9"}' } },
    'wrong',
    /not whole: entry_deleted \(position 5, entry 9\): an entry is gone/,
  ],
  ['audit log', { figures: { ...FIGURES, unsealedSeconds: 660 } }, 'warning', /waited 11 minutes/],
  ['audit log', { figures: { ...FIGURES, unanchoredSeconds: 7_260 } }, 'warning', /the last 121 minutes/],
  ['durability', { fsync: 'off' }, 'wrong', /fsync/],
  ['durability', { fullPageWrites: 'off' }, 'wrong', /full_page_writes/],
  ['durability', { synchronousCommit: 'off' }, 'wrong', /can be lost/],
  ['durability', { synchronousCommit: 'local' }, 'wrong', /can be lost/],
  ['durability', { checksums: 'off' }, 'warning', /checksums/],
  ['durability', { walLevel: 'minimal' }, 'warning', /wal_level/],
  ['replication', { isStandby: true }, 'wrong', /standby/],
  ['replication', { isReadOnly: true }, 'wrong', /read-only/],
  ['replication', { standbys: [] }, 'wrong', /every purchase waits/],
  ['replication', { standbys: [{ ...STANDBY, sync: 'async' }] }, 'wrong', /every purchase waits/],
  ['replication', { names: '' }, 'warning', /no standby confirms/],
  ['replication', { standbys: null, waiting: 7 }, 'wrong', /7 writes have waited/],
  ['planner', { jit: 'on' }, 'warning', /JIT/],
  ['planner', { isolation: 'serializable' }, 'warning', /serializable/],
  ['planner', { autovacuum: 'off' }, 'wrong', /autovacuum/],
  ['planner', { idleSessionTimeout: '10min' }, 'warning', /10min/],
  ['clock', { aheadMs: -5_000 }, 'warning', /5 s behind/],
  ['clock', { aheadMs: 45_000 }, 'wrong', /45 s ahead/],
  ['connections', { allowed: 60 }, 'warning', /allows 60/],
  ['connections', { allowed: 30 }, 'wrong', /1 of 4 processes/],
  ['connections', { used: 95 }, 'warning', /95 of 97/],
  ['templates', { missing: [{ provider: 'nhn', name: 'gift', sends: null }] }, 'wrong', /no id at nhn/],
  ['templates', { missing: [{ provider: 'nhn', name: 'gift', sends: 1 }] }, 'warning', /version 1 is sent/],
]

for (const [check, change, level, says] of CASES) {
  test(`doctor: ${check}, ${JSON.stringify(change)}: ${level}`, () => {
    const [finding, ...more] = judge(check, change)
    assert.deepEqual([finding?.level, more], [level, []])
    assert.match(finding!.says, says)
    assert.ok(finding!.mend, 'it says how to mend it')
  })
}

test('what is fine in a sandbox, or cannot be seen, is no finding', () => {
  for (const [check, change] of [
    ['replication', { names: '' }],
    ['proxies', { publicUrl: 'http://127.0.0.1:3000', trusted: [] }],
    ['key ring', { ring: undefined, stamp: undefined }],
    ['tls', { isEncrypted: false, isLocal: true, isNear: true, checks: 'nothing' }],
    ['audit log', { figures: undefined }],
    ['audit log', { anchors: 0 }],
  ] as const) {
    assert.deepEqual(
      judge(check, change, sandbox).map(({ level }) => level),
      ['ok'],
      check,
    )
  }
  assert.equal(judge('replication', { standbys: null })[0]?.level, 'ok')
  assert.equal(judge('clock', { aheadMs: 40_000, withinMs: 45_000 })[0]?.level, 'ok')
  // The worker anchors, on its own machine.
  const apiOnly = { ...live, roles: { api: true, worker: false } }
  const late = { figures: { ...FIGURES, unanchoredSeconds: 7_260 } }
  assert.equal(judge('audit log', late, apiOnly)[0]?.level, 'ok')
})

test('doctor: a server that is too old is not asked what it does not know', async () => {
  const asked: string[] = []
  const answers = [{ number: 140_012, text: '14.12', encoding: 'UTF8', hasPlpgsql: true }]
  const database = {
    async read({ text }: { text: string }) {
      asked.push(text)
      return answers
    },
  } as unknown as Database
  const check = CHECKS.find(({ name }) => name === 'version')!
  const reached = { database } as Reached
  const facts = await check.read({ config: live, reached, isContainer: false })
  assert.deepEqual(
    check.judge(facts, live).map(({ level, says }) => [level, says]),
    [['wrong', 'PostgreSQL 14.12 is too old']],
  )
  assert.doesNotMatch(asked.join(), /datcollversion|collation_actual_version/)
})

test('doctor: in a container every address is listened at, and the port is closed outside of it', async () => {
  const mendOf = (isContainer: boolean) => judge('proxies', { host: '0.0.0.0', isContainer })[0]!.mend!
  assert.match(mendOf(false), /Set HOST=127\.0\.0\.1/)
  assert.match(mendOf(true), /127\.0\.0\.1:3000:3000.*network policy/)
  assert.doesNotMatch(mendOf(true), /HOST=/)
  // The image says what it is.
  const { container } = Object.fromEntries(
    /^ENV (NODE_ENV=.*)$/m
      .exec(readFileSync(join(import.meta.dirname, '../../../Dockerfile'), 'utf8'))![1]!
      .split(' ')
      .map((one) => one.split('=')),
  )
  const proxies = CHECKS.filter(({ name }) => name === 'proxies')
  const environment = {
    INGOT_MODE: 'live',
    KEY_RING_FILE: RING,
    PUBLIC_URL: 'https://cards.example',
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    TRUSTED_PROXIES: '10.0.0.1',
    HOST: '0.0.0.0',
    container,
  }
  const { findings } = await examine(environment, proxies)
  assert.match(findings[0]!.mend!, /network policy/)
})
