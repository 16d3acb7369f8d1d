import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { PrivatePart } from './types.ts'

const placeOf = (row: string) => ({ table: 'audit_private', column: 'sealed', row })
const SALT_BYTES = 32

export interface SealedPrivate {
  id: string
  sealed: Buffer
  hash: Buffer
}

// The salt is sealed with the words and goes with them: the hash that stays confirms no guess.
export function sealPrivate(vault: Vault, part: PrivatePart): SealedPrivate {
  const id = newId<'audit_private'>()
  const content = JSON.stringify({ salt: randomBytes(SALT_BYTES).toString('base64'), ...part })
  return { id, sealed: vault.seal(placeOf(id), content), hash: hashOf(content) }
}

// Of the plain words, so that sealing them under another key changes nothing in the chain.
function hashOf(content: string): Buffer {
  return createHash('sha256').update(`audit private v1\0${content}`).digest()
}

// Undefined: it is not what the entry was written with.
export function openPrivate(
  vault: Vault,
  { id, sealed, hash }: { id: string; sealed: Buffer; hash: Buffer | null },
): PrivatePart | undefined {
  try {
    const content = vault.open(placeOf(id), sealed)
    if (!hash || !hashOf(content).equals(hash)) return undefined
    const { salt: _, ...part } = JSON.parse(content) as PrivatePart & { salt: string }
    return part
  } catch {
    return undefined
  }
}

export async function insertPrivate(tx: Tx, parts: readonly SealedPrivate[]): Promise<void> {
  await sql`insert into audit_private (id, sealed) select * from unnest(${parts.map(({ id }) => id)}::uuid[],
    ${parts.map(({ sealed }) => sealed)}::bytea[])`.execute(tx)
}

export const rekeyAuditPrivate = rekeySealed('audit_private', ['sealed'])

// Returns the entries whose private part is gone now. Those that have none, or were erased before, are left out.
export async function erasePrivate(tx: Tx, entries: readonly bigint[]): Promise<bigint[]> {
  if (entries.length === 0) return []
  const { rows } = await sql<{ id: bigint }>`
    update audit_private p set sealed = null, erased_at = service_now()
      from audit_entry e where e.private_id = p.id and e.id = any(${entries.map(String)}::bigint[]) and p.sealed is not null
    returning e.id`.execute(tx)
  return rows.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1))
}

const KEPT = '5 years' // as long as the records that the acts were about (docs/retention.md)

// Entries whose private part has been kept long enough, oldest first.
export async function listOldPrivate(tx: Tx, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select e.id from (select id from audit_private where sealed is not null and at < service_now() - ${KEPT}::interval
                       order by at limit ${limit}) p
      join audit_entry e on e.private_id = p.id`.execute(tx)
  return rows.map(({ id }) => id)
}
