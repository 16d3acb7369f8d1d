// Closed days that are not what their transfers make them, each with the check that must find it.
const DAY = `date '2026-01-05'`
const closedDay = (movements: number) => `
  insert into closed_day (day, through_id, reads_from, movements, corrections, closed_at, closed_by, hash)
  select ${DAY}, max(id), max(id) + 1, ${movements}, 0, now(), 'x', sha256('x') from transfer;`
const line = `
  insert into closed_day_line (day, belongs_to, account, asset, partner_id, kind, debit, credit, debit_count, credit_count)
  values (${DAY}, ${DAY}, 'trading', 'KRW', 0, 'buy', 0, 7, 0, 1);`
const balance = `
  insert into closed_day_balance (day, account, asset, partner_id, opening, debit, credit, closing)
  values (${DAY}, 'trading', 'KRW', 0, 3, 0, 7, 10);`

export const CLOSED_DAY_MISTAKES: [check: string, mistake: string][] = [
  ['closed_day_has_its_hash', closedDay(0)],
  [
    'closed_day_is_as_it_was_noted',
    `insert into audit_entry (actor, action, subject, details)
     values ('worker', 'books.close', '2026-01-05', '{"last": "2026-01-05", "hash": "00"}')`,
  ],
  ['closed_day_is_of_its_transfers', closedDay(0) + line],
  ['closed_balance_follows_from_its_lines', closedDay(0) + line + balance],
  ['closed_line_has_its_day', line],
  ['closed_day_counts_its_movements', closedDay(5)],
]
