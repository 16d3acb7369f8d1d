import { setTimeout as sleep } from 'node:timers/promises'
import { type CommittedRows, watchCommittedRows } from '#base/db/committed-rows.ts'
import type { Database } from '#base/db/db.ts'
import { tryLockChain } from '#modules/audit/chain.ts'
import { CHAIN_START, linkHash } from '#modules/audit/rules.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
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
  // How long it rests after a full block, in parts of the time that the block took. Purchases have the machine meanwhile.
  rest: number
}

const SEAL_PACE: SealPace = { most: 20_000, seconds: 600, rest: 3 }

// The action of a block's entry, by which `verify` finds it.
export const SEAL_ACTION = 'books.seal'

interface SealDeps {
  database: Database
  // Up to which id all transfers are committed. One that would come later with a smaller id cannot.
  committed: CommittedRows
}

// One block, in one transaction with its entry in the audit log: killed anywhere, there are both or none. Returns how many transfers
// it has; 0 if there are none, -1 if another sealer is at work.
export async function sealBlock({ database, committed }: SealDeps, most: number): Promise<number> {
  const through = await committed()
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
    await insertAuditEntry(tx, { actor: 'worker', action: SEAL_ACTION, subject: 'transfers', details })
    return lines.length
  })
}

function isDue({ throughId, newestId, seconds }: SealingState, pace: SealPace): boolean {
  if (newestId <= throughId) return false
  return seconds >= pace.seconds || newestId - throughId >= BigInt(pace.most)
}

// Remembers between calls which transactions were under way, so that a busy database is waited for without waiting.
export function createSealTransfers(database: Database, pace: SealPace = SEAL_PACE) {
  const deps = { database, committed: watchCommittedRows(database, 'transfer') }
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
      if (more === pace.most) await sleep((performance.now() - began) * pace.rest)
    }
  }
}
