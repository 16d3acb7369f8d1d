import type { Reader } from '#base/db.ts'
import type { Lane } from '#base/lane.ts'
import { Secret } from '#base/secret.ts'
import type { VaultKeeper } from '#base/vault.ts'
import { readLinkCode } from '#modules/gift-cards/link-code.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import type { Card, RedeemRefusal } from '#modules/gift-cards/types.ts'

type OpenOutcome =
  | { kind: 'found'; pin: Pin; partner: string; amount: bigint; expiresOn: string }
  | { kind: 'refused'; reason: RedeemRefusal }
  // No code of ours: nothing was looked for.
  | { kind: 'unread' }

export type OpenCardLink = (code: string) => Promise<OpenOutcome>

const OPEN = {
  name: 'open_card_link',
  text: `select c.id, c.amount, c.status, c.expires_on, c.pin, coalesce(p.sender_name, p.name) as partner,
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
  today: string
}

// The card that a message's link carries, for somebody who is not known yet. Of one that cannot be registered any more
// nothing is told.
export function createOpenCardLink(deps: { database: Reader; keys: VaultKeeper; lane: Lane }): OpenCardLink {
  const { database, keys, lane } = deps
  return async (code) => {
    const vault = keys.vault()
    const number = readLinkCode(vault, code)
    if (number === undefined) return { kind: 'unread' }
    const [row] = await lane('card_link', () =>
      database.read<OpenRow & Record<string, unknown>>(OPEN, [number]),
    )
    const card = row && { status: row.status, usedBy: null, expiresOn: row.expires_on, today: row.today }
    const decision = decideRedeem(card, '')
    if (decision !== 'redeem') return { kind: 'refused', reason: decision === 'again' ? 'used' : decision }
    const { id, amount, expires_on: expiresOn, partner, pin } = row!
    if (!pin) return { kind: 'refused', reason: 'absent' }
    const opened = vault.open({ table: 'gift_card', column: 'pin', row: id }, pin)
    return { kind: 'found', pin: new Secret(opened), partner, amount, expiresOn }
  }
}
