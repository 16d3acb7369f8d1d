import { setTimeout as sleep } from 'node:timers/promises'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { type PostgresProxy, startPostgresProxy } from '#test/postgres-proxy.ts'
import { temporaryFolder } from '#test/process.ts'
import type { Proof, Wanted } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

// What a network does to connections: it forgets them without a word, swallows new ones, or closes them all.
const FAULTS = ['forgotten', 'swallowed', 'closed'] as const
const LONGEST_MS = 8_000

export const deadConnections: Proof = {
  what: 'connections to the database that neither answer nor close, are swallowed, or are cut',
  count: 9,
  async run(given) {
    const postgres = await joinEmbeddedPostgres({ dataDir: temporaryFolder().path, password: 'prove' })
    const { connection } = postgres
    const proxy = await startPostgresProxy({ connection })
    const figures = await proveLocal(given, (_, trial) => cut(proxy, trial, given), {
      settings: { DATABASE_URL: proxy.url },
      // The judge's connection is a sound one.
      database: { ...connection },
    })
    await postgres.leave()
    return figures
  },
}

async function cut(proxy: PostgresProxy, trial: Trial, wanted: Wanted): Promise<string[]> {
  for (const n of trial.rounds(wanted)) {
    await trial.untilActing()
    const what = FAULTS[n % FAULTS.length]!
    const ms = trial.random.int(LONGEST_MS)
    if (what === 'closed') proxy.goAway()
    else proxy.killExisting()
    proxy.swallowNew(what === 'swallowed')
    if (what !== 'forgotten') await sleep(ms)
    proxy.swallowNew(false)
    proxy.comeBack()
    // Those that were swallowed are as dead as the others.
    if (what === 'swallowed') proxy.killExisting()
    trial.fault(`connections ${what}${what === 'forgotten' ? '' : ` for ${ms} ms`}`)
  }
  await trial.untilActing()
  return []
}
