-- A batch of signups in one round trip and one transaction; each gets its outcome. No person comes twice in a batch: the flow
-- keeps them apart. p_link_ids[i] is the row that p_details[i] is sealed for: a new one, or, after the outcome `reseal`, the
-- one that is there. p_terms_of is the position of the command that a consent belongs to. A caller of an old release sends
-- no trace numbers.
-- The reference model is `decideSignup`; a property test compares the two.
create or replace function sign_up_partner_users(
  p_epoch integer, p_partners integer[], p_partner_keys text[], p_custom boolean[], p_link_ids uuid[],
  p_member_ids uuid[], p_cis bytea[], p_ci_hashes bytea[], p_next_ci_hashes bytea[],
  p_details bytea[], p_details_hashes bytea[], p_old_details_hashes bytea[], p_registered_by text[],
  p_actors text[], p_terms_of integer[], p_terms_ids text[], p_terms_agreed boolean[],
  p_trace_ids uuid[] default null, p_traces bytea[] default null, p_trace_hashes bytea[] default null,
  p_old_trace_hashes bytea[] default null
) returns table (outcome text, link_id uuid, partner_key text, registered_at timestamptz, trace_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_now        timestamptz;
  v_epoch      integer;
  v_sandbox    boolean;
  v_index_key  text;
  v_next_key   text;
  v_count      integer := cardinality(p_partners);
  v_members    uuid[];
  v_fresh      uuid[];  -- members this batch is the first to know
  v_new        uuid[];  -- links this batch made
  v_outcomes   text[];
  v_links      uuid[] := p_link_ids;
  v_keys       text[] := p_partner_keys;
  v_since      timestamptz[];
  v_traces     uuid[] := p_trace_ids;
  v_link       record;
  v_written    integer;
  v_changed    integer;
begin
  perform pg_advisory_xact_lock_shared(key_lock());
  select now() + i.clock_offset, i.key_epoch, i.mode = 'sandbox', i.index_key, i.next_index_key
    into strict v_now, v_epoch, v_sandbox, v_index_key, v_next_key from installation i;
  if p_epoch <> v_epoch then
    return query select 'stale_keys', null::uuid, null::text, null::timestamptz, null::uuid from generate_series(1, v_count);
    return;
  end if;
  v_outcomes := array_fill('new'::text, array[v_count]);
  v_since := array_fill(v_now, array[v_count]);

  -- Who each one is. Sorted, so that two batches with the same people wait in the same order.
  with fresh as (
    insert into member_ci (key_id, hmac, member_id)
    select v_index_key, c.hash, c.member_id from unnest(p_ci_hashes, p_member_ids) as c (hash, member_id)
     order by c.hash
    on conflict do nothing
    returning member_id)
  select coalesce(array_agg(member_id), '{}') into v_fresh from fresh;
  if cardinality(v_fresh) = v_count then
    v_members := p_member_ids;
  else
    select array_agg(known.member_id order by c.i) into strict v_members
      from unnest(p_ci_hashes) with ordinality as c (hash, i)
      left join lateral (select member_id from member_ci where key_id = v_index_key and hmac = c.hash) known on true;
    if array_position(v_members, null) is not null then
      raise exception 'a person went while being looked at' using errcode = 'serialization_failure';
    end if;
  end if;

  -- A link per person and partner, and per partner and key: whoever comes second inserts nothing. In the order of
  -- the people, since a key that is issued here is another one in every batch.
  with made as (
    insert into partner_user (id, partner_id, partner_key, member_id, confirmed, registered_at, registered_by,
                              logins_after, details, details_hash, index_key, details_at)
    select c.link_id, c.partner_id, c.partner_key, c.member_id, v_sandbox or c.member_id = any (v_fresh), v_now,
           c.registered_by, v_now - interval '1 microsecond', c.details, c.details_hash,
           coalesce(v_next_key, v_index_key), v_now
      from unnest(p_link_ids, p_partners, p_partner_keys, v_members, p_registered_by, p_details, p_details_hashes)
           as c (link_id, partner_id, partner_key, member_id, registered_by, details, details_hash)
      join partner p on p.id = c.partner_id and p.status = 'active'
     order by c.partner_id, c.member_id
    on conflict do nothing
    returning id)
  select coalesce(array_agg(id), '{}') into v_new from made;
  v_written := cardinality(v_new);

  -- The usual batch is people who are all new. The others are looked at one by one, their links locked in order.
  if v_written < v_count then
    perform 1 from partner_user u
      where u.id in (select known.id
                       from unnest(v_members, p_partners) as c (member_id, partner_id)
                      cross join lateral (select k.id from partner_user k
                                           where k.member_id = c.member_id and k.partner_id = c.partner_id) known)
        and u.id <> all (v_new)
      order by u.id for no key update;
    for i in 1 .. v_count loop
      continue when p_link_ids[i] = any (v_new);
      select p.status as partner_status, u.id, u.partner_key, u.status, u.registered_at, u.details_hash
        into strict v_link
        from partner p
        left join partner_user u on u.partner_id = p.id and u.member_id = v_members[i]
       where p.id = p_partners[i];
      if v_link.partner_status <> 'active' then
        v_outcomes[i] := 'partner_suspended';
      elsif v_link.id is null then
        v_outcomes[i] := 'key_taken';
      elsif v_link.status <> 'active' then
        v_outcomes[i] := 'user_suspended';
      elsif p_custom[i] and v_link.partner_key <> p_partner_keys[i] then
        v_outcomes[i] := 'other_key';
      elsif v_link.details_hash not in (p_details_hashes[i], coalesce(p_old_details_hashes[i], p_details_hashes[i]))
            and v_link.id <> p_link_ids[i] then
        v_outcomes[i] := 'reseal';
      else
        v_outcomes[i] := 'known';
      end if;
      v_links[i] := v_link.id;
      v_keys[i] := v_link.partner_key;
      v_since[i] := v_link.registered_at;
    end loop;

    -- A trace number that was told of the same link before is kept once.
    if p_trace_ids is not null then
      select array_agg(coalesce(kept.id, c.id) order by c.i) into v_traces
        from unnest(v_outcomes, v_links, p_trace_ids, p_trace_hashes, p_old_trace_hashes) with ordinality
             as c (o, link_id, id, hash, old_hash, i)
        left join lateral (select t.id from signup_trace t
                            where c.o = 'known' and t.partner_user_id = c.link_id
                              and t.hash in (c.hash, coalesce(c.old_hash, c.hash)) limit 1) kept on true;
    end if;

    -- What was told before stays, as it was sealed.
    insert into former_details (partner_user_id, details, told_at, replaced_at, replaced_by)
    select u.id, u.details, u.details_at, v_now, c.actor
      from unnest(v_outcomes, v_links, p_link_ids, p_details_hashes, p_old_details_hashes, p_actors)
           as c (o, link_id, sealed_for, details_hash, old_details_hash, actor)
     cross join lateral (select k.id, k.details, k.details_at, k.details_hash from partner_user k
                          where k.id = c.link_id limit 1) u
     where c.o = 'known' and c.sealed_for = c.link_id
       and u.details_hash not in (c.details_hash, coalesce(c.old_details_hash, c.details_hash));
    update partner_user u
       set details = c.details, details_hash = c.details_hash, details_at = v_now,
           index_key = coalesce(v_next_key, v_index_key)
      from unnest(v_outcomes, v_links, p_link_ids, p_details, p_details_hashes, p_old_details_hashes)
           as c (o, link_id, sealed_for, details, details_hash, old_details_hash)
     where c.o = 'known' and c.sealed_for = c.link_id and u.id = c.link_id
       and u.details_hash not in (c.details_hash, coalesce(c.old_details_hash, c.details_hash));
    get diagnostics v_changed = row_count;
    if v_changed > 0 then
      insert into audit_entry (at, actor, action, subject, details)
      select v_now, c.actor, 'user.details', c.link_id::text, jsonb_strip_nulls(jsonb_build_object('traceId', c.trace_id))
        from unnest(v_outcomes, v_links, p_link_ids, p_actors, v_traces) as c (o, link_id, sealed_for, actor, trace_id)
        join partner_user u on u.id = c.link_id and u.details_at = v_now
       where c.o = 'known' and c.sealed_for = c.link_id;
      v_written := v_written + v_changed;
    end if;
    -- Nothing stays of a person whose signup was refused.
    delete from member_ci
     where key_id = v_index_key
       and hmac in (select c.hash from unnest(p_ci_hashes, v_members, v_outcomes) as c (hash, member_id, o)
                     where c.member_id = any (v_fresh)
                     group by c.hash having bool_and(c.o <> 'new'));
  end if;

  insert into member (id, ci, created_at)
  select c.member_id, c.ci, v_now from unnest(v_members, p_cis, v_outcomes) as c (member_id, ci, o)
   where c.member_id = any (v_fresh) and c.o = 'new';
  if v_next_key is not null then
    insert into member_ci (key_id, hmac, member_id)
    select v_next_key, c.hash, c.member_id
      from unnest(p_next_ci_hashes, v_members, v_outcomes) as c (hash, member_id, o)
     where c.o in ('new', 'known')
     order by c.hash
    on conflict do nothing;
  end if;
  insert into audit_entry (at, actor, action, subject, details)
  select v_now, c.actor, 'user.signup', c.link_id::text, jsonb_strip_nulls(jsonb_build_object('traceId', c.trace_id))
    from unnest(v_outcomes, v_links, p_actors, v_traces) as c (o, link_id, actor, trace_id)
   where c.o = 'new';
  insert into signup_trace (id, partner_user_id, trace_no, hash, index_key, at)
  select c.id, c.link_id, c.trace, c.hash, coalesce(v_next_key, v_index_key), v_now
    from unnest(v_outcomes, v_links, p_trace_ids, v_traces, p_traces, p_trace_hashes)
         as c (o, link_id, id, kept, trace, hash)
   where c.o in ('new', 'known') and c.kept = c.id
  on conflict (id) do nothing;
  get diagnostics v_changed = row_count;
  v_written := v_written + v_changed;

  -- Consents that say something new: all of a new link's. Of someone known, the audit log says who told them.
  with told as (
    insert into consent (partner_user_id, terms_id, agreed, at)
    select v_links[t.i], t.terms_id, t.agreed, v_now
      from unnest(p_terms_of, p_terms_ids, p_terms_agreed) as t (i, terms_id, agreed)
      left join lateral (select agreed from consent
                          where v_outcomes[t.i] = 'known' and partner_user_id = v_links[t.i] and terms_id = t.terms_id
                          order by id desc limit 1) last on true
     where v_outcomes[t.i] in ('new', 'known') and last.agreed is distinct from t.agreed
    returning partner_user_id, terms_id, agreed),
  audited as (
    insert into audit_entry (at, actor, action, subject, details)
    select v_now, c.actor, 'user.consent', c.link_id::text,
           jsonb_object_agg(told.terms_id, case when told.agreed then 'Y' else 'N' end)
      from told
      join unnest(v_outcomes, v_links, p_actors) as c (o, link_id, actor)
        on c.link_id = told.partner_user_id and c.o = 'known'
     group by c.actor, c.link_id)
  select count(*) into v_changed from told;

  if v_written + v_changed = 0 then
    -- Someone known, told again: as with a purchase that is replayed, the answer waits for replication.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;
  return query
    select c.o, c.link_id, c.partner_key, c.since, c.trace_id
      from unnest(v_outcomes, v_links, v_keys, v_since, v_traces) with ordinality
           as c (o, link_id, partner_key, since, trace_id, i)
     order by c.i;
end $$;
