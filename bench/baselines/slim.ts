import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Measurement } from '../rounds.ts'
import { withClient } from '../sql.ts'
import { pgbench, runPgbench } from './pgbench.ts'

const SCHEMA = new URL('slim.sql', import.meta.url)
const CLIENTS = 32

// One statement, and so one transaction and one round trip, for each purchase.
const PURCHASE = `\\set shard random(0, 15)
with card as (
  insert into bench_slim.card (gift_id, tx_id, partner_id, amount, pin_hash, sealed_pin, sealed_phone, issued_at, expires_at)
  values (gen_random_uuid(), gen_random_uuid(), 1, 50000, sha256(uuid_send(gen_random_uuid())),
          sha256(uuid_send(gen_random_uuid())), sha256(uuid_send(gen_random_uuid())), now(), now() + interval '1 year')
  returning id, partner_id, amount, issued_at),
moved as (insert into bench_slim.transfer (card_id, amount, at) select id, amount, issued_at from card),
sent as (
  insert into bench_slim.message (card_id, channel, created_at)
  select id, channel, issued_at from card, (values ('alimtalk'), ('text')) as both_channels (channel))
insert into bench_slim.usage_day as u (partner_id, day, shard, issued)
select partner_id, issued_at::date, :shard::int, amount from card
on conflict (partner_id, day, shard) do update set issued = u.issued + excluded.issued;
`

export interface SlimReference {
  // None where pgbench is not installed.
  measurement: Measurement | undefined
  drop(): Promise<void>
}

// What PostgreSQL alone does of the least that a purchase is: no HTTP, no checks, no sealing, no ledger.
export async function prepareSlimReference(connection: pg.ClientConfig): Promise<SlimReference> {
  if (pgbench() === undefined) return { measurement: undefined, drop: async () => {} }
  await withClient(connection, (client) => client.query(readFileSync(SCHEMA, 'utf8')))
  return {
    measurement: {
      name: `slim reference, pgbench, ${CLIENTS} clients`,
      run: (seconds) => runPgbench({ connection, script: PURCHASE, clients: CLIENTS, seconds }),
    },
    drop: async () => {
      await withClient(connection, (client) => client.query('drop schema bench_slim cascade'))
    },
  }
}
