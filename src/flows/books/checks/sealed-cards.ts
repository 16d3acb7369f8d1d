import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { keptPinHash } from '#modules/gift-cards/pin.ts'
import { collect, opened } from './sealed-rows.ts'

// Checks that need the keys: a card was bought from the service, its PIN is its own and is found by its hash, and a kept
// idempotency key belongs to its purchase.

const ofCard = (column: string, row: string) => ({ table: 'gift_card', column, row })

interface PinRow {
  id: string
  pin: Buffer
  pin_index: Buffer | null
  index_key: string
}

// A PIN whose redemption is kept has redeemed another card.
export function findForeignPins(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (after, most) => {
    const { rows } = await sql<PinRow>`
      select id, pin, pin_index, index_key from gift_card
       where id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid and pin is not null
       order by id limit ${most}`.execute(db)
    const pins = rows.map((row) => ({ ...row, text: opened(vault, ofCard('pin', row.id), row.pin) }))
    const kept = pins.map(({ text }) => (text === undefined ? null : keptPinHash(vault, text)))
    const { rows: used } = await sql<{ place: bigint }>`
      select place from unnest(${kept}::bytea[]) with ordinality as w (hash, place)
        join redemption_key k on k.pin_hash = w.hash`.execute(db)
    const places = new Set(used.map(({ place }) => Number(place) - 1))
    const wrong = pins.filter((pin, i) => !isOwnPin(vault, pin) || places.has(i))
    return { last: rows.at(-1)?.id, wrong: wrong.map(({ id }) => id) }
  })
}

function isOwnPin(
  vault: Vault,
  { text, pin_index, index_key }: PinRow & { text: string | undefined },
): boolean {
  if (text === undefined) return false
  // Under another index key it waits for a rotation to reach it.
  return index_key !== vault.indexKeyId || (pin_index?.equals(vault.index('pin', text)) ?? false)
}

// Whoever inserts a card by SQL, with its transfers, has no key to seal a recipient with. The hash that it is found by is of
// that number, and an API key of the partner bought it: keys are revoked, never deleted. `after`: only cards that were issued by later
// transfers than this.
export function findForgedCards(db: Db, vault: Vault, after?: bigint): Promise<string[]> {
  return collect(async (last, most) => {
    const { rows } = await (after === undefined
      ? sql<CardRow>`
          select c.id, recipient, recipient_index, index_key, c.id::text as place, k.id is not null as "hasKey"
            from (select * from gift_card where id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid
                   order by id limit ${most}) c
            left join api_key k on k.id = c.api_key_id and k.partner_id = c.partner_id order by c.id`
      : sql<CardRow>`
          select c.id, recipient, recipient_index, index_key, t.id::text as place, k.id is not null as "hasKey"
            from (select id, card_id from transfer where kind = 'issue' and id > ${last ?? String(after)}::bigint
                   order by id limit ${most}) t
            join gift_card c on c.id = t.card_id
            left join api_key k on k.id = c.api_key_id and k.partner_id = c.partner_id order by t.id`
    ).execute(db)
    const wrong = rows.filter((row) => !row.hasKey || !isOwnRecipient(vault, row))
    return { last: rows.at(-1)?.place, wrong: wrong.map(({ id }) => id) }
  })
}

interface CardRow {
  id: string
  recipient: Buffer
  recipient_index: Buffer
  index_key: string
  place: string
  hasKey: boolean
}

function isOwnRecipient(vault: Vault, { id, recipient, recipient_index, index_key }: CardRow): boolean {
  const phone = opened(vault, ofCard('recipient', id), recipient)
  if (phone === undefined) return false
  return index_key !== vault.indexKeyId || recipient_index.equals(vault.index('phone', phone))
}

interface PayoutRow {
  id: string
  destination: Buffer
  earlierId: string | null
  earlier: Buffer | null
}

// Where a withdrawal goes to, exchanged for another account between the approval and the payout. What need not wait goes where
// the payment went that it names: the bank is not sealed, the account number is.
export async function findForeignPayouts(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (last, most) => {
    const { rows } = await sql<PayoutRow>`
      select w.id, w.destination, e.id as "earlierId", e.destination as earlier
        from withdrawal w left join withdrawal e on e.id = w.same_account_as and e.id <> w.id
       where w.id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid and w.destination is not null
       order by w.id limit ${most}`.execute(db)
    const wrong = rows.filter((row) => !isOwnPayout(vault, row))
    return { last: rows.at(-1)?.id, wrong: wrong.map(({ id }) => id) }
  })
}

function isOwnPayout(vault: Vault, { id, destination, earlierId, earlier }: PayoutRow): boolean {
  const account = accountOf(vault, id, destination)
  if (account === undefined) return false
  // What was paid long ago has lost where it went (docs/retention.md).
  return earlierId === null || earlier === null || accountOf(vault, earlierId, earlier) === account
}

function accountOf(vault: Vault, row: string, destination: Buffer): string | undefined {
  const text = opened(vault, { table: 'withdrawal', column: 'destination', row }, destination)
  return text === undefined ? undefined : (JSON.parse(text) as { account: string }).account
}

interface KeyRow {
  name: string
  id: string
  recipient: Buffer
  amount: bigint
  request_hash: Buffer
}

export function findForeignKeys(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (after, most) => {
    const { rows } = await sql<KeyRow>`
      select k.partner_id || ' ' || encode(k.key_hash, 'hex') as name, c.id, c.recipient, c.amount, k.request_hash
        from (select * from idempotency_key
               where (partner_id, operation, key_hash) > (${Number(after?.split(' ')[0] ?? 0)}::int, 'buy',
                                                          decode(${after?.split(' ')[1] ?? ''}, 'hex'))
               order by partner_id, operation, key_hash limit ${most}) k
        join gift_card c on c.id = k.card_id
       order by k.partner_id, k.operation, k.key_hash`.execute(db)
    return {
      last: rows.at(-1)?.name,
      wrong: rows.filter((row) => !isOwnKey(vault, row)).map(({ name }) => name),
    }
  })
}

function isOwnKey(vault: Vault, { id, recipient, amount, request_hash }: KeyRow): boolean {
  const phone = opened(vault, ofCard('recipient', id), recipient)
  return phone !== undefined && request_hash.equals(vault.fingerprint('buy', `${phone}\0${amount}`))
}
