import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { CHILD_ENV, chooseAccount, credentials, isRoot } from '#app/embedded-postgres/account.ts'
import { prepareBinaries } from '#app/embedded-postgres/binaries.ts'
import { createCluster, SUPERUSER } from '#app/embedded-postgres/cluster.ts'
import { type ClusterLocation, locationOf } from '#app/embedded-postgres/cluster-location.ts'
import { copyBaseTo } from '#app/embedded-postgres/copy-to-folder.ts'
import { newRecord } from '#app/embedded-postgres/placement-record.ts'
import { serverArguments } from '#app/embedded-postgres/settings.ts'
import { afterTest } from './at-end.ts'
import { until } from './patience.ts'

const PASSWORD = 'test'
const STANDBY = 'standby'
const DATABASE = 'ingot'

// A PostgreSQL of the embedded package on a TCP port: a primary, or a standby that follows one.
export class ReplicatedPostgres {
  readonly port: number
  readonly #location: ClusterLocation
  #postgres: ReturnType<typeof spawn> | undefined

  private constructor(folder: string, port: number) {
    const account = isRoot() ? chooseAccount() : null
    mkdirSync(folder, { mode: 0o711 })
    chmodSync(folder, 0o711) // a strict umask counts for mkdir
    this.port = port
    this.#location = locationOf(folder, newRecord('.', account))
  }

  // An empty database on a new primary.
  static async create(folder: string, port: number): Promise<ReplicatedPostgres> {
    const primary = new ReplicatedPostgres(folder, port)
    await createCluster(primary.#location, prepareBinaries(primary.#location), PASSWORD)
    await primary.start()
    await primary.ask(`create database ${DATABASE}`, 'postgres')
    return primary
  }

  // A standby, from a base copy. Every commit waits for it from now on.
  async addStandby(folder: string, port: number): Promise<ReplicatedPostgres> {
    const standby = new ReplicatedPostgres(folder, port)
    const { cluster, account } = standby.#location
    await copyBaseTo(this.connection('postgres'), this.#location.cluster, cluster, { account })
    const follows = `host=127.0.0.1 port=${this.port} user=${SUPERUSER} password=${PASSWORD} application_name=${STANDBY}`
    writeFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${follows}'\n`)
    const signal = join(cluster, 'standby.signal')
    writeFileSync(signal, '')
    if (account) chownSync(signal, account.uid, account.gid)
    await standby.start()
    await this.ask(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await this.ask('select pg_reload_conf()')
    const isSynchronous = async () =>
      (await this.ask('select sync_state from pg_stat_replication'))[0]?.sync_state === 'sync'
    await until(isSynchronous, 'commits wait for the standby')
    return standby
  }

  connection(database = DATABASE) {
    return { host: '127.0.0.1', port: this.port, user: SUPERUSER, password: PASSWORD, database }
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a row
  async ask(statement: string, database?: string): Promise<any[]> {
    const client = new pg.Client({ ...this.connection(database) })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  async start(): Promise<void> {
    const { cluster, account } = this.#location
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      wal_keep_size: '1GB', // a standby may have been away
      wal_retrieve_retry_interval: '100ms',
      fsync: 'off', // processes are killed here, not the machine
    }
    const more = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const args = [...serverArguments(cluster, '', this.port), ...more]
    this.#postgres = spawn(join(prepareBinaries(this.#location), 'postgres'), args, {
      ...credentials(account),
      cwd: '/',
      env: CHILD_ENV,
      stdio: 'ignore',
    })
    const postgres = this.#postgres
    // Otherwise it would find out by itself, a minute later, that its folder is gone.
    afterTest(() => postgres.kill('SIGKILL'))
    await until(() => this.ask('select 1', 'postgres').catch(() => undefined), 'PostgreSQL starts')
  }

  // At once, with nothing written out.
  async kill(): Promise<void> {
    const ended = once(this.#postgres!, 'close')
    this.#postgres!.kill('SIGKILL')
    await ended
  }

  async promote(): Promise<void> {
    // Without a wait of its own: its snapshot could hold up the replay that it would wait for.
    await this.ask('select pg_promote(wait => false)')
    await until(
      async () => (await this.ask('select pg_is_in_recovery() as waits'))[0].waits === false,
      'it is promoted',
    )
  }

  // Every connection whose commit waits for the standby, told to wait no longer. How many there were.
  async cancelWaits(): Promise<number> {
    const rows = await this.ask(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and backend_type = 'client backend'`,
    )
    return rows.length
  }
}

// As the service is told of them. It finds the primary itself.
export function addressOf(...ports: number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  return `postgresql://${SUPERUSER}:${PASSWORD}@${hosts}/${DATABASE}`
}
