import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPooled, openClient, settleConnection } from '#app/database/settle-connection.ts'
import { findLocation, hasCluster } from '#app/embedded-postgres/cluster-location.ts'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { readSecrets } from '#app/keys/secrets-file.ts'
import { BadSetting, type Config, type Environment, readConfig } from '#app/settings/config.ts'
import type { BoundedConfig } from '#base/db/client.ts'
import { openDatabase } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import { connectionTo } from '#base/db/settings.ts'
import { Explained } from '#base/explained.ts'
import { CHECKS } from './checks.ts'
import { type Check, type Finding, type Installation, type Reached, wrong } from './types.ts'

const CONNECT_MS = 10_000

export interface Report {
  // Nothing is wrong. Warnings do not count.
  ok: boolean
  findings: (Finding & { check: string })[]
  // Checks that were left out, as the database cannot be reached.
  skipped: string[]
}

// Looks at everything and changes nothing: no migration, no new folder, no row.
export async function examine(environment: Environment, checks: readonly Check[] = CHECKS): Promise<Report> {
  const config = tryConfig(environment)
  if ('findings' in config)
    return { ok: false, findings: config.findings, skipped: checks.map(({ name }) => name) }
  const { reached, leave } = await reachDatabase(config)
  try {
    // Our Dockerfile sets this variable, and so do Podman and systemd-nspawn.
    const isContainer = Boolean(environment.container)
    return await runChecks(checks, { config, reached, isContainer })
  } finally {
    await leave()
  }
}

function tryConfig(environment: Environment): Config | Pick<Report, 'findings'> {
  try {
    return readConfig(environment)
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    const findings = error.settings.map(({ name, why }) => ({
      check: 'settings',
      ...wrong(`${name}: ${why}`, 'Correct it: docs/settings.md.'),
    }))
    return { findings }
  }
}

async function runChecks(checks: readonly Check[], installation: Installation): Promise<Report> {
  const isReached = 'database' in installation.reached
  const runnable = checks.filter(({ needs }) => needs === 'settings' || isReached)
  const findings: Report['findings'] = []
  for (const check of runnable) {
    for (const finding of await runCheck(check, installation))
      findings.push({ check: check.name, ...finding })
  }
  return {
    ok: findings.every(({ level }) => level !== 'wrong'),
    findings,
    skipped: checks.filter((check) => !runnable.includes(check)).map(({ name }) => name),
  }
}

// A check that fails is a finding, and the others go on.
async function runCheck(check: Check, installation: Installation): Promise<Finding[]> {
  try {
    return check.judge(await check.read(installation), installation.config)
  } catch (error) {
    const { error: name, sqlState, reason } = failureFields(error)
    const why = error instanceof Explained ? error.message : (reason ?? sqlState ?? name)
    return [
      wrong(`this could not be looked at: ${why}`, 'If the other findings do not explain it, report it.'),
    ]
  }
}

type Way = { reached: Installation['reached']; leave(): Promise<void> }

async function reachDatabase(config: Config): Promise<Way> {
  try {
    const { connection, leave } = await findConnection(config)
    try {
      const way = await openWay(connection)
      return {
        reached: way,
        async leave() {
          await way.database.close()
          await leave()
        },
      }
    } catch (error) {
      await leave()
      throw error
    }
  } catch (error) {
    if (!(error instanceof Explained)) throw error
    const reached = { why: error.message, isNew: error instanceof NoDatabaseYet }
    return { reached, leave: async () => {} }
  }
}

async function openWay(given: BoundedConfig): Promise<Reached> {
  const connection = await settleConnection(given)
  const client = await openClient(connection, 'ingot doctor')
  const pooled = await isPooled(client).finally(() => client.end())
  const database = openDatabase({ connection, maxConnections: 2, waitMs: CONNECT_MS, onIdleError: () => {} })
  return { database, connection, isPooled: pooled }
}

class NoDatabaseYet extends Explained {}

class LostPassword extends Explained {}

async function findConnection(
  config: Config,
): Promise<{ connection: BoundedConfig; leave(): Promise<void> }> {
  if (config.databaseUrl !== undefined) {
    return { connection: connectionTo(config.databaseUrl), leave: async () => {} }
  }
  const { dataDir } = config
  const location = existsSync(dataDir) ? findLocation(dataDir) : undefined
  if (!location || !hasCluster(location)) {
    throw new NoDatabaseYet(`there is no database in ${dataDir} yet`)
  }
  const secrets = join(dataDir, 'secrets.json')
  if (!existsSync(secrets))
    throw new LostPassword(`${secrets} is missing, which opens the database: put it back from a copy`)
  const password = readSecrets(secrets).databasePassword
  const embedded = await joinEmbeddedPostgres({ dataDir, password })
  return { connection: embedded.connection, leave: () => embedded.leave() }
}
