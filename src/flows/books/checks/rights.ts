// What gives partners and people their rights, against the audit log. Every act that gives or takes a right writes an entry in its own
// transaction. The log is a chain, and its anchors are outside the database. So a row that no entry explains was written by
// other means. Each returns the rows that break it.

// The last value that the log has for each field of a partner's terms that money depends on.
// Entries of the first releases have the fields beside one another, without before and after.
const TERMS_SET = `
  select distinct on (e.subject, t.key) e.subject as code, t.key, t.value
    from audit_entry e cross join lateral jsonb_each_text(coalesce(e.details -> 'after', e.details)) t
   where e.action in ('partner.add', 'partner.set')
     and t.key in ('status', 'amountMin', 'amountMax', 'validityMonths', 'creditLimit', 'keyless')
   order by e.subject, t.key, e.id desc`

// The last role and state that the log has for each of the staff.
const STAFF_SET = `
  select e.subject, e.id, coalesce(e.details #>> '{after,role}', e.details ->> 'role') as role,
         e.details #>> '{after,status}' as status, e.details #>> '{after,partner}' as partner
    from audit_entry e where e.action in ('staff.add', 'staff.role', 'staff.suspend', 'staff.resume')`

const noEntry = (condition: string) => `not exists (select from audit_entry e where ${condition})`

// Of tables that grow with members, so a whole run only. Accounts and passwords of earlier releases have neither in the log.
export const MEMBER_RIGHTS_CHECKS = {
  account_is_its_members_own: `
    select a.id::text as id from member_account a join audit_entry e on e.subject = a.id::text and e.action = 'member.signup'
     where e.details ->> 'member' <> a.member_id::text
    union
    select a.id::text from member_account a
      join (select distinct on (subject) subject, details ->> 'fingerprint' as fingerprint from audit_entry
             where action in ('member.signup', 'member.password', 'member.recover') order by subject, id desc) l
        on l.subject = a.id::text
     where l.fingerprint <> left(encode(sha256(convert_to(a.password, 'UTF8')), 'hex'), 16)`,
} as const

