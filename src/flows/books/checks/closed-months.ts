// Closed months against their hashes, their days and their statements. Each returns the months that break it.
const DATA = `(select m.*, to_char(m.month, 'YYYY-MM') as name, m.data::jsonb as j from closed_month m)`

export const CLOSED_MONTH_CHECKS = {
  closed_month_has_its_hash: `
    select name as id
      from (select m.*, lag(hash) over w as before, lag(month) over w as month_before
              from ${DATA} m window w as (order by month)) m
     where previous_hash is distinct from before or month_before + interval '1 month' <> month
        or hash <> sha256(coalesce(previous_hash, ''::bytea) || convert_to(data, 'UTF8'))
        or j ->> 'month' <> name or j ->> 'throughId' <> through_id::text`,
  closed_month_is_of_its_days: `
    select name as id
      from ${DATA} m
      left join lateral (
        select jsonb_agg(jsonb_build_object('day', d.day::text, 'hash', encode(d.hash, 'hex')) order by d.day) as days,
               max(d.day) as last, max(d.through_id) as through_id
          from closed_day d where d.day >= m.month and d.day < m.month + interval '1 month') d on true
     where d.days is distinct from m.j -> 'days' or d.through_id <> m.through_id
        or d.last <> (m.month + interval '1 month')::date - 1`,
  closed_month_has_its_statements: `
    select m.name || ' ' || (n.s ->> 'number') as id
      from ${DATA} m cross join lateral jsonb_array_elements(m.j -> 'statements') as n (s)
      left join partner_statement s on s.number = n.s ->> 'number' and encode(s.hash, 'hex') = n.s ->> 'hash'
     where s.id is null`,
  // The entry of its closing has the hash, and so does the chain of the audit log.
  closed_month_is_as_it_was_noted: `
    select e.subject as id
      from audit_entry e left join ${DATA} m on m.name = e.subject
     where e.action = 'books.close_month' and encode(m.hash, 'hex') is distinct from e.details ->> 'hash'`,
} as const
