import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientBase } from 'pg'
import { type ClusterLocation, POSTGRES_MAJOR } from '#app/embedded-postgres/cluster-location.ts'
import { findOwnLocation } from '#app/embedded-postgres/folder.ts'
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { readSecrets, type SecretsFile } from '#app/keys/secrets-file.ts'
import type { Config } from '#app/settings/config.ts'
import { BackupError } from './error.ts'
import type { Installation } from './manifest.ts'

/** A running embedded database that is backed up as it is: it is not migrated first. */
export interface Source {
  readonly dataDir: string
  readonly location: ClusterLocation
  readonly embedded: EmbeddedPostgres
  readonly secrets: SecretsFile
  readonly installation: Installation
  readonly schema: number
  readonly postgresMajor: string
}

export function refuseOwnDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>, command: string): void {
  if (databaseUrl === undefined) return
  throw new BackupError(
    `\`ingot ${command}\` is for the embedded database, and DATABASE_URL is set. Back up your own PostgreSQL with ` +
      'pgBackRest: docs/backup.md has a configuration',
  )
}

export async function openSource(config: Config): Promise<Source> {
  refuseOwnDatabase(config, 'backup')
  const { dataDir } = config
  const secretsPath = join(dataDir, 'secrets.json')
  const found = existsSync(secretsPath) && findOwnLocation(dataDir)
  if (!found) throw new BackupError(`there is no database in ${dataDir}: set DATA_DIR to the one to back up`)
  const secrets = readSecrets(secretsPath)
  const embedded = await joinEmbeddedPostgres({ dataDir, password: secrets.databasePassword })
  try {
    const { schema, ...installation } = await withClient(embedded, (client) =>
      readInstallation(client, dataDir),
    )
    const location = findOwnLocation(dataDir) ?? found
    return {
      dataDir,
      location,
      embedded,
      secrets,
      installation,
      schema,
      postgresMajor: POSTGRES_MAJOR,
    }
  } catch (error) {
    await embedded.leave()
    throw error
  }
}

async function readInstallation(
  client: ClientBase,
  dataDir: string,
): Promise<Installation & { schema: number }> {
  const there = await client.query(`select to_regclass('public.installation') is not null as there`)
  if (!there.rows[0].there)
    throw new BackupError(`the database in ${dataDir} is empty: there is nothing to back up`)
  const { rows } = await client.query(
    `select (select system_identifier::text from pg_control_system()) as "systemId",
            mode, key_ring as "keyRing", (select max(version) from schema_migration) as schema
       from public.installation`,
  )
  return rows[0]
}

export async function withClient<T>(
  { connection }: Pick<EmbeddedPostgres, 'connection'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ ...connection, application_name: 'ingot backup' })
  client.on('error', () => {}) // the query under way fails, which is enough
  try {
    await client.connect()
    await connection.onConnect(client)
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
