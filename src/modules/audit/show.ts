import type { Vault } from '#base/crypto/vault.ts'
import { openPrivate } from './private.ts'
import type { ShownPrivate } from './types.ts'

export const PRIVATE_COLUMNS = ['e.private_id', 'e.private_hash', 'p.sealed', 'p.erased_at'] as const

interface PrivateRow {
  private_id: string | null
  private_hash: Buffer | null
  sealed: Buffer | null
  erased_at: Temporal.Instant | null
}

export function showPrivate(vault: Vault | undefined, row: PrivateRow): ShownPrivate {
  if (row.private_id === null) return null
  if (row.erased_at !== null) return 'erased'
  if (row.sealed === null) return 'lost'
  if (!vault) return 'sealed'
  return openPrivate(vault, { id: row.private_id, sealed: row.sealed, hash: row.private_hash }) ?? 'lost'
}
