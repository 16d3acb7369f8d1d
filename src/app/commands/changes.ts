import type { listAuditEntries } from '#modules/audit/store.ts'

type Entry = Awaited<ReturnType<typeof listAuditEntries>>[number]

// The audit entries about one thing, as `show` commands list them.
export function changesJson(entries: readonly Entry[]) {
  return entries.map(({ action, at, actor, details }) => ({ action, at: at.toString(), actor, details }))
}

// Details are JSON, so that a text of a partner or a member cannot break the line.
export function changeLines(changes: ReturnType<typeof changesJson>): string[] {
  return changes.map((c) => `  ${c.at}  ${c.action}  ${c.actor}  ${JSON.stringify(c.details)}`)
}
