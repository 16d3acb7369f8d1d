// Which accounts a transfer joins, and when it says it was made. A trigger refuses such a transfer too
// (db/functions/refuse_strange_transfers.sql); this finds one that was posted behind the trigger's back. Each returns the rows that break it.
export const TRANSFER_CHECKS = {
  transfer_joins_what_it_may: `
    select t.id::text as id from transfer t
      left join account d on d.id = t.debit_account
      left join account c on c.id = t.credit_account
     where transfer_may_join(t.kind, t.asset, d.kind, c.kind) is not true`,
  join_stays_with_its_member: `
    select t.id::text as id from transfer t
      join account d on d.id = t.debit_account
      join account c on c.id = t.credit_account
      left join partner_user link on link.id = d.holder_id and link.member_id = c.holder_id
      left join partner_user back on back.id = c.holder_id and back.member_id = d.holder_id
     where t.kind = 'join' and link.id is null and back.id is null`,
  // Waived in the transaction that closes the account, so at its very moment.
  waive_is_of_a_closed_account: `
    select t.id::text as id from transfer t cross join installation i join account d on d.id = t.debit_account
     where t.kind = 'waive'
       and not exists (select from member_account a
                        where a.member_id = d.holder_id
                          and a.closed_at between t.at - i.clock_offset and t.at + i.clock_offset)`,
  // To the microsecond: both are the moment of one transaction. Only a sandbox's clock can move inside one.
  transfer_has_the_time_of_its_cause: `
    select m.id::text as id from installation i, lateral (
      select t.id, t.at, case t.kind when 'issue' then c.issued_at when 'void' then c.voided_at
                                     when 'expire' then c.expired_at when 'redeem' then c.used_at end as cause
        from transfer t join gift_card c on c.id = t.card_id
      union all
      select t.id, t.at, r.at from transfer t join card_refund r on r.id = t.group_id
       where t.kind in ('refund', 'refund_exchange', 'refund_fee')
      union all
      select t.id, t.at, o.at from transfer t join trade_order o on o.id = t.group_id where t.kind in ('buy', 'sell')
      union all
      select t.id, t.at, case t.kind when 'withdraw' then w.requested_at else w.settled_at end
        from transfer t join withdrawal w on w.id = t.group_id
       where t.kind in ('withdraw', 'withdraw_paid', 'withdraw_back')
      union all
      select t.id, t.at, case t.kind when 'partner_payment' then p.at else p.reversed_at end
        from transfer t join partner_payment p on p.id = t.group_id
       where t.kind in ('partner_payment', 'partner_payment_back')) m
     where m.at not between m.cause - i.clock_offset and m.cause + i.clock_offset`,
  // Ids are handed out in the order of posting, give or take the length of a transaction. What a withdrawal posts has its time
  // held against the request's.
  transfers_are_in_order_of_time: `
    select id::text as id
      from (select t.id, t.at, lag(t.at) over w as before, lead(t.at) over w as after
              from transfer t where t.kind <> 'withdraw' window w as (order by t.id)) history, installation i
     where i.clock_offset = interval '0'
       and (at < before - interval '1 hour' or at > after + interval '1 hour' or at > now() + interval '1 hour'
            or at < i.created_at - interval '1 hour')`,
} as const
