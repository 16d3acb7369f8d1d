import type { listAuditEntries } from '#modules/audit/store.ts'

type Entry = Awaited<ReturnType<typeof listAuditEntries>>[number]

// The audit entries about one thing, as `show` commands list them. Whoever runs them has the key ring.
export function changesJson(entries: readonly Entry[]) {
  return entries.map(({ action, at, actor, details, words }) => ({
    action,
    at: at.toString(),
    actor,
    details: { ...details, ...words },
  }))
}

// Details are JSON, so that a text of a partner or a member cannot break the line.
export function changeLines(changes: ReturnType<typeof changesJson>): string[] {
  return changes.map((c) => `  ${c.at}  ${c.action}  ${c.actor}  ${JSON.stringify(c.details)}`)
}
