import { sql } from 'kysely'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import { findLastAccount, findOpenAccount, lockAccount } from '#modules/accounts/store.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import {
  findHouseAccount,
  lockBalances,
  lockHolder,
  openHolding,
  postTransfers,
  readHolding,
} from '#modules/ledger/store.ts'
import { isFrozen } from '#modules/members/freezes.ts'

// Corrects what somebody holds by hand: won that a mistake gave or took. One person asks, and the approval of another moves it.
// Metal is left out: what it had cost follows from orders.
const ADJUSTABLE = ['KRW_POINT', 'KRW'] as const
export type AdjustableAsset = (typeof ADJUSTABLE)[number]

// A slip of the finger stays below this.
const MOST_ADJUSTED = 1_000_000_000n

export interface AdjustCommand extends Person {
  // A member, or a link that its member has not decided on.
  holderId: string
  asset: AdjustableAsset
  // Signed.
  amount: bigint
  reason: string
}

// balance: what is held now.
export type AdjustRefusal =
  | Refusal<'holder_not_found' | 'holder_frozen' | 'holder_closed'>
  | Refusal<'adjusted_below_zero', { balance: bigint }>
export type RequestAdjustmentRefusal = AdjustRefusal | Refusal<'amount_out_of_bounds', { most: bigint }>

export type AdjustOutcome = { kind: 'waiting'; request: ChangeRequest } | RequestAdjustmentRefusal

export async function requestAdjustment(database: Database, command: AdjustCommand): Promise<AdjustOutcome> {
  const { holderId: named, asset, amount, ...maker } = command
  const size = amount < 0n ? -amount : amount
  if (size === 0n || size > MOST_ADJUSTED) return refused('amount_out_of_bounds', { most: MOST_ADJUSTED })
  return withOutcome(database, async (tx) => {
    const holder = await lockAdjusted(tx, named)
    if (holder.kind === 'refused') return holder
    const balance = await readHolding(tx, holder.holderId, asset)
    if (balance + amount < 0n) return refused('adjusted_below_zero', { balance })
    const change = {
      action: 'holding.adjust.request',
      kind: 'adjustment',
      subject: holder.holderId,
      payload: { asset, amount: amount.toString() },
      basis: { balance: balance.toString() },
    } as const
    return requestChange(tx, change, maker)
  })
}

// The balance may have moved since, as it does with every purchase. Only below zero it cannot go.
export async function executeAdjustment(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | AdjustRefusal> {
  const { asset, amount: text } = request.payload as { asset: AdjustableAsset; amount: string }
  const amount = BigInt(text)
  const holder = await lockAdjusted(tx, request.subject)
  if (holder.kind === 'refused') return holder
  const holding = await openHolding(tx, holder.holderId, asset)
  const house = await findHouseAccount(tx, 'adjustments', asset)
  const balance = (await lockBalances(tx, [holding, house])).get(holding)!
  if (balance + amount < 0n) return refused('adjusted_below_zero', { balance })
  // Under the holding's lock, which a freeze takes too.
  if (await isFrozen(tx, holder.memberId)) return refused('holder_frozen')
  const isUp = amount > 0n
  const [debit, credit] = isUp ? [house, holding] : [holding, house]
  await postTransfers(tx, isUp ? 'adjust_up' : 'adjust_down', [
    { groupId: request.id, cardId: null, debit, credit, amount: isUp ? amount : -amount },
  ])
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'holding.adjust',
    subject: holder.holderId,
    details: {
      asset,
      amount: text,
      before: balance.toString(),
      after: (balance + amount).toString(),
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
    },
  })
  return { kind: 'executed', payload: { asset, amount: amount.toString() } }
}

// The holder as of now, who must still be able to use what is held. The account's lock keeps it from being closed meanwhile.
async function lockAdjusted(
  tx: Tx,
  named: string,
): Promise<{ kind: 'found'; holderId: string; memberId: string } | AdjustRefusal> {
  const holderId = await lockHolder(tx, named)
  const memberId = await findMemberOf(tx, holderId)
  if (memberId === undefined) return refused('holder_not_found')
  if (await isFrozen(tx, memberId)) return refused('holder_frozen')
  // A link that is not decided on is reached by its partner's web view.
  if (holderId !== memberId) return { kind: 'found', holderId, memberId }
  const open = await findOpenAccount(tx, memberId)
  const account = open && (await lockAccount(tx, open.id))
  // A person whom only partners know has no account, and none that was closed.
  if (account?.closedAt || (!account && (await findLastAccount(tx, memberId))))
    return refused('holder_closed')
  return { kind: 'found', holderId, memberId }
}

async function findMemberOf(db: Db, holderId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from member where id = ${holderId}
    union all select member_id from partner_user where id = ${holderId}`.execute(db)
  return rows[0]?.id
}
