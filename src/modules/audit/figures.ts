import type { Reader } from '#base/db/db.ts'

export interface AuditFigures extends Record<string, unknown> {
  unsealedSeconds: number
  unanchoredSeconds: number
  // Null before the first look.
  ok: boolean | null
  // As it was recorded (findings.ts), null if there is none.
  finding: string | null
}

const FIGURES = {
  name: 'read_audit_figures',
  text: `select coalesce(extract(epoch from now() - (select min(queued_at) from audit_unsealed)), 0)::float8
                  as "unsealedSeconds",
                coalesce(extract(epoch from now() - (
                  select sealed_at from audit_chain
                   where position > (select coalesce(max(position), 0) from audit_anchor) order by position limit 1)), 0)::float8
                  as "unanchoredSeconds",
                j.finding is null and j.one as ok, j.finding
           from installation left join audit_judgement j on true`,
}

export function readAuditFigures(database: Reader): Promise<AuditFigures[]> {
  return database.read<AuditFigures>(FIGURES, [])
}
