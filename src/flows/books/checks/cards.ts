// Invariants of cards, their usage totals and the keys that make a retry safe. Each returns the rows that break it.
export const CARD_CHECKS = {
  card_has_one_issue_of_its_amount: `
    select c.id::text as id from gift_card c
      left join partner p on p.id = c.partner_id
      left join account r on r.partner_id = c.partner_id and r.kind = 'partner_receivable'
      left join transfer t on t.card_id = c.id and t.kind = 'issue' and t.amount = c.amount
                          and t.group_id = c.tx_id and t.debit_account = r.id
      left join account o on o.id = t.credit_account and o.kind = 'outstanding_cards'
     where t.id is null or p.id is null or o.id is null`,
  issue_has_its_card: `
    select t.id::text as id from transfer t left join gift_card c on c.id = t.card_id
     where t.kind in ('issue', 'void', 'expire', 'redeem', 'refund', 'refund_exchange', 'refund_fee', 'lapse') and c.id is null`,
  // The others join a card with its transfers, and would take each of two for the one.
  card_has_one_transfer_of_a_kind: `
    select card_id || ' ' || kind as id from transfer where card_id is not null group by card_id, kind having count(*) > 1`,
  voided_card_has_one_void: `
    select c.id::text as id from gift_card c
      left join transfer t on t.card_id = c.id and t.kind = 'void'
      left join account r on r.id = t.credit_account and r.kind = 'partner_receivable'
      left join account o on o.id = t.debit_account and o.kind = 'outstanding_cards'
     where (c.status = 'voided') <> (t.id is not null)
        or t.id is not null and (t.amount <> c.amount or r.partner_id is distinct from c.partner_id
                                 or o.id is null)`,
  // By a partner, by one person below the amount that the entry says, or by two. Earlier entries do not say it.
  voided_card_was_voided_by_an_act: `
    select c.id::text as id from gift_card c cross join installation i
      left join audit_entry e on e.action = 'card.void' and e.subject = c.id::text
                             and e.at between c.voided_at - i.clock_offset and c.voided_at + i.clock_offset
      left join change_request r on r.id::text = e.details ->> 'request' and r.kind = 'card_void'
                                and r.subject = c.id::text and r.status = 'executed'
     where c.status = 'voided'
       and (e.id is null
            or r.id is null and (e.details ? 'request' or c.amount >= (e.details ->> 'approvalFrom')::numeric))`,
  used_card_has_one_redemption: `
    select c.id::text as id from gift_card c
      left join transfer t on t.card_id = c.id and t.kind = 'redeem'
      left join account o on o.id = t.debit_account and o.kind = 'outstanding_cards'
      left join account h on h.id = t.credit_account and h.kind = 'holding'
     where (c.status = 'used') <> (t.id is not null)
        or t.id is not null and (t.amount <> c.amount or o.id is null or h.holder_id is distinct from c.used_by)`,
  expired_card_has_one_expiry: `
    select c.id::text as id from gift_card c
      left join transfer t on t.card_id = c.id and t.kind = 'expire'
      left join account o on o.id = t.debit_account and o.kind = 'outstanding_cards'
      left join account l on l.id = t.credit_account and l.kind = 'expired_cards'
     where (c.status = 'expired') <> (t.id is not null)
        or t.id is not null and (t.amount <> c.amount or o.id is null or l.id is null)`,
  outstanding_is_sum_of_open_cards: `
    select 'outstanding' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'outstanding_cards')
        <> (select coalesce(sum(amount), 0) from gift_card where status = 'issued')`,
  usage_is_recomputed_from_cards: `
    with recomputed as (
      select partner_id, day, sum(issued) as issued, sum(used) as used, sum(used_in_issued) as used_in_issued
        from (select partner_id, issued_on as day, amount as issued, 0 as used,
                     case when status = 'used' then amount else 0 end as used_in_issued
                from gift_card where status <> 'voided'
              union all
              select partner_id, seoul_date(used_at), 0, amount, 0 from gift_card where status = 'used') facts
       group by partner_id, day),
    kept as (
      select partner_id, day, sum(issued) as issued, sum(used) as used, sum(used_in_issued) as used_in_issued
        from usage_day group by partner_id, day)
    select coalesce(k.partner_id, r.partner_id) || ' ' || coalesce(k.day, r.day) as id
      from kept k full join recomputed r using (partner_id, day)
     where coalesce(k.issued, 0) <> coalesce(r.issued, 0) or coalesce(k.used, 0) <> coalesce(r.used, 0)
        or coalesce(k.used_in_issued, 0) <> coalesce(r.used_in_issued, 0)`,
  redemption_key_names_a_used_card: `
    select encode(k.pin_hash, 'hex') as id from redemption_key k
      left join gift_card c on c.id = k.card_id and c.status = 'used'
     where c.id is null`,
  // Kept for 30 days. One PIN that redeemed two cards, as its hash was moved from one to the other, left one key. Earlier releases
  // kept none.
  used_card_left_its_key: `
    select c.id::text as id from installation i
      join gift_card c on c.used_at > now() + i.clock_offset - interval '29 days'
      left join redemption_key k on k.card_id = c.id and k.created_at = c.used_at
     where k.card_id is null
       and c.used_at > i.clock_offset + (select min(m.applied_at) from schema_migration m where m.name ~ '^[0-9]+_retries$')`,
  // Both were written by the purchase. Which of two purchases of one moment it was, only the sealed recipient tells.
  kept_key_names_its_card: `
    select encode(k.key_hash, 'hex') as id
      from (select *, count(*) over (partition by card_id) as keys from idempotency_key) k
      left join gift_card c on c.id = k.card_id and c.tx_id = k.tx_id and c.partner_id = k.partner_id
                           and c.issued_at = k.created_at
     where c.id is null or k.keys > 1`,
  card_days_follow_from_its_moments: `
    select id::text as id from gift_card
     where issued_on <> seoul_date(issued_at) or used_at < issued_at or seoul_date(used_at) > expires_on
        or voided_at < issued_at or seoul_date(expired_at) <= expires_on`,
  // The day that it was sold with, before any extension, by the validity that its partner had then. A change and a purchase may
  // pass each other. Whole days first: only the cards of a day that one validity does not explain are looked at one by one.
  card_ends_when_its_partner_said: `
    with validity as materialized (
      select v.partner_id, v.months, v.since - interval '10 minutes' as since,
             coalesce((select min(n.since) from partner_validity n where n.partner_id = v.partner_id and n.since > v.since)
                      + interval '10 minutes', 'infinity') as until
        from partner_validity v),
    card as (
      select c.id, c.partner_id, c.issued_on, c.issued_at, coalesce(x.from_day, c.expires_on) as expires_on
        from gift_card c left join card_extension x on x.card_id = c.id),
    days as materialized (
      select partner_id, issued_on, expires_on, min(issued_at) as first, max(issued_at) as last
        from card group by partner_id, issued_on, expires_on),
    unexplained as materialized (
      select d.partner_id, d.issued_on, d.expires_on from days d
       where not exists (select from validity v
                          where v.partner_id = d.partner_id and d.first >= v.since and d.last <= v.until
                            and d.expires_on = (d.issued_on + make_interval(months => v.months))::date))
    select c.id::text as id from card c join unexplained using (partner_id, issued_on, expires_on)
     where not exists (select from validity v
                        where v.partner_id = c.partner_id and c.issued_at between v.since and v.until
                          and c.expires_on = (c.issued_on + make_interval(months => v.months))::date)`,
} as const
