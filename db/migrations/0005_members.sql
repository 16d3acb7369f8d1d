-- People: who they are, which partners know them and under which key, what they agreed to, what they hold.

-- A member is a person, known by CI. Everything else about a person stands on the link to the partner that told it.
create table member (
  id          uuid primary key,
  ci          bytea not null, -- sealed
  created_at  timestamptz not null
);
create trigger member_stays before delete on member for each row execute function refuse_change();
create trigger member_stays_whole before truncate on member execute function refuse_change();

-- How a person is found: one row per index key in force, two while a rotation runs.
create table member_ci (
  key_id     text not null,
  hmac       bytea not null check (length(hmac) = 32),
  member_id  uuid not null,
  primary key (key_id, hmac)
);

-- The link partner + partner key → member. An unconfirmed link (the member was there before, and has not
-- verified that this is wanted) has accounts of its own and sees no others.
create table partner_user (
  id             uuid primary key,
  partner_id     integer not null,
  partner_key    text not null check (length(partner_key) between 1 and 128),
  member_id      uuid not null,
  status         text not null default 'active' check (status in ('active', 'suspended')),
  confirmed      boolean not null,
  registered_at  timestamptz not null,
  registered_by  text not null, -- the API key's id, or `network`
  -- Hash keys and web view sessions of an earlier moment open nothing.
  logins_after   timestamptz not null,
  -- Name, birthday, nationality, mobile number and gender: sealed, and a keyed hash that tells whether they changed.
  details        bytea not null,
  details_hash   bytea not null check (length(details_hash) = 32),
  index_key      text not null,
  details_at     timestamptz not null,
  unique (partner_id, partner_key),
  unique (member_id, partner_id)
);
create trigger partner_user_stays before delete on partner_user for each row execute function refuse_change();
create trigger partner_user_stays_whole before truncate on partner_user execute function refuse_change();

-- What a person agreed to through a partner, and when: the newest row of a terms id counts.
create table consent (
  id               bigint generated always as identity primary key,
  partner_user_id  uuid not null,
  terms_id         text not null check (length(terms_id) between 1 and 64),
  agreed           boolean not null,
  at               timestamptz not null
);
create index consent_of_user on consent (partner_user_id, terms_id, id);
create trigger consent_is_final before update or delete on consent for each row execute function refuse_change();
create trigger consent_is_final_whole before truncate on consent execute function refuse_change();

-- What people hold. An account is opened when something first comes in; its holder is the member, or a link that
-- the member has not confirmed. Sandbox grants are play money and have a source of their own.
alter table account
  add column holder_id  uuid,
  drop constraint account_kind_check,
  add constraint account_kind_check
    check (kind in ('partner_receivable', 'outstanding_cards', 'holding', 'sandbox_grants')),
  add constraint account_holder_check check ((kind = 'holding') = (holder_id is not null)),
  add constraint account_holding_floor_check check (kind <> 'holding' or floor is not distinct from 0);
create unique index account_of_holder on account (holder_id, asset) where holder_id is not null;
drop index account_of_house;
-- In words that `kind = 'outstanding_cards'` implies: whoever looks for a house account finds it by this index,
-- however many people hold something.
create unique index account_of_house on account (kind, asset, shard)
  where partner_id is null and kind <> 'holding';
insert into account (kind, asset)
  select 'sandbox_grants', asset from unnest(array['KRW_POINT', 'KRW', 'XAU', 'XAG']) asset;
alter table transfer
  drop constraint transfer_kind_check,
  add constraint transfer_kind_check check (kind in ('issue', 'void', 'grant')) not valid;

-- What a gram costs. The newest row of a metal counts.
create table metal_price (
  metal         text not null check (metal in ('XAU', 'XAG')),
  at            timestamptz not null,
  won_per_gram  bigint not null check (won_per_gram > 0),
  source        text not null,
  primary key (metal, at)
);
-- Until there is a feed, a sandbox has a price that does not move. Live has none: nothing is valued by a guess.
insert into metal_price (metal, at, won_per_gram, source)
  select metal, service_now(), won_per_gram, 'seed'
    from installation, (values ('XAU', 198500), ('XAG', 2480)) as seed (metal, won_per_gram)
   where mode = 'sandbox';

-- A batch of signups in one round trip and one transaction; each gets its outcome. No person comes twice in a
-- batch (the flow keeps them apart). p_link_ids[i] is the row that p_details[i] is sealed for: a new one, or, after
-- the answer `reseal`, the one that is there. p_terms_of numbers the command that a consent belongs to.
-- src/modules/members/rules.ts is the reference model; a property test holds the two together.
create function sign_up_partner_users(
  p_epoch integer, p_partners integer[], p_partner_keys text[], p_custom boolean[], p_link_ids uuid[],
  p_member_ids uuid[], p_cis bytea[], p_ci_hashes bytea[], p_next_ci_hashes bytea[],
  p_details bytea[], p_details_hashes bytea[], p_old_details_hashes bytea[], p_registered_by text[],
  p_actors text[], p_terms_of integer[], p_terms_ids text[], p_terms_agreed boolean[]
) returns table (outcome text, link_id uuid, partner_key text, registered_at timestamptz)
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
  v_link       record;
  v_written    integer;
  v_changed    integer;
begin
  perform pg_advisory_xact_lock_shared(4857102);
  select now() + i.clock_offset, i.key_epoch, i.mode = 'sandbox', i.index_key, i.next_index_key
    into strict v_now, v_epoch, v_sandbox, v_index_key, v_next_key from installation i;
  if p_epoch <> v_epoch then
    return query select 'stale_keys', null::uuid, null::text, null::timestamptz from generate_series(1, v_count);
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

    update partner_user u
       set details = c.details, details_hash = c.details_hash, details_at = v_now,
           index_key = coalesce(v_next_key, v_index_key)
      from unnest(v_outcomes, v_links, p_link_ids, p_details, p_details_hashes, p_old_details_hashes)
           as c (o, link_id, sealed_for, details, details_hash, old_details_hash)
     where c.o = 'known' and c.sealed_for = c.link_id and u.id = c.link_id
       and u.details_hash not in (c.details_hash, coalesce(c.old_details_hash, c.details_hash));
    get diagnostics v_changed = row_count;
    if v_changed > 0 then
      insert into audit_entry (at, actor, action, subject)
      select v_now, c.actor, 'user.details', c.link_id::text
        from unnest(v_outcomes, v_links, p_link_ids, p_actors) as c (o, link_id, sealed_for, actor)
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
  insert into audit_entry (at, actor, action, subject)
  select v_now, c.actor, 'user.signup', c.link_id::text
    from unnest(v_outcomes, v_links, p_actors) as c (o, link_id, actor)
   where c.o = 'new';

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
    select c.o, c.link_id, c.partner_key, c.since
      from unnest(v_outcomes, v_links, v_keys, v_since) with ordinality as c (o, link_id, partner_key, since, i)
     order by c.i;
end $$;
