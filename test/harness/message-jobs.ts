import assert from 'node:assert/strict'
import { takeOverJobs } from '#modules/deliveries/store.ts'
import { PHONE, type TestPartner, type TestService } from './service.ts'

export interface Payload {
  channel: string
  ids: number[]
  together?: true
}

export const text = (...ids: number[]): Payload => ({ channel: 'text', ids, together: true })

// The queue of the messages' jobs, seen from outside. No worker is at it.
export function watchJobs({ database }: TestService, partner: TestPartner) {
  const { pool } = database
  const clear = () => pool.query('delete from graphile_worker._private_jobs')
  return {
    clear,
    async jobs(): Promise<Payload[]> {
      const { rows } = await pool.query(
        'select payload from graphile_worker._private_jobs order by run_at, id',
      )
      return rows.map(({ payload }) => payload)
    },
    async add(payload: Payload, { seconds = -1 } = {}): Promise<string> {
      const { rows } = await pool.query(
        `select id from graphile_worker.add_job('send_deliveries', $1::json, run_at => now() + make_interval(secs => $2))`,
        [JSON.stringify(payload), seconds],
      )
      return rows[0].id
    },
    take: (room: number) =>
      database.withTransaction((tx) => takeOverJobs(tx, 'delivery', { channel: 'text', room })),
    // The text messages of new cards, whose jobs are gone.
    async buy(count: number): Promise<number[]> {
      for (let i = 0; i < count; i += 1) {
        const bought = await partner.buy({ amount: 50_000, phoneNumber: PHONE })
        assert.equal(bought.status, 200)
      }
      await clear()
      const { rows } = await pool.query(
        `select id::int from delivery where channel = 'text' order by id desc limit $1`,
        [count],
      )
      return rows.map(({ id }) => id).reverse()
    },
  }
}
