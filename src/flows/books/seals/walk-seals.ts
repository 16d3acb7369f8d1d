import type { Db } from '#base/db/db.ts'
import { listNoted, type Noted } from '#flows/books/seals/noted-blocks.ts'
import { CHAIN_START, linkHash } from '#modules/audit/rules.ts'
import type { ChainHead } from '#modules/audit/types.ts'
import { hashAccounts } from '#modules/ledger/account-seals.ts'
import {
  type Block,
  findUnmarked,
  hashLines,
  listBlocks,
  printTransfers,
  readMarks,
} from '#modules/ledger/seals.ts'

const CHUNK = 100
const MOST = 10 // findings; a rewritten chain would give one for each block

export interface SealHead extends ChainHead {
  throughId: bigint
}

const SEALS_START: SealHead = { ...CHAIN_START, throughId: 0n }

export interface SealWalk {
  head: SealHead
  findings: string[]
}

// Reads the blocks after `from` in their order, and the transfers of each, and compares them with one another and with the audit log.
// The links alone are compared from the very first block: they are few.
export async function walkSeals(db: Db, from: SealHead = SEALS_START): Promise<SealWalk> {
  const entries = await listNoted(db)
  const noted = new Map(entries.map((entry) => [entry.position, entry]))
  const findings: string[] = []
  let head = SEALS_START
  for (;;) {
    const blocks = await listBlocks(db, head.position, CHUNK)
    for (const block of blocks) {
      findings.push(...judgeLink(head, block, noted))
      if (findings.length < MOST && block.position > from.position)
        findings.push(...(await judgeBlock(db, head.throughId, block)))
      head = block
      if (block.position === from.position && !block.hash.equals(from.hash))
        findings.push(`block ${block.position} is not the one of the last verification`)
    }
    if (blocks.length < CHUNK) break
  }
  const last = [...noted.keys()].reduce((most, position) => (position > most ? position : most), 0n)
  if (last > head.position)
    findings.push(`blocks after ${head.position} are gone: the audit log has block ${last}`)
  if (from.position > head.position)
    findings.push(`blocks after ${head.position} are gone: the last verification saw block ${from.position}`)
  findings.push(...(await judgeAccounts(db, entries)))
  return { head, findings: findings.slice(0, MOST) }
}

// Always all of them: every verification reads the accounts anyway, and whoever exchanges two holders moves everything they have.
async function judgeAccounts(db: Db, entries: readonly Noted[]): Promise<string[]> {
  const findings: string[] = []
  let after = 0n
  for (const { entry, accounts } of entries) {
    if (!accounts || accounts.throughId <= after) continue
    const range = { after, through: accounts.throughId }
    if ((await hashAccounts(db, range)).toString('hex') !== accounts.hash)
      findings.push(
        `the holder of an account from ${after + 1n} to ${accounts.throughId} is not the one of audit entry ${entry}`,
      )
    after = accounts.throughId
  }
  return findings
}

function judgeLink(before: SealHead, block: Block, noted: ReadonlyMap<bigint, Noted>): string[] {
  const { position, hash, contentHash } = block
  if (position !== before.position + 1n) return [`block ${before.position + 1n} is gone`]
  if (!linkHash(before, contentHash, 'transfer').equals(hash))
    return [`block ${position} does not follow from the one before: blocks were rewritten`]
  const entry = noted.get(position)
  if (!entry) return [`block ${position} has no entry in the audit log`]
  return entry.hash === hash.toString('hex')
    ? []
    : [
        `block ${position} is not the one of audit entry ${entry.entry}: transfers after ${before.throughId} were rewritten`,
      ]
}

async function judgeBlock(db: Db, after: bigint, block: Block): Promise<string[]> {
  const lines = await printTransfers(db, { after, through: block.throughId })
  if (lines.length === block.transfers && hashLines(lines).equals(block.contentHash)) return []
  const where = `block ${block.position}, transfers ${after + 1n} to ${block.throughId}`
  const place = findUnmarked(lines, await readMarks(db, block.position))
  if (place === undefined) return [`what was sealed was changed (${where})`]
  const id = lines[place]?.split('|')[0]
  if (lines.length < block.transfers)
    return [`a transfer before ${id ?? block.throughId + 1n} is gone (${where})`]
  if (lines.length > block.transfers) return [`transfer ${id} was added after the sealing (${where})`]
  return [`transfer ${id} or its card is not what was sealed (${where})`]
}
