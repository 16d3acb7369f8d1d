// The acts of staff since the oldest session that is kept, about a day. A machine's clock may have been set back in between.
const TOLD = `
  select e.id, e.at, e.action, e.subject, e.details from audit_entry e
   where e.action in ('staff.sign_in', 'staff.prove', 'staff.sign_out', 'staff.suspend', 'staff.reset', 'staff.role', 'staff.end_sessions')
     and e.at >= (select min(created_at) from staff_session) - interval '1 day'`

// One of these acts ended the session s. All of a person end by an act of others, and all but one or one alone by their own.
const ENDS = `
  o.subject = s.staff_id::text
    and (o.action in ('staff.suspend', 'staff.reset', 'staff.role')
         or o.action in ('staff.sign_out', 'staff.end_sessions') and o.details ->> 'session' = s.id::text
         or o.action = 'staff.end_sessions' and (o.details ? 'after' or o.details ->> 'kept' <> s.id::text))
  or o.action = 'staff.sign_in' and o.details -> 'ended' ? s.id::text`

// A session that nobody was seen to open, that another cookie opens, that opens again after its end, or that was proven or lasts
// longer than the log says. The last sign-in or proof counts. One that a release before this one wrote has no fingerprint, and its
// proofs name no session. Such a session is let pass, and is over eight hours after its sign-in: it may not begin later.
export const OPENED_SESSIONS = `
  with told as materialized (${TOLD})
  select 'session ' || s.id as id from staff_session s
    left join told i on i.action = 'staff.sign_in' and i.subject = s.staff_id::text and i.details ->> 'session' = s.id::text
    left join lateral (
      select t.at, t.details from told t
       where t.subject = s.staff_id::text and t.id >= i.id
         and (t.id = i.id or t.action = 'staff.prove' and coalesce(t.details ->> 'session', s.id::text) = s.id::text)
       order by t.id desc limit 1) l on true
   where i.id is null or s.created_at > i.at or s.proven_at > l.at
      or l.details ->> 'fingerprint' <> left(encode(sha256(s.hash), 'hex'), 16)
      or s.ended_at is null and exists (select from told o where o.id > i.id and (${ENDS}))`
