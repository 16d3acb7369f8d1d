import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Measurement } from '../rounds.ts'
import { withClient } from '../sql.ts'
import { pgbench, runPgbench } from './pgbench.ts'

const CLIENTS = 32

// What members do with value, each by the service's own function with one act per transaction.
const ACTS = {
  redemption: {
    schema: new URL('one-redemption.sql', import.meta.url),
    fill: `insert into bench.redeemable select n, key, holder_id
             from unnest($1::bytea[], $2::uuid[]) with ordinality as c (key, holder_id, n)`,
    call: 'select bench.redeem_one();\n',
  },
  order: {
    schema: new URL('one-order.sql', import.meta.url),
    fill: `insert into bench.orderable select n, key, holder_id
             from unnest($1::uuid[], $2::uuid[]) with ordinality as c (key, holder_id, n)`,
    call: 'select bench.order_one();\n',
  },
}

export interface ActSupply {
  // A card's PIN index, or a quote's id.
  key: Buffer | string
  holderId: string
}

// Undefined where pgbench is not installed.
export async function prepareActBaseline(
  connection: pg.ClientConfig,
  act: keyof typeof ACTS,
  supply: readonly ActSupply[],
): Promise<Measurement | undefined> {
  if (pgbench() === undefined) return undefined
  const { schema, fill, call } = ACTS[act]
  await withClient(connection, async (client) => {
    await client.query(readFileSync(schema, 'utf8'))
    await client.query(fill, [supply.map(({ key }) => key), supply.map(({ holderId }) => holderId)])
  })
  return {
    name: `pgbench, ${CLIENTS} clients, one ${act} per transaction`,
    run: (seconds) => runPgbench({ connection, script: call, clients: CLIENTS, seconds }),
  }
}
