-- A batch of purchases of one partner, in order of arrival, in one round trip and one transaction. No idempotency key comes
-- twice in a batch: the flow keeps them apart. Nothing is written under keys that are no longer in force (`stale_keys`).
-- A caller that names no epoch is of an old release, and is served until the keys first change.
-- VOLATILE on purpose: each statement sees the rows that others committed while it waited for a lock. Generic plans, because
-- planning anew would take a quarter of its time.
-- The reference model is `decidePurchases`; a property test compares the two.
-- Locks: idempotency keys in order, then the accounts in id order, then the day's usage.
create or replace function buy_gift_cards(
  p_partner integer, p_gift_ids uuid[], p_tx_ids uuid[], p_numbers bigint[], p_amounts bigint[],
  p_api_keys text[], p_index_key text, p_recipients bytea[], p_recipient_indexes bytea[],
  p_pins bytea[], p_pin_indexes bytea[], p_key_hashes bytea[], p_request_hashes bytea[],
  p_epoch integer default null
) returns table (outcome text, gift_id uuid, tx_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_now          timestamptz;
  v_epoch        integer;
  v_status       text;
  v_min          bigint;
  v_max          bigint;
  v_months       integer;
  v_receivable   bigint;
  v_outstanding  bigint;
  v_credit       bigint := 0;
  v_keys         integer;  -- commands with an idempotency key
  v_kept         integer := 0;  -- of these, keys that were there before
  v_outside      integer;  -- commands with an amount out of bounds
  v_wanted       bigint;  -- won of the commands that credit decides on
  v_outcomes     text[];  -- null while every command is bought
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
  if p_epoch <> v_epoch or v_status <> 'active' then
    return query select case when p_epoch <> v_epoch then 'stale_keys' else 'partner_suspended' end, null::uuid, null::uuid
                   from unnest(p_gift_ids);
    return;
  end if;
  select sum(c.amount), count(*) filter (where c.amount not between v_min and v_max), count(c.key_hash)
    into v_wanted, v_outside, v_keys
    from unnest(p_amounts, p_key_hashes) as c (amount, key_hash);
  -- Idempotency first: a repeated request gets its first answer, even if the limits have changed.
  if v_keys > 0 then
    v_kept := v_keys - keep_purchase_keys(p_partner, v_now, p_key_hashes, p_request_hashes, p_gift_ids, p_tx_ids);
  end if;
  -- The usual batch has nothing to settle one by one.
  if v_kept > 0 or v_outside > 0 then
    select s.outcomes, s.gift_ids, s.tx_ids, s.wanted into v_outcomes, p_gift_ids, p_tx_ids, v_wanted
      from settle_known_purchases(p_partner, p_gift_ids, p_tx_ids, p_amounts, p_key_hashes, p_request_hashes, v_min, v_max) s;
  end if;
  if v_wanted > 0 then
    perform 1 from account where id in (v_receivable, v_outstanding) order by id for no key update;
    select balance - floor into strict v_credit from account where id = v_receivable;
  end if;
  if v_outcomes is not null or v_wanted > v_credit then
    v_outcomes := allot_credit(p_partner, v_credit, p_amounts, p_key_hashes, v_outcomes);
  end if;
  if v_wanted > 0 and (v_outcomes is null or 'issued' = any (v_outcomes)) then
    perform issue_gift_cards(p_partner, v_now, v_months, v_receivable, v_outstanding, v_wanted, v_outcomes, p_gift_ids,
                             p_tx_ids, p_numbers, p_amounts, p_api_keys, p_index_key, p_recipients, p_recipient_indexes,
                             p_pins, p_pin_indexes);
  elsif v_kept > 0 then
    -- A replay acknowledges an earlier commit. Writing something of its own makes it wait for replication
    -- as that commit did, so it never vouches for a row that a failover may still lose.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;
  return query
    select coalesce(c.o, 'issued'), c.gift_id, c.tx_id
      from unnest(p_gift_ids, p_tx_ids, v_outcomes) with ordinality as c (gift_id, tx_id, o, i) order by c.i;
end $$;
