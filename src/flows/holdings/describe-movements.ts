import type { Reader } from '#base/db/db.ts'
import type { Movement } from '#modules/ledger/movements.ts'
import type { OrderFigures } from '#modules/pricing/order-lines.ts'
import type { Withdrawal } from '#modules/withdrawals/types.ts'

// What a person wants to know about a movement or an act, besides the amounts.
export interface Description {
  // Who gave the card that was registered.
  partnerName: string | null
  order: OrderFigures | null
  // The present status of a withdrawal.
  withdrawalStatus: Withdrawal['status'] | null
}

type Described = Pick<Movement, 'kind' | 'groupId' | 'cardId'>

// Probes of primary keys: orders and withdrawals by the group, partners by the card.
const DESCRIBE = {
  name: 'describe_movements',
  text: `select w.i::int, p.name as "partnerName", d.status as "withdrawalStatus", o.id is not null as "isOrder",
                o.side, o.metal, o.units, o.reference, o.price, o.spread_bps as "spreadBps", o.fee_bps as "feeBps",
                o.metal_won as "metalWon", o.fee, o.total, o.cost
           from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as w (order_id, withdrawal_id, card_id, i)
           left join lateral (select * from trade_order where id = w.order_id limit 1) o on true
           left join lateral (select status from withdrawal where id = w.withdrawal_id limit 1) d on true
           left join lateral (select p.name from gift_card c join partner p on p.id = c.partner_id
                               where c.id = w.card_id limit 1) p on true`,
}

type Row = OrderFigures &
  Pick<Description, 'partnerName' | 'withdrawalStatus'> & { i: number; isOrder: boolean }

export async function describe<One extends Described>(
  database: Reader,
  all: readonly One[],
): Promise<(One & Description)[]> {
  if (all.length === 0) return []
  const rows = await database.read<Row>(DESCRIBE, [
    all.map((one) => (isOrder(one) ? one.groupId : null)),
    all.map((one) => (isWithdrawal(one) ? one.groupId : null)),
    all.map((one) => one.cardId),
  ])
  const byPlace = new Map(rows.map(({ i, ...row }) => [i, row]))
  return all.map((one, i) => {
    const { partnerName, withdrawalStatus, isOrder, ...order } = byPlace.get(i + 1)!
    return { ...one, partnerName, withdrawalStatus, order: isOrder ? order : null }
  })
}

export function isOrder({ kind }: Pick<Movement, 'kind'>): boolean {
  return kind === 'buy' || kind === 'sell'
}

function isWithdrawal({ kind }: Pick<Movement, 'kind'>): boolean {
  return kind === 'withdraw' || kind === 'withdraw_back'
}
