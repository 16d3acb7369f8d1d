// Invariants as queries: each returns the rows that break it, so an empty answer is a proof.
export const MEMBER_CHECKS = {
  member_is_found_by_one_ci: `
    select m.id::text as id from member m cross join installation i
      left join member_ci c on c.member_id = m.id and c.key_id = i.index_key
     group by m.id having count(c.hmac) <> 1`,
  ci_names_its_member: `
    select encode(c.hmac, 'hex') as id from member_ci c left join member m on m.id = c.member_id
     where m.id is null`,
  link_has_its_member_and_partner: `
    select u.id::text as id from partner_user u
      left join member m on m.id = u.member_id
      left join partner p on p.id = u.partner_id
     where m.id is null or p.id is null`,
  member_has_a_link_or_an_account: `
    select m.id::text as id from member m
     where not exists (select from partner_user u where u.member_id = m.id)
       and not exists (select from member_account a where a.member_id = m.id)`,
  account_has_its_member: `
    select a.id::text as id from member_account a left join member m on m.id = a.member_id where m.id is null`,
  // Of a closed account, and what it says is gone is gone.
  erasure_was_carried_out: `
    select e.account_id::text as id from member_erasure e left join member_account a on a.id = e.account_id
     where a.id is null or a.closed_at is null or (e.details_erased_at is not null and a.details is not null)`,
  open_account_has_agreed_to_the_terms: `
    select a.id::text as id from member_account a cross join unnest(array['service', 'privacy']) terms
     where a.closed_at is null
       and not coalesce((select c.agreed from member_consent c where c.account_id = a.id and c.terms_id = terms
                          order by c.id desc limit 1), false)`,
  closed_account_lets_nobody_in: `
    select s.id::text as id from web_session s join member_account a on a.id = s.account_id
     where a.closed_at is not null and s.ended_at is null`,
  session_has_its_owner: `
    select s.id::text as id from web_session s
      left join member_account a on a.id = s.account_id
      left join partner_user u on u.id = s.partner_user_id
     where a.id is null and u.id is null`,
  refused_link_was_decided: `
    select id::text as id from partner_user where status = 'refused' and (decided_at is null or confirmed)`,
  what_was_told_has_its_link: `
    select t.id::text as id from (select id, partner_user_id from signup_trace
                                  union all select id, partner_user_id from former_details) t
      left join partner_user u on u.id = t.partner_user_id
     where u.id is null`,
  consent_has_its_link: `
    select c.id::text as id from consent c left join partner_user u on u.id = c.partner_user_id
     where u.id is null`,
  consents_change_from_row_to_row: `
    select id::text as id
      from (select id, agreed, lag(agreed) over (partition by partner_user_id, terms_id order by id) as before
              from consent) history
     where agreed = before`,
  member_consent_has_its_account: `
    select c.id::text as id from member_consent c left join member_account a on a.id = c.account_id
     where a.id is null`,
  member_consents_change_from_row_to_row: `
    select id::text as id
      from (select id, agreed, version, lag(agreed) over row as before, lag(version) over row as version_before
              from member_consent window row as (partition by account_id, terms_id order by id)) history
     where agreed = before and version is not distinct from version_before`,
} as const
