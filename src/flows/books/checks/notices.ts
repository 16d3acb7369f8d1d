// Invariants of notices to members and of a payout's wait. Each returns the rows that break it. Acts of an earlier
// release, until a day after the first notice, promised nothing.
export const NOTICE_CHECKS = {
  withdrawal_has_its_notice: `
    select w.id::text as id from withdrawal w
     where w.stop_hash is not null
       and not exists (select from notice n
                        where n.act_id = w.id and n.purpose in ('withdrawal', 'payout_account'))`,
  new_password_has_its_notice: `
    select a.id::text as id from installation i, member_account a, (select min(created_at) as at from notice) first
     where a.closed_at is null and a.password_changed_at > a.created_at
       and a.password_changed_at > first.at + interval '1 day'
       and not exists (select from notice n where n.account_id = a.id and n.purpose = 'password'
                          and n.created_at between a.password_changed_at - i.clock_offset
                                               and a.password_changed_at + i.clock_offset)`,
  stop_has_its_notice: `
    select a.id::text as id from installation i, member_account a
     where a.withdrawals_stopped_at is not null
       and not exists (select from notice n where n.account_id = a.id and n.purpose = 'stopped'
                          and n.created_at >= a.withdrawals_stopped_at - i.clock_offset)`,
  new_passkey_has_its_notice: `
    select p.id::text as id from installation i, passkey p
     where not exists (select from notice n where n.account_id = p.account_id and n.purpose = 'passkey_added'
                          and n.created_at between p.created_at - i.clock_offset and p.created_at + i.clock_offset)`,
  passkey_is_of_an_open_account: `
    select p.id::text as id from passkey p left join member_account a on a.id = p.account_id
     where a.id is null or a.closed_at is not null`,
  notice_has_its_account_and_act: `
    select n.id::text as id from notice n
      left join member_account a on a.id = n.account_id
      left join partner_contact c on c.id = n.account_id and n.purpose in ('credit_80', 'credit_95')
      left join withdrawal w on w.id = n.act_id and w.holder_id = a.member_id
     where coalesce(a.id, c.id) is null or n.act_id is not null and w.id is null`,
  // Told means that a contact of the partner was sent a notice in the same transaction.
  told_credit_alert_has_its_notice: `
    select c.id::text as id from credit_alert c cross join installation i
     where c.told_at is not null
       and not exists (select from partner_contact p join notice n on n.account_id = p.id
                        where p.partner_id = c.partner_id and n.purpose in ('credit_80', 'credit_95')
                          and n.created_at between c.told_at - i.clock_offset - interval '1 minute'
                                               and c.told_at + i.clock_offset + interval '1 minute')`,
  notice_agrees_with_its_history: `
    select n.id::text as id from notice n
      left join lateral (select status from notice_event e where e.notice_id = n.id order by e.id desc limit 1) last
             on true
     where n.status <> coalesce(last.status, 'queued')`,
  no_notice_is_forgotten: `
    select id::text as id from notice
     where settled_at is null and greatest(due_at, claimed_until) < now() - interval '1 day'`,
  // What need not wait names the payment to the same account before it; what an earlier release wrote names itself.
  payout_without_a_wait_has_a_payment_before: `
    select w.id::text as id from withdrawal w, (select min(created_at) as at from notice) first
     where w.same_account_as = w.id and (w.stop_hash is not null or w.requested_at > first.at + interval '1 day')
        or w.same_account_as <> w.id
           and not exists (select from withdrawal b
                            where b.id = w.same_account_as and b.holder_id = w.holder_id and b.bank = w.bank
                              and b.status = 'paid' and b.settled_at <= w.requested_at)`,
} as const
