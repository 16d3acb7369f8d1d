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
  member_has_a_link: `
    select m.id::text as id from member m
     where not exists (select from partner_user u where u.member_id = m.id)`,
  consent_has_its_link: `
    select c.id::text as id from consent c left join partner_user u on u.id = c.partner_user_id
     where u.id is null`,
  consents_change_from_row_to_row: `
    select id::text as id
      from (select id, agreed, lag(agreed) over (partition by partner_user_id, terms_id order by id) as before
              from consent) history
     where agreed = before`,
} as const
