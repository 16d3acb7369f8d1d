import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import { seoulMidnight } from '#base/time/seoul-time.ts'
import { type Description, describe } from '#flows/holdings/describe-movements.ts'
import { openCursor, sealCursor } from '#flows/holdings/history-cursor.ts'
import { type Act, readActs } from '#modules/ledger/acts.ts'
import {
  type Movement,
  type MovementsOfPeriod,
  readMovements,
  readMovementsOfPeriod,
} from '#modules/ledger/movements.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'

export type ToldMovement = Movement & Description
export type ToldAct = Act & Description

interface HistoryPage {
  movements: ToldMovement[]
  next: string | null
}

interface ActsPage {
  acts: ToldAct[]
  next: string | null
}

const PAGE = 50
const ACTS_PAGE = 30
const MAX_STATEMENT = 10_000 // movements: a page to print and a file to open, not an archive

interface Wanted {
  asset?: Asset | undefined
  cursor?: string | undefined
}

export type ReadHistory = (holderId: string, page: Wanted) => Promise<HistoryPage | 'bad_cursor'>
export type ReadActs = (holderId: string, page: Wanted) => Promise<ActsPage | 'bad_cursor'>

interface HistoryDeps {
  database: Reader
  keys: VaultKeeper
}

// Newest first, each with what was held after it. The cursor carries the balances on, so that a page far back costs no
// more than the first.
export function createReadHistory({ database, keys }: HistoryDeps): ReadHistory {
  return async (holderId, { asset, cursor }) => {
    const of = { holderId, asset, list: 'movements' } as const
    const from = cursor === undefined ? undefined : openCursor(keys.vault(), of, cursor)
    if (cursor !== undefined && !from) return 'bad_cursor'
    const { movements, next } = await readMovements(database, holderId, {
      assets: asset ? [asset] : ASSETS,
      from,
      limit: PAGE,
    })
    return {
      movements: await describe(database, movements),
      next: next && sealCursor(keys.vault(), of, next),
    }
  }
}

// The same by acts: an order is one, however many assets it moved.
export function createReadActs({ database, keys }: HistoryDeps): ReadActs {
  return async (holderId, { asset, cursor }) => {
    const of = { holderId, asset, list: 'acts' } as const
    const from = cursor === undefined ? undefined : openCursor(keys.vault(), of, cursor)
    if (cursor !== undefined && !from) return 'bad_cursor'
    const { acts, next } = await readActs(database, holderId, {
      assets: asset ? [asset] : ASSETS,
      from,
      limit: ACTS_PAGE,
    })
    return { acts: await describe(database, acts), next: next && sealCursor(keys.vault(), of, next) }
  }
}

export interface Statement extends MovementsOfPeriod {
  movements: ToldMovement[]
}

export type ReadStatement = (
  holderId: string,
  period: { from: Temporal.PlainDate; to: Temporal.PlainDate; limit?: number },
) => Promise<Statement | 'too_long'>

export function createReadStatement(database: Reader): ReadStatement {
  return async (holderId, { from, to, limit = MAX_STATEMENT }) => {
    const end = seoulMidnight(to.add({ days: 1 }))
    const period = await readMovementsOfPeriod(database, holderId, { from, end, limit })
    return period ? { ...period, movements: await describe(database, period.movements) } : 'too_long'
  }
}
