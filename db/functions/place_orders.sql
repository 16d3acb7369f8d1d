-- A batch of orders in one round trip and one transaction, each with its outcome in order: placed, again (the same quote
-- by the same holder, so the same order), not_found (also of somebody else's quote), expired, insufficient. No holder and
-- no quote comes twice in a batch: the flow keeps them apart. Locks: quotes in id order, then accounts in id order.
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
  v_stopped  text[];   -- metals that the operator has stopped, whatever was quoted a moment before
  v_live     uuid[];   -- holders whose quote can still be taken
  v_house    bigint[];
  v_placed   integer := 0;
  v_groups   uuid[];
  v_debits   bigint[];
  v_credits  bigint[];
  v_amounts  bigint[];
  v_kind     text;
begin
  perform 1 from trade_quote q where q.id = any (p_quotes) order by q.id for update;
  select coalesce(array_agg(m.metal), '{}') into v_stopped
    from unnest(array['XAU', 'XAG']) as m (metal)
   cross join lateral (select t.stopped from trading_terms t where t.metal = m.metal order by t.id desc limit 1) t
   where t.stopped;

  select array_agg(c.holder) into v_live
    from unnest(p_quotes, p_holders) as c (quote, holder)
   cross join lateral (select from trade_quote q
                        where q.id = c.quote and q.holder_id = c.holder and q.expires_at > v_now and q.metal <> all (v_stopped) limit 1) q
    left join lateral (select o.id from trade_order o where o.quote_id = c.quote limit 1) o on true
   where o.id is null;

  if v_live is not null then
    -- What a purchase is put into, or a sale is paid into. Sorted, so that two batches wait in the same order.
    insert into account (kind, asset, floor, holder_id)
    select 'holding', c.asset, 0, c.holder
      from (select c.holder, case q.side when 'buy' then q.metal else 'KRW' end as asset
              from unnest(p_quotes, p_holders) as c (quote, holder)
             cross join lateral (select q.side, q.metal from trade_quote q where q.id = c.quote limit 1) q
             where c.holder = any (v_live)) c
     where not exists (select from account a where a.holder_id = c.holder and a.asset = c.asset)
     order by c.holder, c.asset
    on conflict do nothing;

    v_house := array[house_account('trading', 'KRW_POINT'), house_account('trading', 'KRW'),
                     house_account('trading', 'XAU'), house_account('trading', 'XAG')];
    perform 1 from account a
     where a.id = any (v_house || array(select h.id from unnest(v_live) as l (holder)
                                         cross join lateral (select a.id from account a
                                                              where a.holder_id = l.holder offset 0) h))
     order by a.id for no key update;

    -- Points first, then deposit. A sale takes along the share of what the metal had cost, all of it with the last unit.
    insert into trade_order (id, quote_id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps,
                             metal_won, fee, total, from_points, from_deposit, cost, at, price_at, price_source)
    select c.order_id, q.id, c.holder, q.side, q.metal, q.units, q.reference, q.price, q.spread_bps, q.fee_bps,
           q.metal_won, q.fee, q.total,
           case q.side when 'buy' then least(h.points, q.total) else 0 end,
           case q.side when 'buy' then q.total - least(h.points, q.total) else 0 end,
           case q.side when 'buy' then q.total
                       else ceil(h.cost::numeric * q.units / h.metal)::bigint end, v_now,
           coalesce(q.price_at, p.at), coalesce(q.price_source, p.source)
      from unnest(p_quotes, p_holders, p_orders) as c (quote, holder, order_id)
     cross join lateral (select q.* from trade_quote q
                          where q.id = c.quote and q.holder_id = c.holder and q.expires_at > v_now and q.metal <> all (v_stopped) limit 1) q
      -- A quote of the release before does not name its price: it is the newest of that moment.
      left join lateral (select m.at, m.source from metal_price m
                          where q.price_at is null and m.metal = q.metal and m.won_per_gram = q.reference
                            and m.at <= q.created_at and m.at > q.created_at - interval '2 days'
                          order by m.at desc limit 1) p on true
     cross join lateral (select coalesce(max(a.balance) filter (where a.asset = 'KRW_POINT'), 0) as points,
                                coalesce(max(a.balance) filter (where a.asset = 'KRW'), 0) as deposit,
                                coalesce(max(a.balance) filter (where a.asset = q.metal), 0) as metal,
                                coalesce(max(a.cost) filter (where a.asset = q.metal), 0) as cost
                           from account a where a.holder_id = c.holder) h
     where c.holder = any (v_live)
       and case q.side when 'buy' then h.points + h.deposit >= q.total else h.metal >= q.units end;
    get diagnostics v_placed = row_count;
  end if;

  if v_placed > 0 then
    foreach v_kind in array array['buy', 'sell'] loop
      select array_agg(t.group_id), array_agg(t.debit), array_agg(t.credit), array_agg(t.amount)
        into v_groups, v_debits, v_credits, v_amounts
        from (select o.id as group_id, leg.amount,
                     case when leg.out then mine.id else house.id end as debit,
                     case when leg.out then house.id else mine.id end as credit
                from unnest(p_orders) as c (order_id)
               cross join lateral (select o.* from trade_order o where o.id = c.order_id limit 1) o
               cross join lateral (values (1, 'KRW_POINT', v_house[1], o.from_points, true),
                                          (2, 'KRW', v_house[2], o.from_deposit, true),
                                          (3, o.metal, v_house[case o.metal when 'XAU' then 3 else 4 end],
                                           o.units, o.side = 'sell'),
                                          (4, 'KRW', v_house[2], case o.side when 'sell' then o.total else 0 end, false)
                                  ) as leg (i, asset, house, amount, out)
               cross join lateral (select leg.house as id) house
               cross join lateral (select a.id from account a
                                    where a.holder_id = o.holder_id and a.asset = leg.asset limit 1) mine
               where o.side = v_kind and leg.amount > 0
               order by o.id, leg.i) t;
      if v_groups is not null then
        perform post_transfers(v_kind, v_now, v_groups, array_fill(null::uuid, array[cardinality(v_groups)]),
                               v_debits, v_credits, v_amounts);
      end if;
    end loop;
    update account a set cost = a.cost + c.change
      from (select h.id, case o.side when 'buy' then o.cost else -o.cost end as change
              from unnest(p_orders) as c (order_id)
             cross join lateral (select o.* from trade_order o where o.id = c.order_id limit 1) o
             cross join lateral (select h.id from account h
                                  where h.holder_id = o.holder_id and h.asset = o.metal limit 1) h
            offset 0) c
     where a.id = c.id and c.change <> 0;
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
