// Every sealed value and keyed hash is under the keys in force. Each returns the rows that break it.
export const KEY_CHECKS = {
  nothing_is_under_an_old_key: `
    select what || ' ' || id as id from installation i, lateral (
      select 'card' as what, id::text from gift_card
       where index_key <> i.index_key or sealed_under(recipient) <> i.encryption_key
          or sealed_under(pin) <> i.encryption_key
      union all select 'member', id::text from member where sealed_under(ci) <> i.encryption_key
      union all select 'member index', encode(hmac, 'hex') from member_ci where key_id <> i.index_key
      union all select 'partner user', id::text from partner_user
       where index_key <> i.index_key or sealed_under(details) <> i.encryption_key or search_key <> i.index_key
      union all select 'signup trace', id::text from signup_trace
       where index_key <> i.index_key or sealed_under(trace_no) <> i.encryption_key
      union all select 'former details', id::text from former_details where sealed_under(details) <> i.encryption_key
      union all select 'cancel reason', card_id::text from cancel_reason where sealed_under(reason) <> i.encryption_key
      union all select 'account', id::text from member_account
       where sealed_under(details) <> i.encryption_key or search_key <> i.index_key
      union all select 'verification', id::text from identity_verification
       where sealed_under(mdn) <> i.encryption_key or sealed_under(person) <> i.encryption_key
      union all select 'onboarding', id::text from onboarding where sealed_under(content) <> i.encryption_key
      union all select 'passkey', id::text from passkey where sealed_under(name) <> i.encryption_key
      union all select 'staff', id::text from staff
       where sealed_under(totp) <> i.encryption_key or sealed_under(totp_next) <> i.encryption_key
      union all select 'staff passkey', id::text from staff_passkey where sealed_under(name) <> i.encryption_key
      union all select 'issued statement', id::text from issued_statement where sealed_under(document) <> i.encryption_key
      union all select 'partner contact', id::text from partner_contact where sealed_under(details) <> i.encryption_key
      union all select 'withdrawal', id::text from withdrawal where sealed_under(destination) <> i.encryption_key
      union all select 'notice', id::text from notice
       where sealed_under(recipient) <> i.encryption_key or sealed_under(content) <> i.encryption_key) old
     where i.rotating_since is null`,
  // While keys rotate, the check above is silent. So a rotation that no entry began, or that has ended, is none.
  rotation_comes_to_an_end: `
    select 'rotation' as id from installation i
     cross join (select max(e.id) filter (where e.action = 'keys.rotate') as begun, max(e.id) filter (where e.action = 'keys.rotated') as ended,
                        max(e.at) filter (where e.action = 'keys.rotate') as begun_at
                   from audit_entry e where e.action in ('keys.rotate', 'keys.rotated')) r
     where i.rotating_since < now() - interval '1 day'
        or i.rotating_since > coalesce(r.begun_at, '-infinity') or i.rotating_since is not null and r.begun < r.ended`,
} as const
