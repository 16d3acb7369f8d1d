import type { Reader } from '#base/db/db.ts'
import type { Card, CardId, TxId } from './types.ts'

// What a partner lists of its cards. `status` as of today: a card past its last day is expired, also before the sweep has written that.
interface ListedCard {
  id: CardId
  txId: TxId
  number: bigint
  amount: bigint
  status: Card['status']
  issuedAt: Temporal.Instant
  expiresOn: string
}

// Where a card stands in the list: its moment, as fine as a clock goes, and its id.
interface Place {
  microseconds: bigint
  id: string
}

interface Wanted {
  partnerId: number
  status: Card['status'] | undefined
  // Issued from the one on, and before the other.
  from: Temporal.Instant | undefined
  until: Temporal.Instant | undefined
  after: Place | undefined
  limit: number
}

// A walk along the index of a partner's cards, the newest first.
const LIST = {
  name: 'list_cards_of_partner',
  text: `select id, tx_id as "txId", number, amount, issued_at as "issuedAt", expires_on as "expiresOn",
                case when status = 'issued' and expires_on < seoul_date(service_now()) then 'expired' else status end as status
           from gift_card
          where partner_id = $1::int and issued_at >= timestamptz 'epoch' + $2::bigint * interval '1 microsecond'
            and (issued_at, id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid)
          order by issued_at desc, id desc limit $5::int`,
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const END_OF_TIME = 253_402_300_800_000_000n // the year 10000
// Read for one answer of a status that few cards have. So an answer takes the same time however many cards there are.
const MOST_READ = 1_000

interface Listed {
  cards: ListedCard[]
  // Where the list goes on, if it does.
  next: Place | undefined
}

// One answer may have fewer cards than the limit, or none, and still go on.
export async function listCardsOfPartner(
  database: Reader,
  { partnerId, status, from, until, after, limit }: Wanted,
): Promise<Listed> {
  const place = after ?? { microseconds: until ? microsecondsOf(until) : END_OF_TIME, id: FIRST_ID }
  const most = status === undefined ? limit : MOST_READ
  const read = await database.read<ListedCard>(LIST, [
    partnerId,
    String(from ? microsecondsOf(from) : 0n),
    String(place.microseconds),
    place.id,
    most + 1,
  ])
  const seen = read.slice(0, most)
  const found = seen.filter((card) => status === undefined || card.status === status)
  const cards = found.slice(0, limit)
  const isOver = found.length <= limit && read.length <= most
  // After the last one that is shown if more were found, and otherwise after the last that was read.
  const last = found.length > limit ? cards.at(-1) : seen.at(-1)
  return { cards, next: isOver || !last ? undefined : placeOf(last) }
}

const microsecondsOf = ({ epochNanoseconds }: Temporal.Instant) => epochNanoseconds / 1000n

const placeOf = ({ issuedAt, id }: ListedCard): Place => ({ microseconds: microsecondsOf(issuedAt), id })

// As callers hold it: opaque to them, and nothing in it is secret. It leads only along the caller's own cards.
export function writePlace({ microseconds, id }: Place): string {
  return Buffer.from(`${microseconds}.${id}`).toString('base64url')
}

const PLACE = /^(\d{1,18})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export function readPlace(text: string): Place | undefined {
  const [, microseconds, id] = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (microseconds === undefined || id === undefined) return undefined
  const place = { microseconds: BigInt(microseconds), id }
  // The only spelling: base64 that was padded or changed is not ours.
  return place.microseconds < END_OF_TIME && writePlace(place) === text ? place : undefined
}
