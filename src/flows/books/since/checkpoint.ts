import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Reader } from '#base/db/db.ts'
import type { SealHead } from '#flows/books/seals/walk-seals.ts'

type Signer = Pick<Vault, 'fingerprint'>

// Up to where a good verification has read the books. What follows is judged from here.
export interface Reached {
  // The last block of sealed transfers. Everything after its last transfer is news.
  head: SealHead
  // After that transfer: of each account that is no member's, and of all members together by asset.
  accounts: Readonly<Record<string, string>>
  holdings: Readonly<Record<string, string>>
}

export interface Checkpoint extends Reached {
  at: string
  // The last whole run: when it ended, and how long it took.
  wholeAt: string
  wholeSeconds: number
}

// Balances as they were after the head's last transfer: what moved since is taken back.
export async function readReached(db: Db, head: SealHead): Promise<Reached> {
  const { rows } = await sql<{ name: string; isHolding: boolean; balance: bigint }>`
    select case when a.kind = 'holding' then a.asset else a.id::text end as name, a.kind = 'holding' as "isHolding",
           sum(a.balance - coalesce(m.net, 0))::bigint as balance
      from account a
      left join (select account, sum(net) as net
                   from (select credit_account as account, amount as net from transfer where id > ${head.throughId}
                         union all select debit_account, -amount from transfer where id > ${head.throughId}) legs
                  group by account) m on m.account = a.id
     group by 1, 2`.execute(db)
  const named = (isHolding: boolean) =>
    Object.fromEntries(
      rows.filter((row) => row.isHolding === isHolding).map(({ name, balance }) => [name, String(balance)]),
    )
  return { head, accounts: named(false), holdings: named(true) }
}

// Signed with the key ring's key that no rotation changes: a checkpoint that a thief plants covers nothing up.
export function signCheckpoint(signer: Signer, { head, ...rest }: Checkpoint): string {
  const { position, hash, throughId } = head
  const text = JSON.stringify({
    ...rest,
    head: { position: String(position), hash: hash.toString('hex'), throughId: String(throughId) },
  })
  return `${signatureOf(signer, text)} ${text}`
}

function signatureOf(signer: Signer, text: string): string {
  return signer.fingerprint('verification checkpoint', text).toString('hex')
}

function openCheckpoint(signer: Signer, stored: string): Checkpoint | undefined {
  const text = stored.slice(stored.indexOf(' ') + 1)
  if (stored !== `${signatureOf(signer, text)} ${text}`) return undefined
  const { head, ...rest } = JSON.parse(text)
  return {
    ...rest,
    head: {
      position: BigInt(head.position),
      hash: Buffer.from(head.hash, 'hex'),
      throughId: BigInt(head.throughId),
    },
  }
}

// What a run found.
export interface Verdict {
  finishedAt: Temporal.Instant
  ok: boolean
  checks: number
  broken: number
}

// With the same key. So nobody writes that all is well in place of a run.
export function signVerdict(signer: Signer, { finishedAt, ok, checks, broken }: Verdict): string {
  return signer.fingerprint('verification', `${finishedAt} ${ok} ${checks} ${broken}`).toString('hex')
}

export interface StoredVerdict extends Verdict {
  signature: string | null
  checkpoint: string | null
}

// Of verification v. A database that is not brought up to this release has no signature.
export const VERDICT_COLUMNS = `v.finished_at as "finishedAt", v.ok, v.checks, v.broken, v.checkpoint,
  to_jsonb(v) ->> 'signature' as signature`

// The release before this one may run beside it. It signs only the checkpoint, at the moment at which its good run ends. Nobody
// gains by planting a bad verdict.
export function isGenuine(signer: Signer, { signature, checkpoint, ...verdict }: StoredVerdict): boolean {
  if (!verdict.ok || signature === signVerdict(signer, verdict)) return true
  const opened = checkpoint === null ? undefined : openCheckpoint(signer, checkpoint)
  return opened !== undefined && Temporal.Instant.from(opened.at).equals(verdict.finishedAt)
}

const STORED = {
  name: 'read_checkpoint',
  text: `select now(), ${VERDICT_COLUMNS} from installation left join verification v on true`,
}

// Null before the first run.
type Stored = { now: Temporal.Instant } & (StoredVerdict | { [Column in keyof StoredVerdict]: null })

// forged: it, or that the last run was good, was not signed with this key ring. broken: the last run found mistakes, which only a
// whole run can clear.
export type NoCheckpoint = 'none' | 'forged' | 'broken'

export async function readCheckpoint(
  database: Reader,
  signer: Signer,
): Promise<{ checkpoint: Checkpoint | NoCheckpoint; now: Temporal.Instant }> {
  const [row] = await database.read<Stored>(STORED, [])
  return { checkpoint: judgeStored(row!, signer), now: row!.now }
}

function judgeStored(row: Stored, signer: Signer): Checkpoint | NoCheckpoint {
  if (row.ok === null) return 'none'
  if (!row.ok) return 'broken'
  if (!isGenuine(signer, row)) return 'forged'
  return row.checkpoint === null ? 'none' : (openCheckpoint(signer, row.checkpoint) ?? 'forged')
}
