-- A step of sign_up_partner_users: the members of these CIs, in order. All of them are indexed, by this batch or before it.
create or replace function find_members(p_index_key text, p_ci_hashes bytea[]) returns uuid[] language plpgsql as $$
declare
  v_members uuid[];
begin
  select array_agg(known.member_id order by c.i) into strict v_members
    from unnest(p_ci_hashes) with ordinality as c (hash, i)
    left join lateral (select member_id from member_ci where key_id = p_index_key and hmac = c.hash) known on true;
  if array_position(v_members, null) is not null then
    raise exception 'a person went while being looked at' using errcode = 'serialization_failure';
  end if;
  return v_members;
end $$;
