-- A batch of purchases of one partner, in order of arrival, in one round trip and one transaction. No idempotency key comes
-- twice in a batch: the flow keeps them apart. Nothing is written under keys that are no longer in force (`stale_keys`).
-- A caller that names no epoch is of an old release, and is served until the keys first change.
-- VOLATILE on purpose: each statement sees the rows that others committed while it waited for a lock. Generic plans, because
-- planning anew would take a quarter of its time.
-- The reference model is `decidePurchases`; a property test compares the two.
create or replace function buy_gift_cards(
  p_partner integer, p_gift_ids uuid[], p_tx_ids uuid[], p_numbers bigint[], p_amounts bigint[],
  p_api_keys text[], p_index_key text, p_recipients bytea[], p_recipient_indexes bytea[],
  p_pins bytea[], p_pin_indexes bytea[], p_key_hashes bytea[], p_request_hashes bytea[],
  p_epoch integer default null
) returns table (outcome text, gift_id uuid, tx_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_now         timestamptz;
  v_today       date;
  v_status      text;
  v_min         bigint;
  v_max         bigint;
  v_months      integer;
  v_receivable  bigint;
  v_outstanding bigint;
  v_credit      bigint := 0;
  v_count       integer := cardinality(p_gift_ids);
  v_keys        integer;  -- commands with an idempotency key
  v_kept        integer := 0;  -- of these, keys that were there before
  v_outside     integer;  -- commands with an amount out of bounds
  v_wanted      bigint;  -- won of the commands that credit decides on
  v_outcomes    text[];
  v_gift_ids    uuid[] := p_gift_ids;
  v_tx_ids      uuid[] := p_tx_ids;
  v_known       record;
  v_epoch       integer;
begin
  perform pg_advisory_xact_lock_shared(key_lock());
  select i.key_epoch, now() + i.clock_offset, p.status, p.amount_min, p.amount_max, p.validity_months, r.id, o.id
    into strict v_epoch, v_now, v_status, v_min, v_max, v_months, v_receivable, v_outstanding
    from installation i, partner p, account r, account o
   where p.id = p_partner and o.id = outstanding_account()
     and r.partner_id = p_partner and r.kind = 'partner_receivable' and r.asset = 'KRW_POINT';
  if p_epoch is null and v_epoch > 1 then
    raise exception 'this release knows nothing of the keys in force' using errcode = 'cannot_connect_now';
  end if;
  if p_epoch <> v_epoch then
    return query select 'stale_keys', null::uuid, null::uuid from generate_series(1, v_count);
    return;
  end if;
  v_today := seoul_date(v_now);
  if v_status <> 'active' then
    return query select 'partner_suspended', null::uuid, null::uuid from generate_series(1, v_count);
    return;
  end if;
  select sum(c.amount), count(*) filter (where c.amount not between v_min and v_max), count(c.key_hash)
    into v_wanted, v_outside, v_keys
    from unnest(p_amounts, p_key_hashes) as c (amount, key_hash);

  -- Idempotency first: an answer once given stands, whatever the limits are today. Sorted, so that two
  -- batches with the same keys wait in the same order. A key older than 30 days is free again.
  if v_keys > 0 then
    with fresh as (
      insert into idempotency_key as k
             (partner_id, operation, key_hash, request_hash, card_id, tx_id, created_at)
      select p_partner, 'buy', c.key_hash, c.request_hash, c.gift_id, c.tx_id, v_now
        from unnest(p_key_hashes, p_request_hashes, p_gift_ids, p_tx_ids)
             as c (key_hash, request_hash, gift_id, tx_id)
       where c.key_hash is not null
       order by c.key_hash
      on conflict (partner_id, operation, key_hash) do update
         set request_hash = excluded.request_hash, card_id = excluded.card_id, tx_id = excluded.tx_id,
             created_at = excluded.created_at
       where k.created_at < v_now - interval '30 days'
      returning 1)
    select v_keys - count(*) into v_kept from fresh;
  end if;

  -- The usual batch has nothing to settle one by one. The keys are looked up one at a time on purpose: joined,
  -- the planner would read all keys the partner ever used.
  if v_kept > 0 or v_outside > 0 then
    v_outcomes := array_fill(null::text, array[v_count]);
    for i in 1 .. v_count loop
      if p_key_hashes[i] is not null then
        select k.request_hash, k.card_id, k.tx_id into strict v_known from idempotency_key k
         where k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
        if v_known.card_id <> p_gift_ids[i] then
          v_outcomes[i] := case when v_known.request_hash = p_request_hashes[i] then 'replayed' else 'key_reused' end;
          v_gift_ids[i] := v_known.card_id;
          v_tx_ids[i] := v_known.tx_id;
        end if;
      end if;
      if v_outcomes[i] is null and p_amounts[i] not between v_min and v_max then
        v_outcomes[i] := 'amount_out_of_bounds';
      end if;
      if v_outcomes[i] is not null then
        v_wanted := v_wanted - p_amounts[i];
      end if;
    end loop;
  end if;

  if v_wanted > 0 then
    perform 1 from account where id in (v_receivable, v_outstanding) order by id for no key update;
    select balance - floor into strict v_credit from account where id = v_receivable;
  end if;

  -- Credit in order of arrival: one that does not fit leaves room for a smaller one behind it.
  if v_outcomes is not null or v_wanted > v_credit then
    v_outcomes := coalesce(v_outcomes, array_fill(null::text, array[v_count]));
    v_wanted := 0;
    for i in 1 .. v_count loop
      if v_outcomes[i] is null then
        if p_amounts[i] <= v_credit then
          v_credit := v_credit - p_amounts[i];
          v_wanted := v_wanted + p_amounts[i];
          v_outcomes[i] := 'issued';
        else
          v_outcomes[i] := 'credit_limit';
        end if;
      end if;
      -- Only successes are kept: a refusal leaves its key free.
      if v_outcomes[i] in ('credit_limit', 'amount_out_of_bounds') and p_key_hashes[i] is not null then
        delete from idempotency_key k
         where k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
      end if;
    end loop;
    -- From here on, only those that are bought.
    select array_agg(c.gift_id order by i), array_agg(c.tx_id order by i), array_agg(c.number order by i),
           array_agg(c.amount order by i), array_agg(c.api_key order by i), array_agg(c.recipient order by i),
           array_agg(c.recipient_index order by i), array_agg(c.pin order by i), array_agg(c.pin_index order by i)
      into p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
           p_recipient_indexes, p_pins, p_pin_indexes
      from unnest(v_outcomes, p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
                  p_recipient_indexes, p_pins, p_pin_indexes) with ordinality
           as c (o, gift_id, tx_id, number, amount, api_key, recipient, recipient_index, pin, pin_index, i)
     where c.o = 'issued';
  end if;

  if v_wanted > 0 then
    insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, issued_at, issued_on, expires_on,
                           index_key, recipient, recipient_index, pin, pin_index)
    select c.gift_id, c.tx_id, c.number, p_partner, c.api_key, c.amount, v_now, v_today,
           (v_today + make_interval(months => v_months))::date,
           p_index_key, c.recipient, c.recipient_index, c.pin, c.pin_index
      from unnest(p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
                  p_recipient_indexes, p_pins, p_pin_indexes)
           as c (gift_id, tx_id, number, amount, api_key, recipient, recipient_index, pin, pin_index);
    perform post_transfers('issue', v_now, p_tx_ids, p_gift_ids,
                           array_fill(v_receivable, array[cardinality(p_gift_ids)]),
                           array_fill(v_outstanding, array[cardinality(p_gift_ids)]), p_amounts);
    perform add_usage(p_partner, v_today, v_wanted, 0, 0);
    insert into delivery (card_id, channel, created_at)
    select card_id, channel, v_now
      from unnest(p_gift_ids) as card_id cross join unnest(array['alimtalk', 'text']) as channel;
  elsif v_kept > 0 then
    -- A replay acknowledges an earlier commit. Writing something of its own makes it wait for replication
    -- as that commit did, so it never vouches for a row that a failover may still lose.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;

  return query
    select coalesce(c.o, 'issued'), c.gift_id, c.tx_id
      from unnest(v_gift_ids, v_tx_ids, v_outcomes) with ordinality as c (gift_id, tx_id, o, i)
     order by c.i;
end $$;
