import type { Database } from '#base/db.ts'
import { isNetwork } from '#base/networks.ts'
import { Refused } from '#flows/kit/refused.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { type KeyMode, newApiKey } from '#modules/partners/api-key.ts'
import { isScope } from '#modules/partners/rules.ts'
import { findPartner, insertKey } from '#modules/partners/store.ts'
import { type KeyId, type KeySecret, SCOPES } from '#modules/partners/types.ts'

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

// The key itself leaves here once and is nowhere stored: only its hash is.
export function issueApiKey(
  database: Database,
  command: IssueKeyCommand,
): Promise<{ id: KeyId; key: KeySecret }> {
  const scopes = command.scopes ?? SCOPES
  const networks = command.networks ?? []
  const label = command.label ?? ''
  if (!scopes.every(isScope) || scopes.length === 0)
    throw new Refused(`scopes are among ${SCOPES.join(', ')}`)
  if (!networks.every(isNetwork)) throw new Refused('networks are addresses or CIDR blocks')
  if (label.length > 100) throw new Refused('a label has at most 100 characters')
  const expiresInDays = command.expiresInDays ?? null
  if (expiresInDays !== null && (expiresInDays < 1 || expiresInDays > MAX_DAYS)) {
    throw new Refused(`a key expires after 1 to ${MAX_DAYS} days, or never`)
  }
  return database.withTransaction(async (tx) => {
    const partner = await findPartner(tx, command.code)
    if (!partner) throw new Refused(`there is no partner ${command.code}`)
    const { id, key, secretHash } = newApiKey(command.mode)
    await insertKey(tx, partner.id, { id, secretHash, label, scopes, networks, expiresInDays })
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'key.issue',
      subject: id,
      details: { partner: partner.code, scopes, networks, expiresInDays, reason: command.reason ?? null },
    })
    return { id, key }
  })
}
