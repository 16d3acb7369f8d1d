-- A batch of purchases, in order of arrival, in one round trip and one transaction. p_partners has each partner of the batch once,
-- and p_buyers[i] is the place there of the one that buys card i. No partner's idempotency key comes twice in a batch: the flow keeps
-- them apart. Nothing is written under keys that are no longer in force (`stale_keys`).
-- Of several partners: p_lock_ms bounds each wait for what others hold, because the whole batch waits. With p_skip_held it does not wait
-- for partners' accounts: purchases of those that are held get the outcome `held`, and nothing of them is written.
-- Of one partner (p_lock_ms is null): it waits as long as any write, and for the partner's account before any other account.
-- VOLATILE on purpose: each statement sees the rows that others committed while it waited for a lock. Generic plans, because
-- planning anew would take a quarter of its time.
-- The reference model is `decidePurchases`; a property test compares the two.
-- Locks: idempotency keys in order, then the accounts in id order, then the day's usage in order of partners.
create or replace function write_purchases(
  p_epoch integer, p_lock_ms integer, p_skip_held boolean, p_index_key text, p_partners integer[], p_buyers integer[],
  p_gift_ids uuid[], p_tx_ids uuid[], p_numbers bigint[], p_amounts bigint[], p_api_keys text[], p_recipients bytea[],
  p_recipient_indexes bytea[], p_pins bytea[], p_pin_indexes bytea[], p_key_hashes bytea[], p_request_hashes bytea[]
) returns table (outcome text, gift_id uuid, tx_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan set enable_mergejoin = off set enable_hashjoin = off as $$
#variable_conflict use_column
declare
  v_now          timestamptz;
  v_epoch        integer;
  v_outstanding  bigint;
  -- By partner: its terms, the account of what it owes, and the won that it wants.
  v_active       boolean[];  v_mins  bigint[];  v_maxs  bigint[];  v_months  integer[];
  v_receivables  bigint[];
  v_wanted       bigint[];
  v_keys         integer;  -- commands of active partners with an idempotency key
  v_kept         integer := 0;  -- of these, keys that were there before
  v_special      boolean;  -- a partner is not active, or an amount out of bounds
  v_outcomes     text[];  -- null while every command is bought
begin
  if p_lock_ms is not null then
    perform set_config('lock_timeout', p_lock_ms::text, true);
  end if;
  perform pg_advisory_xact_lock_shared(key_lock());
  select i.key_epoch, now() + i.clock_offset, outstanding_account() into strict v_epoch, v_now, v_outstanding from installation i;
  if p_epoch <> v_epoch then
    return query select 'stale_keys', null::uuid, null::uuid from unnest(p_gift_ids);
    return;
  end if;
  select array_agg(p.status = 'active' order by u.i), array_agg(p.amount_min order by u.i), array_agg(p.amount_max order by u.i),
         array_agg(p.validity_months order by u.i), array_agg(r.id order by u.i)
    into v_active, v_mins, v_maxs, v_months, v_receivables
    from unnest(p_partners) with ordinality as u (id, i)
    join partner p on p.id = u.id
    join account r on r.partner_id = p.id and r.kind = 'partner_receivable' and r.asset = 'KRW_POINT';
  if cardinality(v_receivables) is distinct from cardinality(p_partners) then
    raise exception 'a partner is not there, or has no account' using errcode = 'foreign_key_violation';
  end if;
  select array_agg(c.won order by c.buyer), bool_or(not v_active[c.buyer] or c.least < v_mins[c.buyer] or c.most > v_maxs[c.buyer]),
         coalesce(sum(c.keys) filter (where v_active[c.buyer]), 0)
    into v_wanted, v_special, v_keys
    from (select buyer, sum(amount)::bigint as won, min(amount) as least, max(amount) as most, count(key_hash) as keys
            from unnest(p_buyers, p_amounts, p_key_hashes) as b (buyer, amount, key_hash) group by buyer) c;
  -- Idempotency first: a repeated request gets its first answer, even if the limits have changed.
  if v_keys > 0 then
    v_kept := v_keys - claim_purchase_keys(v_now, p_partners, p_buyers, v_active, p_key_hashes, p_request_hashes, p_gift_ids, p_tx_ids);
  end if;
  -- The usual batch has nothing to settle one by one.
  if v_kept > 0 or v_special then
    select s.outcomes, s.gift_ids, s.tx_ids, s.wanted into v_outcomes, p_gift_ids, p_tx_ids, v_wanted
      from find_known_purchases(p_partners, p_buyers, v_active, v_mins, v_maxs, p_gift_ids, p_tx_ids, p_amounts, p_key_hashes,
                                p_request_hashes) s;
  end if;
  if p_lock_ms is null and 0 < any (v_wanted) then
    perform await_accounts(v_receivables);
  end if;
  v_outcomes := allot_credits(p_partners, p_buyers, v_receivables, v_outstanding, v_wanted, p_skip_held, p_amounts, p_key_hashes,
                              v_outcomes);
  if v_outcomes is null or 'issued' = any (v_outcomes) then
    perform write_gift_cards(v_now, p_partners, p_buyers, v_months, v_receivables, v_outstanding, v_outcomes, p_gift_ids, p_tx_ids,
                             p_numbers, p_amounts, p_api_keys, p_index_key, p_recipients, p_recipient_indexes, p_pins, p_pin_indexes);
  elsif v_kept > 0 then
    -- A replay acknowledges an earlier commit. Writing something of its own makes it wait for replication
    -- as that commit did, so it never vouches for a row that a failover may still lose.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;
  return query
    select coalesce(c.o, 'issued'), c.gift_id, c.tx_id
      from unnest(p_gift_ids, p_tx_ids, v_outcomes) with ordinality as c (gift_id, tx_id, o, i) order by c.i;
end $$;
