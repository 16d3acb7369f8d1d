import { sql } from 'kysely'
import { byTime, daysOf, textOf } from '#flows/lists/conditions.ts'
import type { List } from '#flows/lists/list-types.ts'

const NAMES = {
  at: { ko: '일시', en: 'Time' },
  actor: { ko: '누가', en: 'Actor' },
  action: { ko: '무엇을', en: 'Action' },
  subject: { ko: '대상', en: 'Subject' },
}

interface EntryRow {
  id: bigint
  at: Temporal.Instant
  actor: string
  action: string
  subject: string
  isSealed: boolean
}

export const AUDIT: List = {
  name: 'audit',
  names: { ko: '감사 기록', en: 'Audit' },
  table: 'audit_entry',
  filters: {
    at: daysOf('at', NAMES.at),
    actor: textOf('actor', NAMES.actor),
    action: textOf('action', NAMES.action),
    subject: textOf('subject', NAMES.subject),
  },
  sorts: {
    at: {
      ...byTime('at', 'at', [], 'bigint'),
      within: ['subject', 'actor', 'action'].map((name) => ({ filter: name, column: name })),
    },
  },
  columns: [
    { name: 'at', kind: 'moment', names: NAMES.at, sort: 'at' },
    { name: 'actor', kind: 'text', names: NAMES.actor },
    { name: 'action', kind: 'text', names: NAMES.action },
    { name: 'subject', kind: 'id', names: NAMES.subject },
    { name: 'reason', kind: 'text', names: { ko: '사유', en: 'Reason' } },
    { name: 'entryId', kind: 'id', names: { ko: '기록 번호', en: 'Entry' }, inFile: true },
  ],
  fields: sql`t.id, t.at, t.actor, t.action, t.subject, t.private_id is not null as "isSealed"`,
  show: (_, rows: readonly EntryRow[]) =>
    rows.map((row) => ({
      id: String(row.id),
      path: `/audit/${row.id}`,
      cells: {
        at: row.at.toString(),
        actor: row.actor,
        action: row.action,
        subject: row.subject,
        // What was typed may name someone: the entry's own page opens it.
        reason: row.isSealed ? '•••' : null,
        entryId: String(row.id),
      },
    })),
}
