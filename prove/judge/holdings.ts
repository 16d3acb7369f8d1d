import type pg from 'pg'
import type { Entry } from '../acts.ts'
import { type Client, PARTNER } from '../client.ts'
import { acknowledged } from './cards.ts'

const ASSETS = ['KRW_POINT', 'KRW', 'XAU', 'XAG'] as const

interface Holder {
  login_id: string
  holder_id: string
  balances: Record<string, string>
}

// Orders, withdrawals and users that were acknowledged are the ones that are there; and each member holds what the
// acknowledged acts add up to (I1, I4, I6).
export async function checkHoldings(
  sql: pg.Client,
  client: Client,
  entries: readonly Entry[],
): Promise<string[]> {
  const logins = client.members.map(({ loginId }) => loginId)
  const { rows: holders } = await sql.query<Holder>(
    `select m.login_id, m.member_id as holder_id,
            coalesce((select jsonb_object_agg(a.asset, a.balance::text) from account a
                       where a.holder_id = m.member_id), '{}') as balances
       from member_account m where m.login_id = any($1)`,
    [logins],
  )
  const ids = holders.map(({ holder_id }) => holder_id)
  return [
    ...(await compare(sql, 'order', entries, 'select id from trade_order where holder_id = any($1)', ids)),
    ...(await compare(sql, 'withdraw', entries, 'select id from withdrawal where holder_id = any($1)', ids)),
    ...(await compare(sql, 'signup', entries, USERS, [PARTNER])),
    ...compareBalances(logins, holders, entries),
  ]
}

const USERS = `
  select u.partner_key as id from partner_user u join partner p on p.id = u.partner_id where p.code = any($1)`

async function compare(
  sql: pg.Client,
  kind: 'order' | 'withdraw' | 'signup',
  entries: readonly Entry[],
  query: string,
  values: readonly string[],
): Promise<string[]> {
  const wanted = acknowledged(entries, kind)
  const { rows } = await sql.query<{ id: string }>(query, [values])
  const there = new Set(rows.map(({ id }) => id))
  return [
    ...[...wanted.keys()].filter((id) => !there.has(id)).map((id) => `I1 lost ${kind}: ${id}`),
    ...[...there].filter((id) => !wanted.has(id)).map((id) => `I2 doubled ${kind}: ${id}`),
  ]
}

function compareBalances(
  logins: readonly string[],
  holders: readonly Holder[],
  entries: readonly Entry[],
): string[] {
  const expected = logins.map(() => ({ KRW_POINT: 0, KRW: 0, XAU: 0, XAG: 0 }))
  // By id: an act that was answered twice moved once.
  const counted = new Set<string>()
  for (const { act, outcome } of entries) {
    if (outcome.kind !== 'ok' || outcome.moved === undefined || !('member' in act)) continue
    if (counted.has(outcome.id)) continue
    counted.add(outcome.id)
    for (const asset of ASSETS) expected[act.member]![asset] += outcome.moved[asset] ?? 0
  }
  return logins.flatMap((login, i) => {
    const holder = holders.find(({ login_id }) => login_id === login)
    if (!holder) return [`I1 lost member: ${login}`]
    return ASSETS.flatMap((asset) => {
      const held = Number(holder.balances[asset] ?? 0)
      const wanted = expected[i]![asset]
      return held === wanted ? [] : [`I6 wrong balance: ${login} holds ${held} ${asset}, not ${wanted}`]
    })
  })
}