export const RIGHTS_CHECKS = {
  partner_terms_are_as_they_were_set: `
    select p.code || ' ' || l.key as id
      from partner p join account a on a.partner_id = p.id and a.kind = 'partner_receivable' join (${TERMS_SET}) l on l.code = p.code
     where l.value <> case l.key when 'status' then p.status when 'amountMin' then p.amount_min::text
                                 when 'amountMax' then p.amount_max::text when 'validityMonths' then p.validity_months::text
                                 when 'creditLimit' then (-a.floor)::text else p.keyless::text end
    union all
    select p.code || ' ' || v.months || ' months' from partner_validity v join partner p on p.id = v.partner_id
     where exists (select from audit_entry e where e.subject = p.code and e.action = 'partner.add')
       and ${noEntry(`e.subject = p.code and e.action in ('partner.add', 'partner.set')
                      and coalesce(e.details -> 'after', e.details) ->> 'validityMonths' = v.months::text`)}`,
  // A hash that was exchanged lets another key in. Entries of earlier releases have no fingerprint.
  api_key_is_as_it_was_issued: `
    select k.id from api_key k join partner p on p.id = k.partner_id cross join installation i
      left join audit_entry e on e.subject = k.id and e.action = 'key.issue' and e.details ->> 'partner' = p.code
     where e.id is null
        or e.details #> '{after,scopes}' <> to_jsonb(k.scopes)
        or jsonb_array_length(e.details #> '{after,networks}') > 0 and k.networks = '{}'
        or e.details #>> '{after,fingerprint}' <> left(encode(sha256(k.secret_hash), 'hex'), 16)
        or (e.details #>> '{after,expiresInDays}')::int is not null
           and coalesce(k.expires_at, 'infinity') > k.created_at + i.clock_offset + interval '1 hour'
                                                   + make_interval(days => (e.details #>> '{after,expiresInDays}')::int)
        or k.revoked_at is null and exists (select from audit_entry r where r.subject = k.id and r.action = 'key.revoke')`,
  staff_is_as_it_was_set: `
    with noted as materialized (${STAFF_SET})
    select s.email as id from staff s left join partner p on p.id = s.partner_id
      left join lateral (select role from noted n where n.subject = s.id::text and n.role is not null order by n.id desc limit 1) r on true
      left join lateral (select status from noted n where n.subject = s.id::text and n.status is not null order by n.id desc limit 1) t on true
     where r.role is distinct from s.role or coalesce(t.status, 'active') <> s.status
        or exists (select from noted n where n.subject = s.id::text and n.partner <> coalesce(p.code, ''))`,
  // A way into the console that nobody was seen to take.
  staff_came_in_by_an_act: `
    select 'passkey ' || k.id as id from staff_passkey k
     where ${noEntry(`e.subject = k.staff_id::text and e.action = 'staff.passkey_add' and e.details ->> 'passkey' = k.id::text
                      and coalesce(e.details ->> 'fingerprint', '') in ('', left(encode(sha256(k.public_key), 'hex'), 16))`)}
    union all
    select 'session ' || s.id from staff_session s
     where ${noEntry(`e.subject = s.staff_id::text and e.action = 'staff.sign_in' and e.details ->> 'session' = s.id::text`)}
    union all
    select 'recovery codes of ' || c.staff_id
      from (select staff_id, left(encode(sha256(string_agg(hash, ''::bytea order by hash)), 'hex'), 16) as fingerprint
              from staff_recovery_code group by staff_id) c
      left join lateral (select e.details ->> 'fingerprint' as fingerprint from audit_entry e
                          where e.subject = c.staff_id::text and e.action = 'staff.recovery_codes' order by e.id desc limit 1) n on true
     where n.fingerprint <> c.fingerprint
    union all
    select 'account ' || a.account from staff_account a
     where ${noEntry(`e.subject = a.staff_id::text and e.action = 'staff.bind' and e.details #>> '{after,account}' = a.account`)}
    union all
    select 'link ' || l.id from staff_link l cross join installation i
     where ${noEntry(`e.subject = l.staff_id::text and e.action in ('staff.add', 'staff.reset')
                      and e.at between l.created_at - i.clock_offset and l.created_at + i.clock_offset`)}`,
  // By whom, and exactly what. A thief with one name of two could else write the other.
  request_was_asked_for_and_agreed: `
    select r.id::text as id from change_request r
      left join audit_entry e on e.details ->> 'request' = r.id::text and right(e.action, 7) = 'request' and e.actor = r.maker
                             and coalesce(e.details -> 'after', r.payload::jsonb) = r.payload::jsonb
     where e.id is null
    union
    select r.id::text from change_request r
      left join audit_entry e on e.subject = r.id::text and e.action = 'change.approve' and e.actor = r.checker
     where r.status = 'executed' and e.id is null`,
  // What was there before needed one person. A later day would excuse what nobody agreed on.
  two_people_count_since_their_release: `
    select f.key as id from installation i cross join lateral jsonb_each_text(to_jsonb(i)) f
     where f.key in ('two_people_since', 'rates_agreed_since')
       and f.value::timestamptz > i.clock_offset + interval '1 hour' + (
         select min(m.applied_at) from schema_migration m
          where m.name ~ case f.key when 'two_people_since' then '_two_people$' else '_rate_requests$' end)`,
  payout_was_agreed_by_those_it_names: `
    select w.id::text as id from withdrawal w cross join installation i
      left join audit_entry a on a.subject = w.id::text and a.action = 'withdrawal.approve' and a.actor = w.approved_by
      left join audit_entry p on p.subject = w.id::text and p.action = 'withdrawal.pay' and p.actor = w.settled_by
     where w.approved_at > i.two_people_since and a.id is null
        or w.status = 'paid' and w.settled_at > i.two_people_since and p.id is null`,
  // For whom a statement is made out, and that it was sent.
  billing_is_as_it_was_set: `
    select p.code as id from partner_legal l join partner p on p.id = l.partner_id
      left join lateral (select e.details -> 'after' as told from audit_entry e
                          where e.subject = p.code and e.action = 'partner.billing' and e.details -> 'after' ? 'legalName'
                          order by e.id desc limit 1) t on true
     where (t.told ->> 'legalName', t.told ->> 'businessNumber', t.told ->> 'representative', t.told ->> 'address')
           is distinct from (l.legal_name, l.business_number, l.representative, l.address)
    union all
    select e.details ->> 'number' from audit_entry e
      left join partner_statement s on s.number = e.details ->> 'number'
      left join partner_statement_sent n on n.statement_id = s.id
     where e.action = 'statement.send' and n.statement_id is null`,
  // The other way round is closed_statement_is_there and closed_day_is_as_it_was_noted.
  books_were_closed_by_an_act: `
    select s.number as id from partner_statement s
      left join audit_entry e on e.action = 'statement.close' and e.details ->> 'number' = s.number
                             and e.details ->> 'hash' = encode(s.hash, 'hex')
     where e.id is null
    union all
    select max(d.day)::text from closed_day d
    having max(d.day)::text > coalesce((select max(e.details ->> 'last') from audit_entry e where e.action = 'books.close'), '')`,
} as const
