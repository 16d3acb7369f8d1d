import { createHash } from 'node:crypto'
import type { AuditFacts, ChainHead, PrivatePart } from './types.ts'

// Where the words of a partner are kept sealed elsewhere, the entry says so.
const SEALED_ELSEWHERE = '(sealed)'
const PRIVATE_WORDS = ['reason', 'note'] as const

// Splits the words that a person typed from the facts. A reason of null is a fact: none was given.
export function splitPrivate(details: AuditFacts): { facts: AuditFacts; words: PrivatePart } {
  const words: PrivatePart = {}
  const facts = { ...details }
  for (const name of PRIVATE_WORDS) {
    const value = details[name]
    if (typeof value !== 'string' || value === SEALED_ELSEWHERE) continue
    words[name] = value
    delete facts[name]
  }
  return { facts, words }
}

// An entry as the database prints it.
export interface EntryText {
  id: bigint
  // Microseconds since 1970.
  at: bigint
  actor: string
  action: string
  subject: string
  details: string
  privateId: string | null
  privateHash: Buffer | null
}

// Everything of an entry but its private part, of which it has the hash.
export function hashEntry(entry: EntryText): Buffer {
  const { id, at, actor, action, subject, details, privateId, privateHash } = entry
  const fields = [
    'audit entry v1',
    String(id),
    String(at),
    actor,
    action,
    subject,
    details,
    privateId,
    privateHash?.toString('hex') ?? null,
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest()
}

export const CHAIN_START: ChainHead = { position: 0n, hash: Buffer.alloc(32) }

// The chain's name keeps a link of one from being taken for a link of another.
export function linkHash(
  { position, hash }: ChainHead,
  contentHash: Buffer,
  chain: 'audit' | 'transfer' = 'audit',
): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigInt64BE(position + 1n)
  return createHash('sha256')
    .update(`${chain} chain v1\0`)
    .update(hash)
    .update(number)
    .update(contentHash)
    .digest()
}

// The next links of the chain, in the order of the entries.
export function linkEntries(head: ChainHead, entries: readonly EntryText[]) {
  let last = head
  return entries.map((entry) => {
    const contentHash = hashEntry(entry)
    const link = { position: last.position + 1n, hash: linkHash(last, contentHash) }
    last = link
    return { ...link, entryId: entry.id, contentHash }
  })
}
