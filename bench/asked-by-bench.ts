// What the benchmark wrote as two people would have agreed on it, in the audit log as well: `verify` compares both.
export const ASKED_BY_BENCH = `
  insert into audit_entry (actor, action, subject, details)
  select maker, kind || '.request', subject, jsonb_build_object('request', id, 'after', payload::jsonb) from change_request
   where maker = 'bench'
  union all
  select checker, 'change.approve', id::text, '{}' from change_request where maker = 'bench'`
