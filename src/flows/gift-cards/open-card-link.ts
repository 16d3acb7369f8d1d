import { Secret } from '#base/crypto/secret.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { readLinkCode } from '#modules/gift-cards/link-code.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import type { Card, RedeemRefusal } from '#modules/gift-cards/types.ts'

type OpenOutcome =
  | { kind: 'found'; pin: Pin; partner: string; amount: bigint; expiresOn: string }
  // `usedBy`: the member who registered it, or the link that no member has confirmed.
  | { kind: 'refused'; reason: RedeemRefusal; usedBy: string | null }
  // No code of ours: nothing was looked for.
  | { kind: 'unread' }

export type OpenCardLink = (code: string) => Promise<OpenOutcome>

const OPEN = {
  name: 'open_card_link',
  text: `select c.id, c.amount, c.status, c.expires_on, c.pin, coalesce(p.sender_name, p.name) as partner,
                coalesce((select u.member_id from partner_user u where u.id = c.used_by), c.used_by) as used_by,
                seoul_date(service_now()) as today
           from gift_card c join partner p on p.id = c.partner_id where c.number = $1::bigint`,
}

interface OpenRow {
  id: string
  amount: bigint
  status: Card['status']
  expires_on: string
  pin: Buffer | null
  partner: string
  used_by: string | null
  today: string
}

// The card of a message's link, for a visitor who may be unknown. The caller decides who learns why it cannot be
// registered any more.
export function createOpenCardLink(deps: {
  database: Reader
  keys: VaultKeeper
  queue: WorkQueue
}): OpenCardLink {
  const { database, keys, queue } = deps
  return async (code) => {
    const vault = keys.vault()
    const number = readLinkCode(vault, code)
    if (number === undefined) return { kind: 'unread' }
    const [row] = await queue('card_link', () =>
      database.read<OpenRow & Record<string, unknown>>(OPEN, [number]),
    )
    const card = row && { status: row.status, usedBy: null, expiresOn: row.expires_on, today: row.today }
    const decision = decideRedeem(card, '')
    const usedBy = row?.used_by ?? null
    if (decision !== 'redeem')
      return { kind: 'refused', reason: decision === 'again' ? 'used' : decision, usedBy }
    const { id, amount, expires_on: expiresOn, partner, pin } = row!
    if (!pin) return { kind: 'refused', reason: 'absent', usedBy }
    const opened = vault.open({ table: 'gift_card', column: 'pin', row: id }, pin)
    return { kind: 'found', pin: new Secret(opened), partner, amount, expiresOn }
  }
}
