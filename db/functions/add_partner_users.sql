-- A step of sign_up_partner_users: a link per person and partner, and per partner and key. The second to come inserts nothing.
-- Returns the links that were made. In the order of the people, since a key that is issued here is another one in every batch.
create or replace function add_partner_users(
  p_now timestamptz, p_key text, p_sandbox boolean, p_fresh uuid[], p_members uuid[], p_link_ids uuid[], p_partners integer[],
  p_partner_keys text[], p_registered_by text[], p_details bytea[], p_details_hashes bytea[]
) returns uuid[] language plpgsql as $$
declare
  v_new uuid[];
begin
  with made as (
    insert into partner_user (id, partner_id, partner_key, member_id, confirmed, registered_at, registered_by,
                              logins_after, details, details_hash, index_key, details_at)
    select c.link_id, c.partner_id, c.partner_key, c.member_id, p_sandbox or c.member_id = any (p_fresh), p_now,
           c.registered_by, p_now - interval '1 microsecond', c.details, c.details_hash, p_key, p_now
      from unnest(p_link_ids, p_partners, p_partner_keys, p_members, p_registered_by, p_details, p_details_hashes)
           as c (link_id, partner_id, partner_key, member_id, registered_by, details, details_hash)
      join partner p on p.id = c.partner_id and p.status = 'active'
     order by c.partner_id, c.member_id
    on conflict do nothing
    returning id)
  select coalesce(array_agg(id), '{}') into v_new from made;
  return v_new;
end $$;
