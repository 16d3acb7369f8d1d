// Closed months, made behind the guards, each with the check that must find it. The books of the test have no day in 2020.
const month = ({ data = '{}', hash = `convert_to(d, 'UTF8')` }) => `
  insert into closed_month (month, through_id, data, closed_at, closed_by, hash)
  select '2020-01-01', 0, d, service_now(), 'x', sha256(${hash})
    from (select ('{"month": "2020-01", "throughId": "0", "statements": []}'::jsonb || '${data}')::text as d) d;`

export const CLOSED_MONTH_MISTAKES: [check: string, mistake: string][] = [
  ['closed_month_has_its_hash', month({ hash: `'another'` })],
  ['closed_month_has_its_hash', month({ data: '{"month": "2020-02"}' })],
  ['closed_month_is_of_its_days', month({ data: '{"days": []}' })],
  ['closed_month_has_its_statements', month({ data: '{"statements": [{"number": "X", "hash": "00"}]}' })],
  [
    'closed_month_is_as_it_was_noted',
    `insert into audit_entry (actor, action, subject, details)
     values ('x', 'books.close_month', '2020-01', '{"hash": "00"}')`,
  ],
]
