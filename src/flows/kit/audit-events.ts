import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import type { ObjectRef, TimelineSource } from '#flows/kit/timeline.ts'
import { type ListedEntry, listAudit } from '#modules/audit/list.ts'

interface AuditOptions {
  object?: ObjectRef
  // False hides who acted, why and from where, for a reader who may know only that it happened.
  isShown?(actor: string): boolean
}

// What people did to one subject, as a source of its timeline.
export function auditEvents(
  db: Db,
  vault: Vault,
  subject: string,
  { object, isShown = () => true }: AuditOptions = {},
): TimelineSource {
  return {
    name: `audit ${subject}`,
    async read(below, limit) {
      const before = below === undefined ? undefined : BigInt(below)
      const entries = await listAudit(db, { subjects: [subject], before, limit }, vault)
      return entries.map((entry) => {
        const { id, at, actor, action } = entry
        const about = { at, source: 'audit' as const, what: action, object: object ?? null }
        const told = isShown(actor) ? toldOf(entry) : { by: null, from: null, details: {} }
        return { place: id.toString(), event: { ...about, ...told } }
      })
    },
  }
}

function toldOf({ actor, details, private: words }: ListedEntry) {
  if (words === null || words === 'sealed') return { by: actor, from: null, details }
  if (typeof words === 'string') return { by: actor, from: null, details: { ...details, words } }
  const { from = {}, ...said } = words
  const place = Object.entries(from).map(([name, value]) => `${name} ${value}`)
  return { by: actor, from: place.join(', ') || null, details: { ...details, ...said } }
}
