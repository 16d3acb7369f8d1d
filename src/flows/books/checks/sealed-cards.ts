import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
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

export function findForeignPins(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (after, most) => {
    const { rows } = await sql<PinRow>`
      select id, pin, pin_index, index_key from gift_card
       where id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid and pin is not null
       order by id limit ${most}`.execute(db)
    return { last: rows.at(-1)?.id, wrong: rows.filter((row) => !isOwnPin(vault, row)).map(({ id }) => id) }
  })
}

function isOwnPin(vault: Vault, { id, pin, pin_index, index_key }: PinRow): boolean {
  const text = opened(vault, ofCard('pin', id), pin)
  if (text === undefined) return false
  // Under another index key it waits for a rotation to reach it.
  return index_key !== vault.indexKeyId || (pin_index?.equals(vault.index('pin', text)) ?? false)
}

// Whoever inserts a card by SQL, with its transfers, has no key to seal a recipient with. `after`: only cards that were issued by later
// transfers than this.
export function findForgedCards(db: Db, vault: Vault, after?: bigint): Promise<string[]> {
  return collect(async (last, most) => {
    const { rows } = await (after === undefined
      ? sql<CardRow>`
          select id, recipient, id::text as place from gift_card
           where id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid order by id limit ${most}`
      : sql<CardRow>`
          select c.id, c.recipient, t.id::text as place
            from (select id, card_id from transfer where kind = 'issue' and id > ${last ?? String(after)}::bigint
                   order by id limit ${most}) t
            join gift_card c on c.id = t.card_id order by t.id`
    ).execute(db)
    const wrong = rows.filter(
      ({ id, recipient }) => opened(vault, ofCard('recipient', id), recipient) === undefined,
    )
    return { last: rows.at(-1)?.place, wrong: wrong.map(({ id }) => id) }
  })
}

interface CardRow {
  id: string
  recipient: Buffer
  place: string
}

// Where a withdrawal goes to, exchanged for another account between the approval and the payout.
export async function findForeignPayouts(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (last, most) => {
    const { rows } = await sql<{ id: string; destination: Buffer }>`
      select id, destination from withdrawal
       where id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid and destination is not null
       order by id limit ${most}`.execute(db)
    const wrong = rows.filter(
      ({ id, destination }) =>
        opened(vault, { table: 'withdrawal', column: 'destination', row: id }, destination) === undefined,
    )
    return { last: rows.at(-1)?.id, wrong: wrong.map(({ id }) => id) }
  })
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
