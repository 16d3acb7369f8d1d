import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Measurement } from '../rounds.ts'
import { withClient } from '../sql.ts'
import { pgbenchVersion, runPgbench } from './pgbench.ts'

const SCHEMA = new URL('one-redemption.sql', import.meta.url)
const CLIENTS = 32

export interface Redeemable {
  pinIndex: Buffer
  holderId: string
}

// Undefined where pgbench is not installed.
export async function prepareRedemptionBaseline(
  connection: pg.ClientConfig,
  cards: readonly Redeemable[],
): Promise<Measurement | undefined> {
  if (pgbenchVersion() === undefined) return undefined
  await withClient(connection, async (client) => {
    await client.query(readFileSync(SCHEMA, 'utf8'))
    await client.query(
      `insert into bench.redeemable select n, pin_index, holder_id
         from unnest($1::bytea[], $2::uuid[]) with ordinality as c (pin_index, holder_id, n)`,
      [cards.map((card) => card.pinIndex), cards.map((card) => card.holderId)],
    )
  })
  return {
    name: `pgbench, ${CLIENTS} clients, one redemption per transaction`,
    run: (seconds) =>
      runPgbench({ connection, script: 'select bench.redeem_one();\n', clients: CLIENTS, seconds }),
  }
}
