-- A step of sign_up_partner_users: the outcome of each person whose link this batch did not make, and the link that is there.
-- The links are locked in order before they are looked at. `changed` counts the details that are others now.
create or replace function settle_known_users(
  p_now timestamptz, p_key text, p_new uuid[], p_members uuid[], p_link_ids uuid[], p_partners integer[],
  p_partner_keys text[], p_custom boolean[], p_details bytea[], p_details_hashes bytea[], p_old_details_hashes bytea[],
  p_actors text[], p_trace_ids uuid[], p_trace_hashes bytea[], p_old_trace_hashes bytea[], inout outcomes text[],
  inout since timestamptz[], out links uuid[], out partner_keys text[], out traces uuid[], out changed integer
) language plpgsql as $$
#variable_conflict use_column
declare
  v_link    record;
  v_others  boolean := false;  -- whether anybody's details are others now, and sealed for the link that is there
begin
  changed := 0;
  links := p_link_ids;
  partner_keys := p_partner_keys;
  perform 1 from partner_user u
    where u.id in (select known.id
                     from unnest(p_members, p_partners) as c (member_id, partner_id)
                    cross join lateral (select k.id from partner_user k
                                         where k.member_id = c.member_id and k.partner_id = c.partner_id) known)
      and u.id <> all (p_new)
    order by u.id for no key update;
  for i in 1 .. cardinality(p_partners) loop
    continue when p_link_ids[i] = any (p_new);
    select p.status as partner_status, u.id, u.partner_key, u.status, u.registered_at, u.details_hash
      into strict v_link
      from partner p
      left join partner_user u on u.partner_id = p.id and u.member_id = p_members[i]
     where p.id = p_partners[i];
    if v_link.partner_status <> 'active' then
      outcomes[i] := 'partner_suspended';
    elsif v_link.id is null then
      outcomes[i] := 'key_taken';
    elsif v_link.status <> 'active' then
      outcomes[i] := 'user_suspended';
    elsif p_custom[i] and v_link.partner_key <> p_partner_keys[i] then
      outcomes[i] := 'other_key';
    elsif v_link.details_hash not in (p_details_hashes[i], coalesce(p_old_details_hashes[i], p_details_hashes[i])) then
      outcomes[i] := case when v_link.id = p_link_ids[i] then 'known' else 'reseal' end;
      v_others := v_others or v_link.id = p_link_ids[i];
    else
      outcomes[i] := 'known';
    end if;
    links[i] := v_link.id;
    partner_keys[i] := v_link.partner_key;
    since[i] := v_link.registered_at;
  end loop;

  -- A trace number that was told of the same link before is kept once.
  if p_trace_ids is not null then
    select array_agg(coalesce(kept.id, c.id) order by c.i) into traces
      from unnest(outcomes, links, p_trace_ids, p_trace_hashes, p_old_trace_hashes) with ordinality
           as c (o, link_id, id, hash, old_hash, i)
      left join lateral (select t.id from signup_trace t
                          where c.o = 'known' and t.partner_user_id = c.link_id
                            and t.hash in (c.hash, coalesce(c.old_hash, c.hash)) limit 1) kept on true;
  end if;
  if v_others then
    changed := renew_details(p_now, p_key, outcomes, links, traces, p_link_ids, p_details, p_details_hashes,
                             p_old_details_hashes, p_actors);
  end if;
end $$;
