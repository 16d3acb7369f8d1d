import type pg from 'pg'
import type { Vault } from '#base/crypto/vault.ts'
import { newPin } from '#modules/gift-cards/pin.ts'
import { withClient } from '../sql.ts'
import { BOOKS, REMINDED, SEALED_PIN, SEALED_RECIPIENT } from '../year-of-cards.ts'

export interface BenchCard {
  pin: string
  pinIndex: Buffer
}

const CARDS = `
  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, issued_at, issued_on, expires_on,
                         index_key, recipient, recipient_index, pin, pin_index)
  select uuidv7(), uuidv7(), $2 + n, $1, 'bench0000000', 50000, service_now(), day, (day + interval '12 months')::date,
         'i1', $4, sha256(int8send($2 + n)), $5, pin_index
    from (select seoul_date(service_now()) as day offset 0) today,
         unnest($3::bytea[]) with ordinality as c (pin_index, n)`

// Cards bought today, found by PINs that we know. What is sealed of them is never opened.
export function loadCards(
  connection: pg.ClientConfig,
  vault: Vault,
  { partnerCodes, count }: { partnerCodes: readonly string[]; count: number },
): Promise<BenchCard[]> {
  const each = Math.ceil(count / partnerCodes.length)
  const loads = partnerCodes.map(() =>
    Array.from({ length: each }, () => {
      const pin = newPin().reveal()
      return { pin, pinIndex: vault.index('pin', pin) }
    }),
  )
  return withClient(connection, async (client) => {
    await client.query('begin')
    for (const [i, cards] of loads.entries()) {
      const { rows } = await client.query('select id from partner where code = $1', [partnerCodes[i]])
      const partner: number = rows[0].id
      const indexes = cards.map((card) => card.pinIndex)
      await client.query(CARDS, [partner, i * each, indexes, SEALED_RECIPIENT, SEALED_PIN])
      for (const statement of BOOKS) await client.query(statement, [partner])
    }
    await client.query(REMINDED)
    await client.query('commit')
    // One of each partner in turn. Two processes then have partners and usage rows of their own, and share the house
    // account only.
    return Array.from(
      { length: each * loads.length },
      (_, n) => loads[n % loads.length]![Math.floor(n / loads.length)]!,
    )
  })
}
