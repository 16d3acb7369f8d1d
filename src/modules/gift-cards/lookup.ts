import { bigintArray, intArray, uuidArray } from '#base/db/binary-arrays.ts'
import type { Reader } from '#base/db/db.ts'
import { wonFromJson } from '#base/money.ts'
import { Batcher } from '#base/queues/batch.ts'
import type { CardId, CardIdentifier, CardView } from './types.ts'

// Lateral, so that PostgreSQL can only probe a unique index for each card. Joined to the array, it would be planned as a
// scan of all cards while there are few, and that plan would be kept. All cards in one JSON value: the driver reads it
// faster than a row of each.
const LOOKUP = {
  name: 'lookup_cards',
  text: `with today as materialized (select seoul_date(service_now()) as day)
    select json_agg(json_build_array(w.i - 1, c.id, c.number, c.amount, c.expires_on, c.status = 'used',
                                     c.status = 'issued' and today.day <= c.expires_on)) as found
      from today, unnest($1::int[], $2::uuid[], $3::bigint[]) with ordinality as w (partner_id, uuid, number, i)
     cross join lateral (
             select id, number, amount, status, expires_on, partner_id from gift_card where id = w.uuid
             union all
             select id, number, amount, status, expires_on, partner_id from gift_card where tx_id = w.uuid
             union all
             select id, number, amount, status, expires_on, partner_id from gift_card where number = w.number
             limit 1) c
     where c.partner_id = w.partner_id`,
}

interface LookupRow {
  found:
    | [i: number, id: CardId, number: number, won: number, expiresOn: string, used: boolean, valid: boolean][]
    | null
}

interface Wanted {
  partnerId: number
  identifier: CardIdentifier
}

export type CardLookup = (partnerId: number, identifier: CardIdentifier) => Promise<CardView | undefined>

// Lookups gather like purchases do: one half is read while the other is answered.
export function createCardLookup(database: Reader, onBatch: (size: number) => void): CardLookup {
  const batcher = new Batcher<Wanted, CardView | undefined>({
    run: (wanted) => lookupCards(database, wanted),
    maxSize: 128,
    maxInFlight: 1,
    maxWaiting: 5_000,
    onBatch,
  })
  return (partnerId, identifier) => batcher.submit({ partnerId, identifier })
}

async function lookupCards(database: Reader, wanted: readonly Wanted[]): Promise<(CardView | undefined)[]> {
  const [row] = await database.read<LookupRow>(LOOKUP, [
    intArray(wanted, (w) => w.partnerId),
    uuidArray(wanted, (w) => (w.identifier.kind === 'uuid' ? w.identifier.uuid : null)),
    bigintArray(wanted, (w) => (w.identifier.kind === 'number' ? w.identifier.number : null)),
  ])
  const views = new Array<CardView | undefined>(wanted.length).fill(undefined)
  for (const [i, id, number, won, expiresOn, used, valid] of row!.found ?? [])
    views[i] = { id, number: BigInt(number), amount: wonFromJson(won), expiresOn, used, valid }
  return views
}
