import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { showWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { listNoticesTo } from '#modules/deliveries/notices/store.ts'
import type { Asset } from '#modules/ledger/types.ts'
import type { MemberLink } from '#modules/members/types.ts'
import { listWithdrawalsOf } from '#modules/withdrawals/store.ts'

const SHOWN = 20

interface Whose {
  memberId: string
  accountId: string | null
  links: readonly MemberLink[]
}

export interface HeldBy {
  // Null: the member's own. Otherwise the partner whose link the member has not decided on.
  through: string | null
  points: bigint
  deposit: bigint
  gold: bigint
  silver: bigint
}

export interface ShownOrder {
  id: string
  at: Temporal.Instant
  side: 'buy' | 'sell'
  metal: 'XAU' | 'XAG'
  units: bigint
  price: bigint
  fee: bigint
  total: bigint
}

// What callers ask support about: the member's holdings, latest acts and latest notices.
export async function readMemberLists(db: Db, vault: Vault, { memberId, accountId, links }: Whose) {
  const holders = [memberId, ...links.map(({ id }) => id)]
  return {
    holdings: await readHoldings(db, memberId, links),
    orders: await listOrders(db, holders),
    withdrawals: (await listWithdrawalsOf(db, memberId, SHOWN)).map((one) => showWithdrawal(vault, one)),
    notices: accountId === null ? [] : await listNoticesTo(db, accountId, SHOWN),
  }
}

async function readHoldings(db: Db, memberId: string, links: readonly MemberLink[]): Promise<HeldBy[]> {
  const holders = [memberId, ...links.map(({ id }) => id)]
  const { rows } = await sql<{ holder_id: string; asset: Asset; balance: bigint }>`
    select holder_id, asset, balance from account where holder_id = any(${holders}::uuid[])`.execute(db)
  return holders.flatMap((holder) => {
    const held = rows.filter(({ holder_id }) => holder_id === holder)
    const of = (asset: Asset) => held.find((one) => one.asset === asset)?.balance ?? 0n
    const through = links.find(({ id }) => id === holder)?.partner ?? null
    const has = {
      through,
      points: of('KRW_POINT'),
      deposit: of('KRW'),
      gold: of('XAU'),
      silver: of('XAG'),
    }
    const isEmpty = held.every(({ balance }) => balance === 0n)
    return through !== null && isEmpty ? [] : [has]
  })
}

async function listOrders(db: Db, holders: readonly string[]): Promise<ShownOrder[]> {
  const { rows } = await sql<ShownOrder>`
    select o.id, o.at, o.side, o.metal, o.units, o.price, o.fee, o.total
      from unnest(${holders}::uuid[]) as h (id)
     cross join lateral (select * from trade_order where holder_id = h.id order by at desc limit ${SHOWN}) o
     order by o.at desc, o.id limit ${SHOWN}`.execute(db)
  return rows
}
