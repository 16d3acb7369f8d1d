import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Tx } from '#base/db/db.ts'
import type { Anchor, ChainHead } from './types.ts'

// One line, in the file and in the log: `audit-anchor 1200 2026-11-16T09:00:00Z <hash> <signature>`. The key that signs it is
// in the key ring, never in the database, and no rotation changes it.
const LINE = /audit-anchor (\d{1,18}) (\S{19,40}Z) ([0-9a-f]{64}) ([0-9a-f]{64})(?![0-9a-f])/g

type Signer = Pick<Vault, 'fingerprint'>

const textOf = ({ position, at, hash }: Omit<Anchor, 'signature'>) =>
  `audit-anchor ${position} ${at} ${hash.toString('hex')}`

function signatureOf(signer: Signer, anchor: Omit<Anchor, 'signature'>): string {
  return signer.fingerprint('audit anchor', textOf(anchor)).toString('hex')
}

export function anchorLine(signer: Signer, anchor: Omit<Anchor, 'signature'>): string {
  return `${textOf(anchor)} ${signatureOf(signer, anchor)}`
}

// Of the file, or of log lines that quote it. A line that is cut short is none.
export function parseAnchors(text: string): Anchor[] {
  return [...text.matchAll(LINE)].flatMap(([, position, time, hash, signature]) => {
    try {
      const at = Temporal.Instant.from(time!)
      return [{ position: BigInt(position!), at, hash: Buffer.from(hash!, 'hex'), signature: signature! }]
    } catch {
      return []
    }
  })
}

export function isSigned(signer: Signer, anchor: Anchor): boolean {
  return signatureOf(signer, anchor) === anchor.signature
}

// The server and folder that keep a file of anchors.
export interface AnchorPlace {
  host: string
  folder: string
}

export interface KnownAnchor extends ChainHead {
  host: string
  folder: string
  firstPosition: bigint
  anchoredAt: Temporal.Instant
}

export async function recordAnchor(
  tx: Tx,
  { host, folder }: AnchorPlace,
  { position, hash, at }: ChainHead & { at: Temporal.Instant },
  beginsAnew = false,
): Promise<void> {
  await sql`insert into audit_anchor as a (host, folder, first_position, position, hash, anchored_at)
    values (${host}, ${folder}, ${position}, ${position}, ${hash}, ${at.toString()}::timestamptz)
    on conflict (host, folder) do update set position = excluded.position, hash = excluded.hash,
       first_position = case when ${beginsAnew} then excluded.first_position else a.first_position end,
       anchored_at = excluded.anchored_at`.execute(tx)
}

// Newest first.
export async function listKnownAnchors(db: Db): Promise<KnownAnchor[]> {
  const { rows } = await sql<KnownAnchor>`
    select host, folder, first_position as "firstPosition", position, hash, anchored_at as "anchoredAt"
      from audit_anchor order by anchored_at desc`.execute(db)
  return rows
}

export async function recordJudgement(tx: Tx, sealedTo: bigint, finding: string | null): Promise<void> {
  await sql`insert into audit_judgement (judged_at, sealed_to, finding) values (now(), ${sealedTo}, ${finding})
    on conflict (one) do update set judged_at = excluded.judged_at, sealed_to = excluded.sealed_to,
       finding = excluded.finding`.execute(tx)
}

interface Judgement {
  judgedAt: Temporal.Instant
  sealedTo: bigint
  // As recordJudgement was given it.
  finding: string | null
}

export async function readJudgement(db: Db): Promise<Judgement | undefined> {
  const { rows } = await sql<Judgement>`
    select judged_at as "judgedAt", sealed_to as "sealedTo", finding from audit_judgement`.execute(db)
  return rows[0]
}
