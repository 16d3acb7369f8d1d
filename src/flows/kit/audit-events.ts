import type { Db } from '#base/db/db.ts'
import type { ObjectRef, TimelineSource } from '#flows/kit/timeline.ts'
import { listAudit } from '#modules/audit/list.ts'

// What people did to one subject, as a source of its timeline. Details are facts and reasons, never a person's data.
export function auditEvents(
  db: Db,
  subject: string,
  object: ObjectRef | null = null,
  // Null hides an entry's author and details, for a reader who may know only that it happened.
  show: (actor: string) => string | null = (actor) => actor,
): TimelineSource {
  return {
    name: `audit ${subject}`,
    async read(below, limit) {
      const before = below === undefined ? undefined : BigInt(below)
      const entries = await listAudit(db, { subjects: [subject], before, limit })
      return entries.map(({ id, at, actor, action, details }) => {
        const by = show(actor)
        const event = { at, source: 'audit' as const, what: action, by, from: null, object }
        return { place: id.toString(), event: { ...event, details: by === null ? {} : details } }
      })
    },
  }
}
