import type { SettingSource } from './setting-source.ts'

// How much news of the audit chain makes an anchor due. Read by config.ts.
export interface AuditSettings {
  entries: number
  minutes: number
}

export function readAudit(source: SettingSource): AuditSettings {
  return {
    entries: readWhole(source, 'AUDIT_ANCHOR_ENTRIES', { usual: 100, most: 100_000 }),
    minutes: readWhole(source, 'AUDIT_ANCHOR_MINUTES', { usual: 10, most: 1_440 }),
  }
}

function readWhole(
  { get, refuse }: SettingSource,
  name: string,
  { usual, most }: { usual: number; most: number },
): number {
  const text = get(name) ?? String(usual)
  const number = Number(text)
  if (!/^\d{1,6}$/.test(text) || number < 1 || number > most)
    refuse(name, `is not a number from 1 to ${most}`)
  return number
}
