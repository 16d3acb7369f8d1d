// Closed days against the transfers that they cover, and their chain. Each returns the days that break it.

// The day that covers a transfer: the first whose position reaches it, or its own day if that is later. Null: none yet. The
// positions are looked up in an array, so that 50 million transfers take no 50 million probes.
const COVERED = `
  select t.id, t.kind, t.asset, t.amount, t.debit_account, t.credit_account, t.card_id, seoul_date(t.at) as belongs_to,
         greatest(seoul_date(t.at), d.days[width_bucket(t.id - 1, d.positions) + 1]) as day, d.days[cardinality(d.days)] as last
    from transfer t
   cross join (select array_agg(through_id order by day) as positions, array_agg(day order by day) as days from closed_day) d
   where t.id <= d.positions[cardinality(d.positions)]`

const RECOUNTED = `
  select l.day, l.belongs_to, a.kind as account, l.asset,
         coalesce(a.partner_id, case when a.kind in ('outstanding_cards', 'expired_cards') then c.partner_id end, 0) as partner_id,
         l.kind, sum(l.debit) as debit, sum(l.credit) as credit, sum(sign(l.debit)) as debit_count, sum(sign(l.credit)) as credit_count
    from (select day, belongs_to, last, kind, asset, card_id, debit_account as account, amount as debit, 0 as credit from (${COVERED}) t
          union all
          select day, belongs_to, last, kind, asset, card_id, credit_account, 0, amount from (${COVERED}) t) l
    join account a on a.id = l.account
    left join gift_card c on c.id = l.card_id and a.kind in ('outstanding_cards', 'expired_cards')
   where l.day <= l.last
   group by 1, 2, 3, 4, 5, 6`

export const CLOSED_DAY_CHECKS = {
  closed_day_has_its_hash: `
    select day::text as id
      from (select d.*, lag(hash) over w as before, lag(day) over w as day_before, lag(through_id) over w as through_before
              from closed_day d window w as (order by day)) d
     where previous_hash is distinct from before or day_before <> day - 1 or through_before > through_id
        or hash <> closed_day_hash(previous_hash, day, through_id, reads_from, movements, corrections, closed_at, closed_by)`,
  // The entry of its closing has the hash, and so does the chain of the audit log.
  closed_day_is_as_it_was_noted: `
    select e.details ->> 'last' as id
      from audit_entry e left join closed_day d on d.day::text = e.details ->> 'last'
     where e.action = 'books.close' and e.details ->> 'hash' is not null
       and encode(d.hash, 'hex') is distinct from e.details ->> 'hash'`,
  closed_day_is_of_its_transfers: `
    select coalesce(l.day, r.day) || ' ' || coalesce(l.account, r.account) || ' ' || coalesce(l.kind, r.kind) as id
      from closed_day_line l full join (${RECOUNTED}) r using (day, belongs_to, account, asset, partner_id, kind)
     where (l.debit, l.credit, l.debit_count, l.credit_count) is distinct from (r.debit, r.credit, r.debit_count, r.credit_count)`,
  closed_balance_follows_from_its_lines: `
    select coalesce(b.day, l.day) || ' ' || coalesce(b.account, l.account) as id
      from (select *, lag(closing, 1, 0::bigint) over (partition by account, asset, partner_id order by day) as before
              from closed_day_balance) b
      full join (select day, account, asset, partner_id, sum(debit) as debit, sum(credit) as credit
                   from closed_day_line group by 1, 2, 3, 4) l using (day, account, asset, partner_id)
     where (b.debit, b.credit) is distinct from (l.debit, l.credit) or b.opening <> b.before`,
  closed_line_has_its_day: `
    select l.day::text as id from closed_day_line l left join closed_day d on d.day = l.day where d.day is null
    union select b.day::text from closed_day_balance b left join closed_day d on d.day = b.day where d.day is null`,
  closed_day_counts_its_movements: `
    select d.day::text as id from closed_day d
      left join (select day, sum(debit_count) as movements,
                        coalesce(sum(debit_count) filter (where belongs_to < day), 0) as corrections
                   from closed_day_line group by day) l on l.day = d.day
     where d.movements <> coalesce(l.movements, 0) or d.corrections <> coalesce(l.corrections, 0)
        or d.through_id > coalesce((select max(id) from transfer), 0)`,
} as const
