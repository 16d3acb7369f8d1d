// Refunds of expired cards, extensions and the policies that both follow. Each returns the rows that break it.
export const REFUND_CHECKS = {
  // One policy came with the release. Every other was agreed on by two people, as it stands, before its first day.
  refund_policy_was_released_or_agreed: `
    with known (version, effective_from, cancel_days, refund_years, small_up_to, small_percent, large_percent,
                points_percent, notice_days, extension_months) as (
      values ('kr-2025-09', '2000-01-01'::date, 7, 5, 50000::bigint, 90, 95, 100, '{30,14,7,1}'::integer[], 3)),
    agreed as (
      select p.version, p.effective_from, p.cancel_days, p.refund_years, p.small_up_to, p.small_percent, p.large_percent,
             p.points_percent, p.notice_days, d.extension_months
        from refund_policy p
        join refund_policy_detail d on d.version = p.version
        join change_request r on r.id = d.request_id and r.kind = 'refund_policy' and r.status = 'executed'
                             and r.subject = p.version and seoul_date(r.decided_at) < p.effective_from
       where r.payload::jsonb - 'until' = jsonb_build_object(
               'version', p.version, 'effectiveFrom', p.effective_from, 'cancelDays', p.cancel_days,
               'refundYears', p.refund_years, 'smallUpTo', p.small_up_to::text, 'smallPercent', p.small_percent,
               'largePercent', p.large_percent, 'pointsPercent', p.points_percent,
               'extensionMonths', d.extension_months, 'noticeDays', array_to_string(p.notice_days, ','))),
    there as (
      select p.version, effective_from, cancel_days, refund_years, small_up_to, small_percent, large_percent,
             points_percent, notice_days, d.extension_months
        from refund_policy p left join refund_policy_detail d on d.version = p.version)
    select version as id from ((table known except table there)
                               union all (table there except (table known union all table agreed))) other`,
  agreed_policy_is_there: `
    select r.id::text as id from change_request r left join refund_policy_detail p on p.request_id = r.id
     where r.kind = 'refund_policy' and r.status = 'executed' and p.version is null`,
  // By the policy of the day of purchase. A quote holds for minutes past the last day, and a request for a day.
  refund_is_by_its_policy: `
    select r.card_id::text as id from card_refund r
      left join gift_card c on c.id = r.card_id
      left join lateral refund_policy_of(c.issued_on) p on true
     where c.id is null or c.status <> 'expired' or c.pin is not null or r.face <> c.amount
        or r.policy is distinct from p.version
        or r.percent <> case when r.payout = 'points' then p.points_percent
                             when c.amount <= p.small_up_to then p.small_percent else p.large_percent end
        or r.deduction <> c.amount * (100 - r.percent) / 100 or r.total <> r.face - r.deduction
        or r.at < c.expired_at
        or seoul_date(r.at - interval '25 hours') > c.issued_on + make_interval(years => p.refund_years)`,
  refund_agrees_with_its_transfers: `
    select r.card_id::text as id from card_refund r
      left join transfer t on t.card_id = r.card_id and t.group_id = r.id
                          and t.kind in ('refund', 'refund_exchange', 'refund_fee')
      left join account d on d.id = t.debit_account
      left join account k on k.id = t.credit_account
     group by r.card_id
    having count(t.id) <> 1 + (r.payout = 'money')::int + (r.deduction > 0)::int
        or count(*) filter (where t.kind = 'refund' and t.amount = r.total and k.holder_id = r.holder_id
                              and t.asset = case r.payout when 'points' then 'KRW_POINT' else 'KRW' end
                              and d.kind = case r.payout when 'points' then 'expired_cards' else 'refund_exchange' end) <> 1
        or count(*) filter (where t.kind = 'refund_exchange' and t.amount = r.total and t.asset = 'KRW_POINT')
           <> (r.payout = 'money')::int
        or count(*) filter (where t.kind = 'refund_fee' and t.amount = r.deduction) <> (r.deduction > 0)::int`,
  refund_transfer_has_its_refund: `
    select t.id::text as id from transfer t left join card_refund r on r.card_id = t.card_id and r.id = t.group_id
     where t.kind in ('refund', 'refund_exchange', 'refund_fee') and r.card_id is null`,
  // An operator's refund; a member's own claim needs one person.
  refund_took_two_people: `
    select r.card_id::text as id from card_refund r cross join installation i
      left join change_request q on q.id = r.request_id and q.kind = 'refund' and q.status = 'executed'
                                and q.subject = r.card_id::text and q.decided_at between r.at - i.clock_offset and r.at + i.clock_offset
                                and q.payload::jsonb ->> 'quote' = r.quote_id::text
                                and q.payload::jsonb ->> 'member' = r.holder_id::text
                                and q.payload::jsonb ->> 'total' = r.total::text
     where r.request_id is not null and q.id is null
    union all
    select q.id::text from change_request q left join card_refund r on r.request_id = q.id
     where q.kind = 'refund' and q.status = 'executed' and r.card_id is null`,
  // Points that became won: the same on both sides.
  refund_exchange_cancels_out: `
    select 'refund_exchange' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'refund_exchange') <> 0`,
  expired_liability_is_of_unrefunded_cards: `
    select 'expired_cards' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'expired_cards')
        <> (select coalesce(sum(amount), 0) from gift_card where status = 'expired')
         - (select coalesce(sum(face), 0) from card_refund)
         - (select coalesce(sum(amount), 0) from transfer where kind = 'lapse')`,
  // After the deadline of its policy, whole, and of a card that nobody claimed.
  lapse_is_of_an_unclaimed_card: `
    select t.id::text as id from transfer t
      left join gift_card c on c.id = t.card_id
      left join card_refund r on r.card_id = t.card_id
      left join lateral refund_policy_of(c.issued_on) p on true
     where t.kind = 'lapse'
       and (c.id is null or c.status <> 'expired' or c.pin is not null or t.amount <> c.amount or r.card_id is not null
            or seoul_date(t.at) <= c.issued_on + make_interval(years => p.refund_years))`,
  // Asked for in time, moved as its policy says, and the card has it.
  extension_is_by_its_policy: `
    select x.card_id::text as id from card_extension x
      left join gift_card c on c.id = x.card_id
      left join lateral refund_policy_of(c.issued_on) p on true
      left join refund_policy_detail d on d.version = p.version
     where c.id is null or c.expires_on <> x.to_day or seoul_date(x.at) > x.from_day or x.at < c.issued_at
        or x.to_day is distinct from (x.from_day + make_interval(months => d.extension_months))::date`,
} as const
