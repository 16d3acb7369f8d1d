import { randomBytes, randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { answerJobs } from '../children.ts'
import { asSealed } from '../sealed.ts'

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
const RECIPIENT_BYTES = 44 // what the vault makes of +821012345678 …
const PIN_BYTES = 47 // … and of a PIN
const INDEX_BYTES = 32

// Slices of one random buffer: distinct values that cost next to nothing to make.
class Values {
  #pool = randomBytes(1 << 20)
  #at = 0

  take(bytes: number): Buffer {
    if (this.#at + bytes > this.#pool.length) {
      this.#pool = randomBytes(1 << 20)
      this.#at = 0
    }
    this.#at += bytes
    return this.#pool.subarray(this.#at - bytes, this.#at)
  }
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
  // Scattered like the numbers of real cards, and below all of them.
  const number = 100_000_000 + (values.take(6).readUIntBE(0, 6) % 900_000_000_000_000)
  return [
    partner,
    randomUUIDv7(),
    randomUUIDv7(),
    number,
    50_000,
    asSealed(values.take(RECIPIENT_BYTES)),
    values.take(INDEX_BYTES),
    asSealed(values.take(PIN_BYTES)),
    values.take(INDEX_BYTES),
  ]
}
