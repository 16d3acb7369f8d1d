import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import { retryStaleKeys } from '#flows/kit/retries.ts'
import { keptPinHash, type Pin } from '#modules/gift-cards/pin.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import type { Card, RedeemRefusal } from '#modules/gift-cards/types.ts'
import { decideExtension } from '#modules/refunds/rules.ts'

interface CheckCommand {
  pin: Pin
  // Who would redeem it.
  holderId: string
}

type CheckOutcome =
  // `again`: the same holder has redeemed it already. `extendsTo`: its last day after its one extension; null if there is none
  // left.
  | {
      kind: 'found'
      cardId: string
      amount: bigint
      expiresOn: string
      partnerName: string
      again: boolean
      extendsTo: string | null
    }
  | { kind: 'refused'; reason: RedeemRefusal }

export type CheckCard = (command: CheckCommand) => Promise<CheckOutcome>

// Keys in force and card of one snapshot: under another epoch the card may be indexed by a key that was not asked for.
const CHECK = {
  name: 'check_card',
  text: `select i.key_epoch as epoch, seoul_date(now() + i.clock_offset) as today, c.*
           from installation i
           left join lateral (
                  select c.id, c.amount, c.status, c.issued_on, c.expires_on, c.used_by, p.name as partner,
                          exists (select from card_extension x where x.card_id = c.id) as is_extended,
                          (select d.extension_months from refund_policy_detail d
                            where d.version = (refund_policy_of(c.issued_on)).version) as extension_months,
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
  issued_on: string
  expires_on: string
  is_extended: boolean
  extension_months: number
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
      const [row] = await database.read<CheckRow>(CHECK, [current, next, keptPinHash(vault, pin.reveal())])
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
    cardId: id!,
    amount: row.amount,
    expiresOn,
    partnerName: row.partner,
    again: decision === 'again',
    extendsTo: extendsTo(row),
  }
}

function extendsTo(row: CheckRow): string | null {
  const { status, today, issued_on: issuedOn, expires_on: expiresOn, extension_months: extensionMonths } = row
  const circumstances = { isExtended: row.is_extended, policy: { extensionMonths }, today }
  const decision = decideExtension({ status, issuedOn, expiresOn }, circumstances)
  return decision.kind === 'extends' ? decision.toDay : null
}
