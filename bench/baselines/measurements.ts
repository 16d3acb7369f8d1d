import type pg from 'pg'
import { type Helper, startHelper } from '../children.ts'
import type { Measurement, Sample } from '../rounds.ts'
import type { StatementJob } from './one-statement.ts'
import { prepareBaselines } from './partners.ts'
import { pgbench, purchaseScript, runPgbench } from './pgbench.ts'
import type { PlainJob } from './plain-client.ts'

const CLIENTS = 32
// On one partner every client waits for the same receivable; with one each, none does.
const SPREADS = [1, CLIENTS]

export interface Baselines {
  plain: Measurement[]
  // Empty where pgbench is not installed.
  pgbench: Measurement[]
  // The service's own statement by one client: what a purchase alone is compared with.
  oneStatement: Measurement
  note: string
}

const NOTE = `node-postgres and pgbench write the same rows on the same PostgreSQL, one purchase per transaction, each
in one prepared call of a PL/pgSQL function (bench/baselines/one-purchase.sql): no HTTP, no sealing, and an entry of a
message's history in place of its job. The one client calls the service's own statement, one purchase after the other.
The slim reference writes the least that a purchase is, in tables of its own (bench/baselines/slim.sql).`

// The rows of a purchase, written one purchase per transaction on the same PostgreSQL. `buyer` is a partner's code.
export async function prepareBaselineMeasurements(
  connection: pg.ClientConfig,
  buyer: string,
): Promise<Baselines> {
  const partners = await prepareBaselines(connection, CLIENTS)
  const plain: Helper<PlainJob, Sample> = startHelper(new URL('plain-client.ts', import.meta.url))
  const alone: Helper<StatementJob, Sample> = startHelper(new URL('one-statement.ts', import.meta.url))
  const named = (who: string, spread: number) =>
    `${who}, ${CLIENTS} clients, ${spread === 1 ? '1 partner' : `${spread} partners`}`
  const tool = pgbench()
  return {
    note: tool ? `${NOTE}\n${tool.version}.` : NOTE,
    oneStatement: {
      name: 'the same statement, 1 client',
      run: (seconds) => alone.run({ connection, partnerCode: buyer, seconds }),
    },
    plain: SPREADS.map((spread) => ({
      name: named('node-postgres', spread),
      run: (seconds) =>
        plain.run({ connection, partners: partners.slice(0, spread), connections: CLIENTS, seconds }),
    })),
    pgbench: (tool ? SPREADS : []).map((spread) => ({
      name: named('pgbench', spread),
      run: (seconds) =>
        runPgbench({
          connection,
          script: purchaseScript(partners.slice(0, spread)),
          clients: CLIENTS,
          seconds,
        }),
    })),
  }
}
