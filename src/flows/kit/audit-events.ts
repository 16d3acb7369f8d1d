import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import type { ObjectRef, TimelineSource } from '#flows/kit/timeline.ts'
import { type ListedEntry, listAudit } from '#modules/audit/list.ts'
import { splitPrivate } from '#modules/audit/rules.ts'
import type { AuditFacts } from '#modules/audit/types.ts'

interface AuditOptions {
  object?: ObjectRef
  // Of all that was done to the subject only these.
  isWanted?(entry: ListedEntry): boolean
  // False hides who acted and what it changed, from a reader who may know only that it happened.
  isShown?(actor: string): boolean
}

// What people did to one subject, as a source of its timeline. Without the vault, what they typed and where they were stays
// sealed: it may name someone.
export function auditEvents(
  db: Db,
  vault: Vault | undefined,
  subject: string,
  { object, isWanted = () => true, isShown = () => true }: AuditOptions = {},
): TimelineSource {
  return {
    name: `audit ${subject}`,
    async read(below, limit) {
      const entries: ListedEntry[] = []
      let before = below === undefined ? undefined : BigInt(below)
      // Goes on where a page had too few that are wanted: the timeline takes a short page for the end.
      for (let isOver = false; !isOver && entries.length < limit; ) {
        const page = await listAudit(db, { subjects: [subject], before, limit }, vault)
        entries.push(...page.filter(isWanted))
        before = page.at(-1)?.id
        isOver = page.length < limit
      }
      return entries.slice(0, limit).map((entry) => {
        const { id, at, actor, action } = entry
        const about = { at, source: 'audit' as const, what: action, object: object ?? null }
        const told = isShown(actor) ? toldOf(entry, vault !== undefined) : { by: null, from: {}, details: {} }
        return { place: id.toString(), event: { ...about, ...told } }
      })
    },
  }
}

function toldOf({ actor, details: all, private: words }: ListedEntry, isOpen: boolean) {
  // What was seen of the maker of a request says where from.
  const { seen, ...details } = all as AuditFacts
  // An entry of a job has its words among the facts.
  if (!isOpen) return { by: actor, from: {}, details: splitPrivate(details).facts }
  const place = typeof seen === 'string' ? { seen } : {}
  if (words === null) return { by: actor, from: place, details }
  if (typeof words === 'string') return { by: actor, from: place, details: { ...details, words } }
  const { from = place, ...said } = words
  return { by: actor, from, details: { ...details, ...said } }
}
