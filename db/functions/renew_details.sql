-- A step of sign_up_partner_users: details of known people that are others now, where they were sealed for the link that is
-- there. Returns how many changed.
create or replace function renew_details(
  p_now timestamptz, p_key text, p_outcomes text[], p_links uuid[], p_traces uuid[], p_link_ids uuid[], p_details bytea[],
  p_details_hashes bytea[], p_old_details_hashes bytea[], p_actors text[]
) returns integer language plpgsql as $$
declare
  v_changed integer;
begin
  -- What was told before stays, as it was sealed.
  insert into former_details (partner_user_id, details, told_at, replaced_at, replaced_by)
  select u.id, u.details, u.details_at, p_now, c.actor
    from unnest(p_outcomes, p_links, p_link_ids, p_details_hashes, p_old_details_hashes, p_actors)
         as c (o, link_id, sealed_for, details_hash, old_details_hash, actor)
   cross join lateral (select k.id, k.details, k.details_at, k.details_hash from partner_user k
                        where k.id = c.link_id limit 1) u
   where c.o = 'known' and c.sealed_for = c.link_id
     and u.details_hash not in (c.details_hash, coalesce(c.old_details_hash, c.details_hash));
  update partner_user u
     set details = c.details, details_hash = c.details_hash, details_at = p_now,
         index_key = p_key
    from unnest(p_outcomes, p_links, p_link_ids, p_details, p_details_hashes, p_old_details_hashes)
         as c (o, link_id, sealed_for, details, details_hash, old_details_hash)
   where c.o = 'known' and c.sealed_for = c.link_id and u.id = c.link_id
     and u.details_hash not in (c.details_hash, coalesce(c.old_details_hash, c.details_hash));
  get diagnostics v_changed = row_count;
  if v_changed > 0 then
    insert into audit_entry (at, actor, action, subject, details)
    select p_now, c.actor, 'user.details', c.link_id::text, jsonb_strip_nulls(jsonb_build_object('traceId', c.trace_id))
      from unnest(p_outcomes, p_links, p_link_ids, p_actors, p_traces) as c (o, link_id, sealed_for, actor, trace_id)
      join partner_user u on u.id = c.link_id and u.details_at = p_now
     where c.o = 'known' and c.sealed_for = c.link_id;
  end if;
  return v_changed;
end $$;
