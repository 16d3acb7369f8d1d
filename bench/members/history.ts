import type pg from 'pg'
import { newSessionId } from '#modules/sessions/rules.ts'
import type { Measurement } from '../rounds.ts'
import { withClient } from '../sql.ts'
import type { BenchMember } from './people.ts'
import { loadQuotes } from './quotes.ts'
import { asking, type MemberTarget } from './traffic.ts'

const FEW = 30 // more than a page of history: both answers are as long
const MANY = 5_000
const AT_ONCE = 100 // one transaction would leave every old version of an account in the way of the next order
const SESSIONS = 200 // each has a rate of its own

const ORDERS = `
  select count(*) filter (where outcome = 'placed')::int as placed
    from unnest($1::uuid[]) quote cross join lateral place_orders(array[quote], array[$2::uuid], array[uuidv7()])`

const MOVEMENTS = `
  select count(*)::int as count from account a join transfer t on a.id in (t.debit_account, t.credit_account)
   where a.holder_id = $1`

export interface Histories {
  assets: [few: Measurement, many: Measurement]
  history: [few: Measurement, many: Measurement]
}

// The same pages for a member with few movements and for one with many: an answer in the same time is the point.
export async function prepareHistories(
  connection: pg.ClientConfig,
  target: MemberTarget,
  [few, many]: readonly [BenchMember, BenchMember],
): Promise<Histories> {
  const pages = async (member: BenchMember, orders: number) => {
    const movements = await placeOrders(connection, target.ports[0]!, member, orders)
    const calls = await openSessions(connection, member)
    const page = (name: string, path: string) =>
      asking(`${name}, ${movements.toLocaleString('en-US')} movements, 1 connection`, target, {
        path,
        calls,
        connections: 1,
      })
    return [page('asset page', '/member/assets'), page('history', '/member/history')] as const
  }
  const [fewAssets, fewHistory] = await pages(few, FEW)
  const [manyAssets, manyHistory] = await pages(many, MANY)
  return { assets: [fewAssets, manyAssets], history: [fewHistory, manyHistory] }
}

// Gives how many movements the member's accounts have.
async function placeOrders(
  connection: pg.ClientConfig,
  port: number,
  member: BenchMember,
  count: number,
): Promise<number> {
  const quotes = (await loadQuotes({ connection, port }, [member], count)).map(({ id }) => id)
  return withClient(connection, async (client) => {
    for (let at = 0; at < count; at += AT_ONCE) {
      const some = quotes.slice(at, at + AT_ONCE)
      const { rows } = await client.query<{ placed: number }>(ORDERS, [some, member.holderId])
      if (rows[0]!.placed !== some.length) throw new Error('an order was refused')
    }
    const { rows } = await client.query<{ count: number }>(MOVEMENTS, [member.holderId])
    return rows[0]!.count
  })
}

async function openSessions(
  connection: pg.ClientConfig,
  member: BenchMember,
): Promise<{ session: string }[]> {
  const sessions = Array.from({ length: SESSIONS }, newSessionId)
  await withClient(connection, (client) =>
    client.query(
      `insert into web_session (hash, account_id, created_at, seen_at)
       select hash, a.id, service_now(), service_now() from unnest($1::bytea[]) hash, member_account a
        where a.member_id = $2`,
      [sessions.map(({ hash }) => hash), member.holderId],
    ),
  )
  return sessions.map(({ id }) => ({ session: id.reveal() }))
}
