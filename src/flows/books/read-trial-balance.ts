import { sql } from 'kysely'
import type { Database, Db } from '#base/db/db.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import type { NamedGroup } from '#flows/books/read-day.ts'
import { findSince, readMovedSince } from '#flows/books/read-moved.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { sumBalances } from '#modules/closed-days/rules.ts'
import { readClosedBalances } from '#modules/closed-days/store.ts'
import type { Balance, Line } from '#modules/closed-days/types.ts'
import { mapPartnerCodes } from '#modules/partners/store.ts'

export type TrialRefusal = Refusal<'moment_ahead', { now: Temporal.Instant }>

export interface TrialAccount extends NamedGroup {
  // One of the two is 0: a balance of more credits than debits is a credit.
  debit: bigint
  credit: bigint
}

export interface TrialBalance {
  kind: 'balance'
  at: Temporal.Instant
  // The last transfer there was when it was made. One that commits later may still be of before the moment.
  position: bigint
  // The closed day that it was made from; null if there is none before the moment.
  from: string | null
  accounts: TrialAccount[]
}

// Every account at a moment: the last day that was closed before it, and the transfers since. Never all transfers.
export async function readTrialBalance(
  database: Database,
  asked?: Temporal.Instant,
): Promise<TrialBalance | TrialRefusal> {
  const now = await serviceNow(database)
  const at = asked ?? now
  if (Temporal.Instant.compare(at, now) > 0) return refused('moment_ahead', { now })
  const since = await findSince(database, at)
  const { base } = since
  const opening = base ? await readClosedBalances(database, base.day) : []
  const codes = await mapPartnerCodes(database)
  const { moved, position } = await database.withSnapshot(async (db) => ({
    position: await readNewest(db),
    moved: (await readMovedSince(db, since, at)).map(netOf),
  }))
  const accounts = sumBalances([opening, moved])
    .filter(({ balance }) => balance !== 0n)
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({ account, asset, partnerId, balance }) => ({
      account,
      asset,
      partner: codes.get(partnerId) ?? null,
      debit: balance < 0n ? -balance : 0n,
      credit: balance > 0n ? balance : 0n,
    }))
  return { kind: 'balance', at, position, from: base?.day ?? null, accounts }
}

const netOf = ({ account, asset, partnerId, credit, debit }: Line): Balance => ({
  account,
  asset,
  partnerId,
  balance: credit - debit,
})

const sortKey = ({ asset, account, partnerId }: Balance) =>
  `${asset} ${account} ${`${partnerId}`.padStart(10, '0')}`

async function readNewest(db: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select coalesce(max(id), 0) as id from transfer`.execute(db)
  return rows[0]!.id
}
