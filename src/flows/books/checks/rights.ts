import { OPENED_SESSIONS } from './staff-sessions.ts'

// What gives partners and people their rights, against the audit log. Every act that gives or takes a right writes an entry in its own
// transaction. The log is a chain, and its anchors are outside the database. So a row that no entry explains was written by
// other means. Each returns the rows that break it.

// The last value that the log has for each field of a partner's terms that money depends on.
// Entries of the first releases have the fields beside one another, without before and after.
const TERMS_SET = `
  select distinct on (e.subject, t.key) e.subject as code, t.key, t.value
    from audit_entry e cross join lateral jsonb_each_text(coalesce(e.details -> 'after', e.details)) t
   where e.action in ('partner.add', 'partner.set')
     and t.key in ('status', 'amountMin', 'amountMax', 'validityMonths', 'creditLimit', 'keyless', 'networks', 'frameAncestors')
   order by e.subject, t.key, e.id desc`

// The end of each key as its last revocation gave it. A second one never makes a key live longer.
const KEY_ENDS = `
  select distinct on (e.subject) e.subject as key,
         coalesce(e.details #>> '{after,endsAt}', e.details ->> 'endsAt')::timestamptz as ends_at
    from audit_entry e where e.action = 'key.revoke' order by e.subject, e.id desc`

// Networks of an entry, as the column has them: PostgreSQL writes some in other words.
const inetsOf = (list: string) =>
  `array(select n::inet from jsonb_array_elements_text(${list}) with ordinality t (n, i) order by i)`

// The last role and state that the log has for each of the staff.
const STAFF_SET = `
  select e.subject, e.id, coalesce(e.details #>> '{after,role}', e.details ->> 'role') as role,
         e.details #>> '{after,status}' as status, e.details #>> '{after,partner}' as partner, e.details #>> '{after,email}' as email
    from audit_entry e where e.action in ('staff.add', 'staff.role', 'staff.suspend', 'staff.resume')`

// Whose single sign-on was bound, unless a reset has undone it since. Entries of earlier releases have the issuer only. So each sign-in
// says which account it was.
const BOUND = `
  select distinct on (e.subject) e.id, e.subject, e.action, e.details from audit_entry e
   where e.action in ('staff.sign_on_bind', 'staff.reset') order by e.subject, e.id desc`

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
                                 when 'creditLimit' then (-a.floor)::text when 'keyless' then p.keyless::text
                                 when 'networks' then case when p.networks = ${inetsOf('l.value::jsonb')} then l.value else '' end
                                 else to_jsonb(p.frame_ancestors)::text end
    union all
    select p.code || ' that nobody added' from partner p where ${noEntry(`e.subject = p.code and e.action = 'partner.add'`)}
    union all
    select p.code || ' ' || v.months || ' months' from partner_validity v join partner p on p.id = v.partner_id
     where ${noEntry(`e.subject = p.code and e.action in ('partner.add', 'partner.set')
                      and coalesce(e.details -> 'after', e.details) ->> 'validityMonths' = v.months::text`)}`,
  // A hash that was exchanged lets another key in. Entries of earlier releases have no fingerprint, and their fields outside of `after`.
  api_key_is_as_it_was_issued: `
    select k.id from api_key k join partner p on p.id = k.partner_id left join (${KEY_ENDS}) r on r.key = k.id
      left join (select subject, details ->> 'partner' as partner, at, coalesce(details -> 'after', details) as told
                   from audit_entry where action = 'key.issue') e on e.subject = k.id and e.partner = p.code
     where e.subject is null
        or e.told -> 'scopes' <> to_jsonb(k.scopes)
        or e.told -> 'networks' is not null and k.networks <> ${inetsOf(`e.told -> 'networks'`)}
        or e.told ->> 'fingerprint' <> left(encode(sha256(k.secret_hash), 'hex'), 16)
        or (e.told ->> 'expiresInDays')::int is not null
           and coalesce(k.expires_at, 'infinity') > e.at + interval '1 hour' + make_interval(days => (e.told ->> 'expiresInDays')::int)
        or r.key is not null and coalesce(k.revoked_at, 'infinity') > coalesce(r.ends_at, k.revoked_at, '-infinity')`,
  staff_is_as_it_was_set: `
    with noted as materialized (${STAFF_SET})
    select s.email as id from staff s left join partner p on p.id = s.partner_id
      left join lateral (select role from noted n where n.subject = s.id::text and n.role is not null order by n.id desc limit 1) r on true
      left join lateral (select status from noted n where n.subject = s.id::text and n.status is not null order by n.id desc limit 1) t on true
     where r.role is distinct from s.role or coalesce(t.status, 'active') <> s.status
        or exists (select from noted n where n.subject = s.id::text and (n.partner <> coalesce(p.code, '') or n.email <> s.email))`,
  // A way into the console that nobody was seen to take.
  staff_came_in_by_an_act: `
    select 'passkey ' || k.id as id from staff_passkey k
     where ${noEntry(`e.subject = k.staff_id::text and e.action = 'staff.passkey_add' and e.details ->> 'passkey' = k.id::text
                      and coalesce(e.details ->> 'fingerprint', '') in ('', left(encode(sha256(k.public_key), 'hex'), 16))`)}
    union all
    select id from (${OPENED_SESSIONS}) opened
    union all
    select 'single sign-on of ' || s.email from staff s left join (${BOUND}) b on b.subject = s.id::text
     cross join left(encode(sha256(convert_to(s.oidc_issuer || ' ' || s.oidc_subject, 'UTF8')), 'hex'), 16) as f (own)
     where s.oidc_subject is not null
       and (b.action is distinct from 'staff.sign_on_bind' or b.details ->> 'issuer' <> s.oidc_issuer or b.details ->> 'fingerprint' <> f.own
            or exists (select from audit_entry e where e.subject = s.id::text and e.action = 'staff.sign_in' and e.id > b.id
                                                   and e.details ->> 'account' <> f.own))
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
  // What was there before needed one person. A later day would excuse what nobody agreed on. Each sealed block named the day, and no
  // request can be older: by more than a day, since a machine's clock may have been set right after the install.
  two_people_count_since_their_release: `
    select f.key as id from installation i cross join lateral jsonb_each_text(to_jsonb(i)) f
     where f.key in ('two_people_since', 'rates_agreed_since')
       and (f.value::timestamptz > i.clock_offset + interval '1 hour' + (
              select min(m.applied_at) from schema_migration m
               where m.name ~ case f.key when 'two_people_since' then '_two_people$' else '_rate_requests$' end)
            or exists (select from audit_entry e
                        where e.action = 'books.seal' and f.value::timestamptz <>
                              (e.details ->> case f.key when 'two_people_since' then 'twoPeopleSince' else 'ratesAgreedSince' end)::timestamptz)
            or f.value::timestamptz > (
              select min(e.at) from audit_entry e
               where e.action in ('partner.rate.request', case f.key when 'two_people_since' then 'change.approve' end)) + interval '1 day')`,
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
