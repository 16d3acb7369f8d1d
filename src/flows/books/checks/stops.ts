// What stops money holds until an act ends it, and the last act about each is in the audit log. Each returns the rows that break it.

// Of each subject the last entry, if it stopped.
const stopped = (stop: string, end: string) => `
  (select case when subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject::uuid end as id
     from (select distinct on (subject) subject, action from audit_entry
            where action in ('${stop}', '${end}') order by subject, id desc) last
    where action = '${stop}')`

export const STOP_CHECKS = {
  // frozen_member_is_frozen_everywhere has what follows from a freeze.
  freeze_was_ended_by_an_act: `
    select e.id::text as id from ${stopped('member.freeze', 'member.thaw')} e
     where not exists (select from member_freeze f where f.member_id = e.id and f.thawed_at is null)`,
  // What the member decides about a suspended link waits as well.
  suspended_user_was_resumed_by_an_act: `
    select u.id::text as id from ${stopped('user.suspend', 'user.resume')} e
      join partner_user u on u.id = e.id
     where u.status <> 'suspended'`,
  trading_was_stopped_and_resumed_by_an_act: `
    select t.metal as id
      from (select action from audit_entry where action in ('trading.stop', 'trading.resume') order by id desc limit 1) e
     cross join unnest(array['XAU', 'XAG']) as m (metal) cross join lateral current_terms(m.metal) t
     where t.stopped <> (e.action = 'trading.stop')`,
  // By proving identity again.
  withdrawals_were_resumed_by_an_act: `
    select a.id::text as id from ${stopped('member.stop', 'member.recover')} e
      join member_account a on a.id = e.id
     where a.withdrawals_stopped_at is null`,
} as const
