import type pg from 'pg'
import { type Helper, startHelper } from '../children.ts'
import type { Measurement, Sample } from '../rounds.ts'
import { prepareBaselines } from './partners.ts'
import { pgbenchVersion, runPgbench } from './pgbench.ts'
import type { PlainJob } from './plain-client.ts'

const CLIENTS = 32
// On one partner every client waits for the same receivable; with one each, none does.
const SPREADS = [1, 5, CLIENTS]

export interface Baselines {
  plain: Measurement[]
  // Empty where pgbench is not installed.
  pgbench: Measurement[]
}

// The rows of a purchase, written one purchase per transaction on the same PostgreSQL.
export async function prepareBaselineMeasurements(connection: pg.ClientConfig): Promise<Baselines> {
  const partners = await prepareBaselines(connection, CLIENTS)
  const plain: Helper<PlainJob, Sample> = startHelper(new URL('plain-client.ts', import.meta.url))
  const named = (who: string, spread: number) =>
    `${who}, ${CLIENTS} clients, ${spread === 1 ? '1 partner' : `${spread} partners`}`
  return {
    plain: SPREADS.map((spread) => ({
      name: named('node-postgres', spread),
      run: (seconds) =>
        plain.run({ connection, partners: partners.slice(0, spread), connections: CLIENTS, seconds }),
    })),
    pgbench: SPREADS.filter(() => pgbenchVersion() !== undefined).map((spread) => ({
      name: named('pgbench', spread),
      run: (seconds) =>
        runPgbench({ connection, partners: partners.slice(0, spread), clients: CLIENTS, seconds }),
    })),
  }
}
