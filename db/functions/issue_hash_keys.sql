-- A batch of hash keys; each lives for one hour from its own issuance, by this clock.
create or replace function issue_hash_keys(p_partners integer[], p_partner_keys text[], p_hashes bytea[])
returns table (outcome text, expires_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_now       timestamptz := service_now();
  v_outcomes  text[];
  v_links     uuid[];
begin
  select array_agg(case when u.id is null then 'not_found'
                        when p.status <> 'active' then 'partner_suspended'
                        when u.status <> 'active' then 'user_suspended'
                        else 'issued' end order by c.i),
         array_agg(u.id order by c.i)
    into v_outcomes, v_links
    from unnest(p_partners, p_partner_keys) with ordinality as c (partner_id, partner_key, i)
    join partner p on p.id = c.partner_id
    left join lateral (select id, status from partner_user
                        where partner_id = c.partner_id and partner_key = c.partner_key) u on true;
  insert into hash_key (hash, partner_user_id, issued_at, expires_at)
  select c.hash, c.link_id, v_now, v_now + interval '1 hour'
    from unnest(v_outcomes, v_links, p_hashes) as c (o, link_id, hash) where c.o = 'issued';
  return query select c.o, v_now + interval '1 hour' from unnest(v_outcomes) with ordinality as c (o, i) order by c.i;
end $$;
