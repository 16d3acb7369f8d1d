import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import { keptPinHash } from '#flows/gift-cards/redeem-gift-card.ts'
import { retryStaleKeys } from '#flows/kit/retries.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import type { Card, RedeemRefusal } from '#modules/gift-cards/types.ts'

interface CheckCommand {
  pin: Pin
  // Who would redeem it.
  holderId: string
}

type CheckOutcome =
  // `again`: the same holder has redeemed it already.
  | { kind: 'found'; amount: bigint; expiresOn: string; partnerName: string; again: boolean }
  | { kind: 'refused'; reason: RedeemRefusal }

export type CheckCard = (command: CheckCommand) => Promise<CheckOutcome>

// Keys in force and card of one snapshot: under another epoch the card may be indexed by a key that was not asked for.
const CHECK = {
  name: 'check_card',
  text: `select i.key_epoch as epoch, seoul_date(now() + i.clock_offset) as today, c.*
           from installation i
           left join lateral (
                  select c.id, c.amount, c.status, c.expires_on, c.used_by, p.name as partner,
                          (select u.member_id from partner_user u where u.id = c.used_by) as used_by_member
                    from (select * from gift_card where pin_index = $1::bytea
                          union all select * from gift_card where pin_index = $2::bytea
                          union all select g.* from redemption_key k join gift_card g on g.id = k.card_id
                                     where k.pin_hash = $3::bytea limit 1) c
                    join partner p on p.id = c.partner_id) c on true`,
}

interface CheckRow {
  epoch: number
  today: string
  id: string | null
  amount: bigint
  status: Card['status']
  expires_on: string
  used_by: string | null
  // The member of a link that redeemed it.
  used_by_member: string | null
  partner: string
}

// What a PIN would give: the same as redeeming it a moment later.
export function createCheckCard({ database, keys }: { database: Reader; keys: VaultKeeper }): CheckCard {
  return ({ pin, holderId }) =>
    retryStaleKeys(keys, async (vault) => {
      const { current, next } = vault.indexes('pin', pin.reveal())
      const [row] = await database.read<CheckRow>(CHECK, [current, next, keptPinHash(vault, pin)])
      return row?.epoch === vault.epoch ? decide(row, holderId) : 'stale_keys'
    })
}

function decide(row: CheckRow, holderId: string): CheckOutcome {
  const { id, status, today, expires_on: expiresOn, used_by_member: member } = row
  const usedBy = member === holderId ? member : row.used_by
  const decision = decideRedeem(id === null ? undefined : { status, usedBy, expiresOn, today }, holderId)
  if (decision !== 'redeem' && decision !== 'again') return { kind: 'refused', reason: decision }
  return {
    kind: 'found',
    amount: row.amount,
    expiresOn,
    partnerName: row.partner,
    again: decision === 'again',
  }
}
