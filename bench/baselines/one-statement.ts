import type pg from 'pg'
import { type Database, openDatabase } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { insertPurchases } from '#modules/gift-cards/store.ts'
import { answerJobs } from '../children.ts'
import { Latencies } from '../load/latencies.ts'
import { Values } from './values.ts'

// A process that makes one purchase after the other with the service's own statement, and nothing else: what is left of
// a purchase without HTTP, checks and sealing.
export interface StatementJob {
  connection: pg.ClientConfig
  partnerCode: string
  seconds: number
}

const NOT_COUNTED = 20 // until the connection keeps its plans, and V8 has compiled the driver

answerJobs(async ({ connection, partnerCode, seconds }: StatementJob) => {
  const database = openDatabase({ connection, maxConnections: 1, onIdleError: () => {} })
  const { partner, epoch } = await termsOf(database, partnerCode)
  const values = new Values()
  const buy = async () => {
    const shared = { lockMs: 400, skipHeld: false }
    const outcomes = await insertPurchases(database, { epoch, shared }, [purchase(partner, values)])
    if (outcomes === 'stale_keys' || outcomes[0]!.kind !== 'issued')
      throw new Error(`the purchase was refused: ${JSON.stringify(outcomes)}`)
  }
  for (let n = 0; n < NOT_COUNTED; n += 1) await buy()
  const latencies = new Latencies()
  const before = process.cpuUsage()
  const began = performance.now()
  for (let at = began; at - began < seconds * 1000; ) {
    await buy()
    const now = performance.now()
    latencies.add(now - at)
    at = now
  }
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  await database.close()
  const [p50, p99] = latencies.percentiles(0.5, 0.99) as [number, number]
  return {
    perSecond: latencies.count / took,
    p50,
    p99,
    errors: 0,
    requests: latencies.count + NOT_COUNTED,
    load: { cpuSeconds: (user + system) / 1e6, seconds: took },
  }
})

const TERMS = {
  name: 'bench_terms',
  text: 'select p.id as partner, i.key_epoch as epoch from partner p, installation i where p.code = $1',
}

async function termsOf(database: Database, code: string): Promise<{ partner: number; epoch: number }> {
  return (await database.read<{ partner: number; epoch: number }>(TERMS, [code]))[0]!
}

function purchase(partnerId: number, values: Values) {
  return {
    partnerId,
    giftId: newId<'card'>(),
    txId: newId<'purchase'>(),
    number: BigInt(values.number()),
    amount: 50_000n,
    keyId: 'bench0000000',
    indexKeyId: 'i1',
    recipient: values.recipient(),
    recipientIndex: values.index(),
    pin: values.pin(),
    pinIndex: values.index(),
    idempotency: null,
  }
}
