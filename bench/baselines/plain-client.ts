import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { answerJobs } from '../children.ts'
import { Values } from './values.ts'

// A process that buys one card per transaction through node-postgres: no HTTP, no sealing, no batching.
export interface PlainJob {
  connection: pg.ClientConfig
  partners: readonly number[]
  connections: number
  seconds: number
}

const BUY_ONE = {
  name: 'buy_one',
  text: 'select bench.buy_one($1, $2, $3, $4, $5, $6, $7, $8, $9)',
}
const PURCHASES_NOT_COUNTED = 10 // until a connection keeps its plans

answerJobs(async ({ connection, partners, connections, seconds }: PlainJob) => {
  const clients = Array.from({ length: connections }, () => new pg.Client(connection))
  await Promise.all(clients.map((client) => client.connect()))
  const values = new Values()
  const buy = (client: pg.Client, i: number) =>
    client.query({ ...BUY_ONE, values: purchase(values, partners[i % partners.length]!) })

  await Promise.all(
    clients.map(async (client, i) => {
      for (let n = 0; n < PURCHASES_NOT_COUNTED; n += 1) await buy(client, i)
    }),
  )
  let bought = 0
  const began = performance.now()
  await Promise.all(
    clients.map(async (client, i) => {
      for (; performance.now() - began < seconds * 1000; bought += 1) await buy(client, i)
    }),
  )
  const took = (performance.now() - began) / 1000
  await Promise.all(clients.map((client) => client.end()))
  return { perSecond: bought / took, requests: bought + connections * PURCHASES_NOT_COUNTED, errors: 0 }
})

function purchase(values: Values, partner: number): unknown[] {
  return [
    ...[partner, randomUUIDv7(), randomUUIDv7(), values.number(), 50_000],
    ...[values.recipient(), values.index(), values.pin(), values.index()],
  ]
}
