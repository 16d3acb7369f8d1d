import type { Reader } from '#base/db/db.ts'
import { CREDITS, DEBITS, NEWEST } from './movements.ts'
import type { Asset, TransferKind } from './types.ts'

// An account as one side of a transfer names it.
export interface TransferSide {
  accountId: bigint
  // partner_receivable, holding, outstanding_cards …
  kind: string
  // Whose it is: a partner by code, a member, or a link that its member has not decided on. Null: the house's.
  owner: { kind: 'partner' | 'member' | 'user'; id: string } | null
}

export interface ShownTransfer {
  id: bigint
  kind: TransferKind
  asset: Asset
  amount: bigint
  at: Temporal.Instant
  // Of the act that it belongs to: an order, a withdrawal, a purchase.
  groupId: string
  cardId: string | null
  from: TransferSide
  to: TransferSide
}

interface Row {
  id: bigint
  kind: TransferKind
  asset: Asset
  amount: bigint
  at: Temporal.Instant
  group_id: string
  card_id: string | null
  from_id: bigint
  from_kind: string
  from_partner: string | null
  from_holder: string | null
  from_link: boolean
  to_id: bigint
  to_kind: string
  to_partner: string | null
  to_holder: string | null
  to_link: boolean
}

// Probes of primary keys for each side. Offset 0 keeps them so, whatever the planner thinks of the tables' sizes.
const side = (name: string, column: string) => `
  cross join lateral (
    select a.id as ${name}_id, a.kind as ${name}_kind, a.holder_id as ${name}_holder,
           (select code from partner where id = a.partner_id) as ${name}_partner,
           exists (select from partner_user u where u.id = a.holder_id) as ${name}_link
      from account a where a.id = t.${column} offset 0) ${name}_side`

const described = (transfers: string) => `
  select t.id, t.kind, t.asset, t.amount, t.at, t.group_id, t.card_id, from_side.*, to_side.*
    from (${transfers}) t ${side('from', 'debit_account')} ${side('to', 'credit_account')}
   order by t.id desc`

const OF_CARD = {
  name: 'transfers_of_card',
  text: described('select * from transfer where card_id = $1::uuid'),
}

// The kinds stand as in the partial index.
const OF_ACT = {
  name: 'transfers_of_act',
  text: described(`select * from transfer where group_id = $1::uuid
    and kind in ('buy', 'sell', 'grant', 'join', 'waive')`),
}

// A page costs the same however many there are: each account gives at most a page, by its two indexes. A transfer between
// two of these holders is found from both sides, and counts once.
const OF_HOLDERS = {
  name: 'transfers_of_holders',
  text: described(`select x.* from (
      select distinct m.id from account a cross join lateral (
               (${DEBITS} and t.id < $2::bigint order by t.id desc limit $3::int)
               union all
               (${CREDITS} and t.id < $2::bigint order by t.id desc limit $3::int)) m
       where a.holder_id = any ($1::uuid[])
       order by m.id desc limit $3::int) found
     cross join lateral (select * from transfer where id = found.id offset 0) x`),
}

export async function listTransfersOfCard(database: Reader, cardId: string): Promise<ShownTransfer[]> {
  return (await database.read<Row & Record<string, unknown>>(OF_CARD, [cardId])).map(toTransfer)
}

export async function listTransfersOfAct(database: Reader, groupId: string): Promise<ShownTransfer[]> {
  return (await database.read<Row & Record<string, unknown>>(OF_ACT, [groupId])).map(toTransfer)
}

// Newest first, below `before`.
export async function listTransfersOfHolders(
  database: Reader,
  holders: readonly string[],
  { before, limit }: { before: bigint | undefined; limit: number },
): Promise<ShownTransfer[]> {
  const values = [holders, before ?? NEWEST, limit]
  return (await database.read<Row & Record<string, unknown>>(OF_HOLDERS, values)).map(toTransfer)
}

function toTransfer(row: Row): ShownTransfer {
  return {
    id: row.id,
    kind: row.kind,
    asset: row.asset,
    amount: row.amount,
    at: row.at,
    groupId: row.group_id,
    cardId: row.card_id,
    from: toSide(row.from_id, row.from_kind, row.from_partner, row.from_holder, row.from_link),
    to: toSide(row.to_id, row.to_kind, row.to_partner, row.to_holder, row.to_link),
  }
}

function toSide(
  accountId: bigint,
  kind: string,
  partner: string | null,
  holder: string | null,
  isLink: boolean,
): TransferSide {
  if (partner !== null) return { accountId, kind, owner: { kind: 'partner', id: partner } }
  if (holder === null) return { accountId, kind, owner: null }
  return { accountId, kind, owner: { kind: isLink ? 'user' : 'member', id: holder } }
}
