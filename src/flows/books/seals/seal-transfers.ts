import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type CommittedRows, watchCommittedRows } from '#base/db/committed-rows.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { listNoted, SEAL_ACTION } from '#flows/books/seals/noted-blocks.ts'
import { tryLockChain } from '#modules/audit/chain.ts'
import { CHAIN_START, linkHash } from '#modules/audit/rules.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findAccountsEnd, hashAccounts } from '#modules/ledger/account-seals.ts'
import {
  findBlockEnd,
  hashLines,
  insertBlock,
  marksOf,
  printTransfers,
  readLastBlock,
  readSealingState,
  type SealingState,
} from '#modules/ledger/seals.ts'

// Transfers of one block, some tenths of a second. A block that is not full waits for the pause: each has an entry in the audit log.
export interface SealPace {
  most: number
  seconds: number
  // How long it rests after a full block, in parts of the time that the block took. Purchases have the machine meanwhile. On a full
  // machine it rests longer, as the worker does.
  rest: number
}

const SEAL_PACE: SealPace = { most: 20_000, seconds: 600, rest: 3 }

const LOOK_MS = 250 // whether it is over

const MOST_ACCOUNTS = 200_000 // at once: after an upgrade, those of before are sealed over several blocks

interface SealDeps {
  database: Database
  // Up to which id all transfers are committed. One that would come later with a smaller id cannot.
  committed: CommittedRows
  // The same of accounts.
  committedAccounts: CommittedRows
}

// One block, in one transaction with its entry in the audit log: killed anywhere, there are both or none. Returns how many transfers
// it has; 0 if there are none, -1 if another sealer is at work.
export async function sealBlock(
  { database, committed, committedAccounts }: SealDeps,
  most: number,
): Promise<number> {
  const through = await committed()
  const accountsThrough = await committedAccounts()
  return database.withTransaction(async (tx) => {
    if (!(await tryLockChain(tx))) return -1
    // After the lock: what the sealer before has committed is seen.
    const before = await readLastBlock(tx)
    const after = before?.throughId ?? 0n
    const end = await findBlockEnd(tx, { after, through }, most)
    if (end === undefined) return 0
    const lines = await printTransfers(tx, { after, through: end })
    const contentHash = hashLines(lines)
    const hash = linkHash(before ?? CHAIN_START, contentHash, 'transfer')
    const position = (before?.position ?? 0n) + 1n
    const block = { position, throughId: end, transfers: lines.length, contentHash, hash }
    await insertBlock(tx, block, marksOf(lines))
    const details = { position: String(position), throughId: String(end), hash: hash.toString('hex') }
    const accounts = await sealAccounts(tx, accountsThrough)
    await insertAuditEntry(tx, {
      actor: 'worker',
      action: SEAL_ACTION,
      subject: 'transfers',
      details: { ...details, ...accounts, ...(await readAgreedSince(tx)) },
    })
    return lines.length
  })
}

// The accounts since the last block, for its entry in the audit log.
async function sealAccounts(tx: Tx, through: bigint): Promise<Record<string, string>> {
  const noted = await listNoted(tx)
  const after = noted.reduce(
    (most, { accounts }) => (accounts && accounts.throughId > most ? accounts.throughId : most),
    0n,
  )
  const end = await findAccountsEnd(tx, { after, through }, MOST_ACCOUNTS)
  if (end === undefined) return {}
  const hash = await hashAccounts(tx, { after, through: end })
  return { accountsThroughId: String(end), accountsHash: hash.toString('hex') }
}

// Since when two people are needed, in every entry: nobody makes it later afterwards.
async function readAgreedSince(tx: Tx): Promise<Record<string, string>> {
  const { rows } = await sql<{ since: Record<string, string> }>`
    select jsonb_strip_nulls(jsonb_build_object('twoPeopleSince', two_people_since, 'ratesAgreedSince', rates_agreed_since)) as since
      from installation`.execute(tx)
  return rows[0]!.since
}

function isDue({ throughId, newestId, seconds }: SealingState, pace: SealPace): boolean {
  if (newestId <= throughId) return false
  // Below zero: the machine's clock was ahead when the last block was sealed. Nobody waits until it is that late again.
  return seconds < 0 || seconds >= pace.seconds || newestId - throughId >= BigInt(pace.most)
}

// Remembers between calls which transactions were under way, so that a busy database is waited for without waiting.
export function createSealTransfers(
  database: Database,
  pace: SealPace = SEAL_PACE,
  restOfWorker: () => number = () => 0,
) {
  const deps = {
    database,
    committed: watchCommittedRows(database, 'transfer'),
    committedAccounts: watchCommittedRows(database, 'account'),
  }
  // Seals what is due. Returns how many transfers.
  return async (
    onProgress: (sealed: number) => void = () => {},
    isOver: () => boolean = () => false,
  ): Promise<number> => {
    for (let sealed = 0; ; ) {
      if (isOver() || !isDue(await readSealingState(database), pace)) return sealed
      const began = performance.now()
      const more = await sealBlock(deps, pace.most)
      if (more <= 0) return sealed
      sealed += more
      onProgress(sealed)
      if (more < pace.most) continue
      const ms = (performance.now() - began) * (pace.rest + restOfWorker())
      for (let left = ms; left > 0 && !isOver(); left -= LOOK_MS) await sleep(Math.min(left, LOOK_MS))
    }
  }
}
