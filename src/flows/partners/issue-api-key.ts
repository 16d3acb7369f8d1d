import { fingerprintOf } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import { isNetwork } from '#base/http/networks.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { type KeyMode, newApiKey } from '#modules/partners/api-key.ts'
import { isScope } from '#modules/partners/rules.ts'
import { findPartner, insertKey } from '#modules/partners/store.ts'
import { type KeyId, type KeySecret, SCOPES } from '#modules/partners/types.ts'

// Ten years. A key that is meant to live longer has no end at all.
const MAX_DAYS = 3_650

export interface IssueKeyCommand {
  code: string
  mode: KeyMode
  label?: string
  scopes?: readonly string[]
  networks?: readonly string[]
  expiresInDays?: number
  actor: string
  // Without one it is recorded as none given.
  reason?: string | null
}

export type IssueKeyRefusal =
  | NoPartner
  | Refusal<'scope_unknown' | 'network_invalid' | 'label_too_long'>
  | Refusal<'expiry_out_of_bounds', { mostDays: number }>

type IssueKeyOutcome = { kind: 'done'; id: KeyId; key: KeySecret } | IssueKeyRefusal

// The key itself leaves here once and is nowhere stored: only its hash is.
export async function issueApiKey(database: Database, command: IssueKeyCommand): Promise<IssueKeyOutcome> {
  const scopes = command.scopes ?? SCOPES
  const networks = command.networks ?? []
  const label = command.label ?? ''
  if (!scopes.every(isScope) || scopes.length === 0) return refused('scope_unknown')
  if (!networks.every(isNetwork)) return refused('network_invalid')
  if (label.length > 100) return refused('label_too_long')
  const expiresInDays = command.expiresInDays ?? null
  if (expiresInDays !== null && (expiresInDays < 1 || expiresInDays > MAX_DAYS)) {
    return refused('expiry_out_of_bounds', { mostDays: MAX_DAYS })
  }
  return withOutcome(database, async (tx) => {
    const partner = await findPartner(tx, command.code)
    if (!partner) return refused('partner_not_found', { partner: command.code })
    const { id, key, secretHash } = newApiKey(command.mode)
    await insertKey(tx, partner.id, { id, secretHash, label, scopes, networks, expiresInDays })
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'key.issue',
      subject: id,
      details: { partner: partner.code, reason: command.reason ?? null },
      after: { label, scopes, networks, expiresInDays, fingerprint: fingerprintOf(secretHash) },
    })
    return { kind: 'done', id, key }
  })
}
