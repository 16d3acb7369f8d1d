import { globSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { noPostgres15, startPostgres15 } from '#test/postgres-15.ts'
import { temporaryFolder } from '#test/process.ts'
import type { LocalService } from '../local-service.ts'
import { logInAgain } from '../open-client.ts'
import type { Proof, Wanted } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

// Of the wall clock, as after a suspended machine or a bad time server. The monotonic clock goes on, as it does there.
const JUMPS = [90, -90, 1_200, -1_200, 300, -3_600, 3_600] // seconds
const STAY_MS = 4_000
// The scene is made so long before, and no jump leads back to a time without it: partners would buy before their terms began.
const SCENE_SECONDS = 7_200

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]

export const clockJumps: Proof = {
  what: 'the clock of the service, of PostgreSQL, or of both jumps back and forth under traffic',
  count: 14,
  takes: 'Debian’s `faketime` and `postgresql-15`',
  lacks: () =>
    noPostgres15 || (LIBRARY === undefined ? 'it takes libfaketime (Debian: faketime)' : undefined),
  async run(given) {
    const folder = temporaryFolder().path
    const clocks = { service: join(folder, 'service'), database: join(folder, 'database') }
    for (const file of Object.values(clocks)) setClock(file, -SCENE_SECONDS)
    const postgres = await startPostgres15({ fsync: 'on' }, fakeTime(clocks.database))
    const figures = await proveLocal(given, (service, trial) => jump(service, trial, clocks, given), {
      settings: { DATABASE_URL: postgres.url, ...fakeTime(clocks.service) },
      database: { connectionString: postgres.url },
      // A card may be registered, and an order carried out, at a moment before the one of its purchase or its price.
      timeChecks: ['card_days_follow_from_its_moments', 'order_names_its_price'],
      // After an hour without a request a session is over, and it lives again when the hour is taken back.
      alsoRefused: ['unauthorized'],
    })
    await postgres.stop()
    return figures
  },
}

function fakeTime(file: string): Record<string, string> {
  return {
    LD_PRELOAD: LIBRARY!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
  }
}

// By a rename: a reader never finds half of it.
function setClock(file: string, seconds: number): void {
  writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}s\n`, { mode: 0o644 })
  renameSync(`${file}.new`, file)
}

async function jump(
  service: LocalService,
  trial: Trial,
  clocks: { service: string; database: string },
  wanted: Wanted,
): Promise<string[]> {
  await trial.traffic.pause()
  for (const file of Object.values(clocks)) setClock(file, 0)
  await logInAgain(trial.client)
  trial.traffic.goOn()
  for (const n of trial.rounds(wanted)) {
    await trial.untilActing()
    const seconds = JUMPS[n % JUMPS.length]!
    const whose = trial.random.pick(['service', 'database', 'both'] as const)
    const files = whose === 'both' ? Object.values(clocks) : [clocks[whose]]
    for (const file of files) setClock(file, seconds)
    await trial.untilActing()
    await sleep(STAY_MS)
    for (const file of files) setClock(file, 0)
    trial.fault(`the clock of ${whose} jumped by ${seconds} s and back`)
  }
  await trial.untilActing()
  return [`${await countWrongDays(service)} cards with a day that is not the Seoul day of their moment`]
}

// Also a check of `verify`; here as a figure.
function countWrongDays(service: LocalService): Promise<number> {
  return service.withSql(async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as n from gift_card
        where issued_on <> (issued_at at time zone 'Asia/Seoul')::date or expires_on <= issued_on`,
    )
    return rows[0].n
  })
}
