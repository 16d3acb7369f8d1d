// Nothing of a frozen member moves, and no session opens. Each returns the rows that break it.
export const FREEZE_CHECKS = {
  // What comes back from a withdrawal is not among these: that is the operator's refusal or the member's own stop.
  nothing_moves_for_a_frozen_member: `
    select moved.id::text as id
      from member_freeze f, lateral (
        select t.id, t.at from account a
          join transfer t on t.debit_account = a.id
         where a.holder_id in (select f.member_id union all select u.id from partner_user u where u.member_id = f.member_id)
           and t.kind in ('buy', 'sell', 'withdraw', 'join', 'waive')
        union all
        select t.id, t.at from account a
          join transfer t on t.credit_account = a.id
         where a.holder_id in (select f.member_id union all select u.id from partner_user u where u.member_id = f.member_id)
           and t.kind in ('redeem', 'buy', 'sell', 'join', 'refund')
        union all
        select t.id, t.at from withdrawal w join transfer t on t.group_id = w.id and t.kind = 'withdraw_paid'
         where w.holder_id = f.member_id) moved
     where moved.at > f.frozen_at and moved.at < coalesce(f.thawed_at, 'infinity')`,
  freeze_has_its_member: `
    select f.id::text as id from member_freeze f left join member m on m.id = f.member_id where m.id is null`,
  // Both ways: nothing of a frozen member is open, and nothing is frozen without a freeze.
  frozen_member_is_frozen_everywhere: `
    select 'link ' || u.id as id from partner_user u
      left join member_freeze f on f.member_id = u.member_id and f.thawed_at is null
     where case when f.id is null then u.status = 'frozen' else u.status = 'active' end
    union all
    select 'account ' || a.id from member_account a
      left join member_freeze f on f.member_id = a.member_id and f.thawed_at is null
     where a.closed_at is null and (f.id is null) <> (a.frozen_at is null)`,
  frozen_account_lets_nobody_in: `
    select s.id::text as id from web_session s join member_account a on a.id = s.account_id
     where a.frozen_at is not null and s.ended_at is null`,
} as const
