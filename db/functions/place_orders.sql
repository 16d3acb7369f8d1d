-- A batch of orders in one round trip and one transaction. Outcomes come in the order of the batch: placed, again (the
-- same quote by the same holder, so the same order), not_found (also another holder's quote), expired, insufficient.
-- The flow never puts a holder or a quote into a batch twice. Locks: quotes in id order, then accounts in id order.
-- VOLATILE on purpose: what decides is read by a statement that begins after the locks were had. Limits and offsets in the
-- laterals keep them probes of an index: joined, the planner would read all orders there ever were.
-- The reference model is `decideOrder`; a property test compares the two.
create or replace function place_orders(p_quotes uuid[], p_holders uuid[], p_orders uuid[])
returns table (outcome text, order_id uuid, side text, metal text, units bigint, reference bigint, price bigint,
               spread_bps integer, fee_bps integer, metal_won bigint, fee bigint, total bigint,
               from_points bigint, from_deposit bigint, at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan set enable_mergejoin = off set enable_hashjoin = off as $$
#variable_conflict use_column
declare
  v_now      timestamptz := service_now();
  v_stopped  text[];   -- metals whose trading the operator has stopped, also for quotes made before
  v_live     uuid[];   -- holders whose quote can still be taken
  v_house    bigint[];
  v_placed   integer := 0;
begin
  perform 1 from trade_quote q where q.id = any (p_quotes) order by q.id for update;
  select coalesce(array_agg(m.metal), '{}') into v_stopped
    from unnest(array['XAU', 'XAG']) as m (metal)
   cross join lateral current_terms(m.metal) t
   where t.stopped;

  select array_agg(c.holder) into v_live
    from unnest(p_quotes, p_holders) as c (quote, holder)
   cross join lateral (select from trade_quote q
                        where q.id = c.quote and q.holder_id = c.holder and q.expires_at > v_now and q.metal <> all (v_stopped) limit 1) q
    left join lateral (select o.id from trade_order o where o.quote_id = c.quote limit 1) o on true
   where o.id is null;

  if v_live is not null then
    v_house := open_order_accounts(v_live, p_quotes, p_holders);
    v_placed := write_orders(v_now, v_live, v_stopped, p_quotes, p_holders, p_orders);
  end if;
  if v_placed > 0 then
    perform post_orders(v_now, v_house, p_orders);
  end if;

  return query
    select case when o.id = c.order_id then 'placed' when o.id is not null then 'again'
                when q.id is null then 'not_found' when q.expires_at <= v_now or q.metal = any (v_stopped) then 'expired'
                else 'insufficient' end,
           o.id, o.side, o.metal, o.units, o.reference, o.price, o.spread_bps, o.fee_bps, o.metal_won, o.fee,
           o.total, o.from_points, o.from_deposit, o.at
      from unnest(p_quotes, p_holders, p_orders) with ordinality as c (quote, holder, order_id, i)
      left join lateral (select * from (select * from trade_order o where o.quote_id = c.quote limit 1) o
                          where o.holder_id = c.holder) o on true
      left join lateral (select * from trade_quote q where q.id = c.quote and q.holder_id = c.holder limit 1)
             q on true
     order by c.i;
  -- As with purchases: an answer that vouches for an earlier commit waits for replication as that did.
  if v_placed = 0 and (select count(o.id) from unnest(p_quotes) as c (quote)
                        cross join lateral (select o.id from trade_order o where o.quote_id = c.quote limit 1) o) > 0 then
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;
end $$;
