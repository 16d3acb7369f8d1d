import { readFileSync, writeFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'

// For tools/record-release.ts: the test files run one after another on one database, which is written to a file at the end.
export const KEPT_DATABASE = process.env.INGOT_TEST_KEPT
const FILE = process.env.INGOT_TEST_KEPT_FILE

// What is in each table, the serials that are handed out, and the service's time. Values are PostgreSQL's own text, so
// nothing is lost.
export interface ReleaseData {
  tables: Record<string, Record<string, string | null>[]>
  serialBlock: string
  at: string
}

// Names in the recording that its test looks for (tools/record-rows.ts).
export const RECORDED = {
  purchase: { phoneNumber: '010-7700-0009', amount: 5_000 },
  oldKey: 'recorded long ago',
  key: 'recorded',
  loginId: 'recorded',
  origin: 'http://localhost:4000',
}

export async function writeKeptDatabase(connection: pg.ClientConfig): Promise<void> {
  if (!KEPT_DATABASE || !FILE) return
  const client = new pg.Client({ ...connection, database: KEPT_DATABASE })
  await client.connect()
  const { rows } = await client.query(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const tables: ReleaseData['tables'] = {}
  for (const { name } of rows as { name: string }[]) {
    const columns = await client.query(
      `select string_agg(format('%L, %I::text', attname, attname), ', ' order by attnum) as list
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [name],
    )
    const found = await client.query(`select json_build_object(${columns.rows[0].list}) as row from ${name}`)
    tables[name] = found.rows.map(({ row }) => row)
  }
  const now = await client.query(
    'select last_value::text as "serialBlock", service_now()::text as at from gift_card_serial_block',
  )
  await client.end()
  writeFileSync(FILE, JSON.stringify({ tables, ...now.rows[0] } satisfies ReleaseData))
}

// A release as tools/record-release.ts left it.
export interface Release extends ReleaseData {
  schemaVersion: number
  // Of db/functions.lock.json, once there was one.
  functionsVersion?: number
  functions: { name: string; sql: string }[]
  statements: string[]
}

const FIXTURE = new URL('../fixtures/release-before.json.br', import.meta.url)

export const readReleaseBefore = (): Release =>
  JSON.parse(brotliDecompressSync(readFileSync(FIXTURE)).toString())

// Puts the data into a database that has the release's schema. As a restore does: triggers have run before. The service's
// time goes on from the recording, which is ahead of real time: what was under way then is under way still.
export async function restoreData(
  client: pg.Client,
  { tables, serialBlock, at }: ReleaseData,
): Promise<void> {
  const names = Object.keys(tables)
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(`truncate ${names.join(', ')}`)
  for (const name of names) {
    const { rows } = await client.query(
      `select string_agg(format('(r ->> %L)::%s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum) as list,
              max(attname) filter (where attidentity <> '') as identity
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [name],
    )
    const [{ list, identity }] = rows as [{ list: string; identity: string | null }]
    const json = JSON.stringify(tables[name])
    await client.query(
      `insert into ${name} overriding system value select ${list} from json_array_elements($1) as r`,
      [json],
    )
    if (identity) {
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${identity}), 0) + 1, false) from ${name}`,
        [name, identity],
      )
    }
  }
  // What was due a moment ago is so today too: after a day, `verify` would call it forgotten.
  for (const name of ['delivery', 'notice']) {
    const since = `(select max(greatest(due_at, claimed_until)) from ${name} where settled_at is null)`
    await client.query(
      `update ${name} set due_at = due_at + greatest(now() - ${since}, interval '0') where settled_at is null`,
    )
  }
  await client.query(`select setval('gift_card_serial_block', $1)`, [serialBlock])
  await client.query(
    `update installation set clock_offset = greatest($1::timestamptz - now(), interval '0')`,
    [at],
  )
  await client.query('commit')
}
