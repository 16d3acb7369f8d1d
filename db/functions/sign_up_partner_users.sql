-- A batch of signups in one round trip and one transaction; each gets its outcome. No person comes twice in a batch: the flow
-- keeps them apart. p_details[i] is sealed for the row p_link_ids[i]: a new one or, after the outcome `reseal`, the one that is
-- there. p_terms_of is the position of the command that a consent belongs to. A caller of an old release sends
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
  v_since      timestamptz[];
  v_traces     uuid[] := p_trace_ids;
  v_changed    integer := 0;
  v_told       integer;
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
    select v_index_key, c.hash, c.member_id from unnest(p_ci_hashes, p_member_ids) as c (hash, member_id) order by c.hash
    on conflict do nothing returning member_id)
  select coalesce(array_agg(member_id), '{}') into v_fresh from fresh;
  v_members := case when cardinality(v_fresh) = v_count then p_member_ids else find_members(v_index_key, p_ci_hashes) end;
  v_new := add_partner_users(v_now, coalesce(v_next_key, v_index_key), v_sandbox, v_fresh, v_members, p_link_ids, p_partners,
                             p_partner_keys, p_registered_by, p_details, p_details_hashes);
  -- The usual batch is people who are all new.
  if cardinality(v_new) < v_count then
    select k.outcomes, k.links, k.partner_keys, k.since, k.traces, k.changed
      into v_outcomes, v_links, p_partner_keys, v_since, v_traces, v_changed
      from settle_known_users(v_now, coalesce(v_next_key, v_index_key), v_new, v_members, p_link_ids, p_partners, p_partner_keys,
                              p_custom, p_details, p_details_hashes, p_old_details_hashes, p_actors, p_trace_ids,
                              p_trace_hashes, p_old_trace_hashes, v_outcomes, v_since) k;
    -- Nothing stays of a person whose signup was refused.
    delete from member_ci
     where key_id = v_index_key
       and hmac in (select c.hash from unnest(p_ci_hashes, v_members, v_outcomes) as c (hash, member_id, o)
                     where c.member_id = any (v_fresh) group by c.hash having bool_and(c.o <> 'new'));
  end if;
  v_told := write_signups(v_now, v_index_key, v_next_key, v_outcomes, v_links, v_traces, v_members, v_fresh, p_cis,
                          p_next_ci_hashes, p_actors, p_trace_ids, p_traces, p_trace_hashes, p_terms_of, p_terms_ids,
                          p_terms_agreed);
  if cardinality(v_new) + v_changed + v_told = 0 then
    -- Someone known, told again: as with a purchase that is replayed, the answer waits for replication.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;
  return query
    select c.o, c.link_id, c.partner_key, c.since, c.trace_id
      from unnest(v_outcomes, v_links, p_partner_keys, v_since, v_traces) with ordinality
           as c (o, link_id, partner_key, since, trace_id, i) order by c.i;
end $$;
