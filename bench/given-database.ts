import pg from 'pg'
import { BadOption } from './options.ts'
import { withClient } from './sql.ts'

// A database that the benchmark was given. It has to be empty: everything in it is gone afterwards.
export class GivenDatabase {
  readonly url: string
  #isOurs = false
  // Of the server, where this database was made for the benchmark.
  #madeFrom: pg.ClientConfig | undefined

  constructor(url: string) {
    this.url = url
  }

  // In parts too, for tools that know no addresses.
  get connection() {
    const { host, port, user = '', password, database = '' } = new pg.Client({ connectionString: this.url })
    return { connectionString: this.url, host, port, user, password: password ?? '', database }
  }

  async takeOver(): Promise<void> {
    // Names are looked up in the schema of the account first, and the benchmark's own is called that.
    if (this.connection.user === 'bench')
      throw new BadOption(
        '--database-url: an account called bench is in the way of the schema bench: use another\n',
      )
    const { rows } = await withClient(this.connection, (client) =>
      client.query<{ count: number }>(
        // Schemas of temporary tables stay behind, and are nobody's.
        `with own as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
         select ((select count(*) from pg_class where relnamespace in (select oid from own))
               + (select count(*) from pg_proc where pronamespace in (select oid from own))
               + (select count(*) from own where nspname <> 'public'))::int as count`,
      ),
    )
    if (rows[0]!.count > 0) {
      throw new BadOption(
        '--database-url: this database is not empty. The benchmark fills one and empties it: give it one of its own\n',
      )
    }
    this.#isOurs = true
  }

  // An empty one on the same server. It is dropped when it is emptied.
  async second(): Promise<GivenDatabase> {
    const url = new URL(this.url)
    const name = `${this.connection.database}_second`
    url.pathname = `/${encodeURIComponent(name)}`
    const second = new GivenDatabase(url.href)
    await withClient(this.connection, (client) =>
      client.query(`create database ${pg.escapeIdentifier(name)} template template0`),
    ).catch((error: unknown) => {
      const { message } = error as Error
      throw new BadOption(
        `--database-url: this part compares two databases and cannot create one: ${message}\n`,
      )
    })
    second.#madeFrom = this.connection
    second.#isOurs = true
    return second
  }

  // Made in version 18; the benchmark's own statements use them.
  async addMissingFunctions(): Promise<void> {
    await withClient(this.connection, async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regprocedure('uuidv7()') is not null as there`,
      )
      if (!rows[0]!.there) await client.query(MISSING_FUNCTIONS)
    })
  }

  async empty(): Promise<void> {
    if (!this.#isOurs) return
    this.#isOurs = false
    if (this.#madeFrom !== undefined) {
      const name = pg.escapeIdentifier(this.connection.database)
      await withClient(this.#madeFrom, (client) => client.query(`drop database ${name} with (force)`))
      return
    }
    await withClient(this.connection, (client) =>
      client.query(`drop schema if exists bench, bench_slim, graphile_worker, public cascade;
                    create schema public authorization pg_database_owner; grant usage on schema public to public`),
    )
  }
}

const MISSING_FUNCTIONS = `
  create function uuidv7() returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
      substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid $$;
  create function random(low bigint, high bigint) returns bigint language sql volatile as $$
    select low + floor(random() * (high - low + 1))::bigint $$`
