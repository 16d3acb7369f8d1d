import type { Reader } from '#base/db.ts'
import { seoulMidnight } from '#base/seoul-time.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import {
  type Movement,
  type MovementsOfPeriod,
  type Place,
  readMovements,
  readMovementsOfPeriod,
} from '#modules/ledger/movements.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'

// With what a person wants to know of it beside.
export interface ToldMovement extends Movement {
  // Who gave the card that was registered.
  partnerName: string | null
  // Of an order.
  pricePerGram: bigint | null
}

interface HistoryPage {
  movements: ToldMovement[]
  next: string | null
}

const PAGE = 50
const MAX_STATEMENT = 10_000 // movements: a page to print and a file to open, not an archive

export type ReadHistory = (
  holderId: string,
  page: { asset?: Asset | undefined; cursor?: string | undefined },
) => Promise<HistoryPage | 'bad_cursor'>

interface HistoryDeps {
  database: Reader
  keys: VaultKeeper
}

// Newest first, each with what was held after it. The cursor carries the balances on, so that a page far back costs no
// more than the first.
export function createReadHistory({ database, keys }: HistoryDeps): ReadHistory {
  return async (holderId, { asset, cursor }) => {
    const from = cursor === undefined ? undefined : openCursor(keys.vault(), { holderId, asset }, cursor)
    if (cursor !== undefined && !from) return 'bad_cursor'
    const assets = asset ? [asset] : ASSETS
    const { movements, next } = await readMovements(database, holderId, { assets, from, limit: PAGE })
    return {
      movements: await told(database, movements),
      next: next && sealCursor(keys.vault(), { holderId, asset }, next),
    }
  }
}

export interface Statement extends MovementsOfPeriod {
  movements: ToldMovement[]
}

export type ReadStatement = (
  holderId: string,
  period: { from: Temporal.PlainDate; to: Temporal.PlainDate },
) => Promise<Statement | 'too_long'>

export function createReadStatement(database: Reader): ReadStatement {
  return async (holderId, { from, to }) => {
    const end = seoulMidnight(to.add({ days: 1 }))
    const period = await readMovementsOfPeriod(database, holderId, { from, end, limit: MAX_STATEMENT })
    return period ? { ...period, movements: await told(database, period.movements) } : 'too_long'
  }
}

// Probes of primary keys: orders by the movement's group, partners by its card.
const TOLD = {
  name: 'tell_movements',
  text: `select w.i::int, p.name as "partnerName", o.price as "pricePerGram"
           from unnest($1::uuid[], $2::uuid[]) with ordinality as w (order_id, card_id, i)
           left join lateral (select price from trade_order where id = w.order_id limit 1) o on true
           left join lateral (select p.name from gift_card c join partner p on p.id = c.partner_id
                               where c.id = w.card_id limit 1) p on true`,
}

async function told(database: Reader, movements: readonly Movement[]): Promise<ToldMovement[]> {
  if (movements.length === 0) return []
  const rows = await database.read<{ i: number } & Pick<ToldMovement, 'partnerName' | 'pricePerGram'>>(TOLD, [
    movements.map((m) => (isOrder(m) ? m.groupId : null)),
    movements.map((m) => m.cardId),
  ])
  const byPlace = new Map(rows.map(({ i, ...more }) => [i, more]))
  return movements.map((movement, i) => ({ ...movement, ...byPlace.get(i + 1)! }))
}

export function isOrder({ kind }: Pick<Movement, 'kind'>): boolean {
  return kind === 'buy' || kind === 'sell'
}

interface CursorOf {
  holderId: string
  asset: Asset | undefined
}

// Sealed for its holder: whoever has it learns nothing of how many movements there are, and cannot make one up.
const placeOf = ({ holderId, asset }: CursorOf) => ({
  table: 'history cursor',
  column: asset ?? 'all',
  row: holderId,
})

function sealCursor(vault: Vault, of: CursorOf, { before, balances }: Place): string {
  const numbers = [before, ...ASSETS.map((asset) => balances[asset])]
  return vault.seal(placeOf(of), numbers.join(' ')).toString('base64url')
}

function openCursor(vault: Vault, of: CursorOf, cursor: string): Place | undefined {
  try {
    const text = vault.open(placeOf(of), Buffer.from(cursor, 'base64url'))
    const [before, ...held] = text.split(' ').map(BigInt)
    const balances = Object.fromEntries(ASSETS.map((asset, i) => [asset, held[i]!])) as Place['balances']
    return { before: before!, balances }
  } catch {
    return undefined
  }
}
