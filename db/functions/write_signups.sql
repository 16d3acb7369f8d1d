-- A step of sign_up_partner_users: new members, their index under the next key, the audit entries of new links, trace numbers
-- and consents. Returns how many trace numbers and consents were new.
create or replace function write_signups(
  p_now timestamptz, p_index_key text, p_next_key text, p_outcomes text[], p_links uuid[], p_kept_traces uuid[],
  p_members uuid[], p_fresh uuid[], p_cis bytea[], p_next_ci_hashes bytea[], p_actors text[], p_trace_ids uuid[],
  p_traces bytea[], p_trace_hashes bytea[], p_terms_of integer[], p_terms_ids text[], p_terms_agreed boolean[]
) returns integer language plpgsql as $$
#variable_conflict use_column
declare
  v_traces  integer;
  v_told    integer;
begin
  insert into member (id, ci, created_at)
  select c.member_id, c.ci, p_now from unnest(p_members, p_cis, p_outcomes) as c (member_id, ci, o)
   where c.member_id = any (p_fresh) and c.o = 'new';
  if p_next_key is not null then
    insert into member_ci (key_id, hmac, member_id)
    select p_next_key, c.hash, c.member_id
      from unnest(p_next_ci_hashes, p_members, p_outcomes) as c (hash, member_id, o)
     where c.o in ('new', 'known')
     order by c.hash
    on conflict do nothing;
  end if;
  insert into audit_entry (at, actor, action, subject, details)
  select p_now, c.actor, 'user.signup', c.link_id::text, jsonb_strip_nulls(jsonb_build_object('traceId', c.trace_id))
    from unnest(p_outcomes, p_links, p_actors, p_kept_traces) as c (o, link_id, actor, trace_id)
   where c.o = 'new';
  insert into signup_trace (id, partner_user_id, trace_no, hash, index_key, at)
  select c.id, c.link_id, c.trace, c.hash, coalesce(p_next_key, p_index_key), p_now
    from unnest(p_outcomes, p_links, p_trace_ids, p_kept_traces, p_traces, p_trace_hashes)
         as c (o, link_id, id, kept, trace, hash)
   where c.o in ('new', 'known') and c.kept = c.id
  on conflict (id) do nothing;
  get diagnostics v_traces = row_count;

  -- Consents that say something new: all of a new link's. Of someone known, the audit log says who told them.
  with told as (
    insert into consent (partner_user_id, terms_id, agreed, at)
    select p_links[t.i], t.terms_id, t.agreed, p_now
      from unnest(p_terms_of, p_terms_ids, p_terms_agreed) as t (i, terms_id, agreed)
      left join lateral (select agreed from consent
                          where p_outcomes[t.i] = 'known' and partner_user_id = p_links[t.i] and terms_id = t.terms_id
                          order by id desc limit 1) last on true
     where p_outcomes[t.i] in ('new', 'known') and last.agreed is distinct from t.agreed
    returning partner_user_id, terms_id, agreed),
  audited as (
    insert into audit_entry (at, actor, action, subject, details)
    select p_now, c.actor, 'user.consent', c.link_id::text,
           jsonb_object_agg(told.terms_id, case when told.agreed then 'Y' else 'N' end)
      from told
      join unnest(p_outcomes, p_links, p_actors) as c (o, link_id, actor)
        on c.link_id = told.partner_user_id and c.o = 'known'
     group by c.actor, c.link_id)
  select count(*) into v_told from told;
  return v_traces + v_told;
end $$;
