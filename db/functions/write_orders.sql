-- A step of place_orders: writes the orders that their holders can pay for, and returns how many. Their accounts are locked.
-- Points first, then deposit. A sale takes along the share of what the metal had cost, all of it with the last unit.
create or replace function write_orders(
  p_now timestamptz, p_live uuid[], p_stopped text[], p_quotes uuid[], p_holders uuid[], p_orders uuid[]
) returns integer language plpgsql as $$
#variable_conflict use_column
declare
  v_placed integer;
begin
  insert into trade_order (id, quote_id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps,
                           metal_won, fee, total, from_points, from_deposit, cost, at, price_at, price_source)
  select c.order_id, q.id, c.holder, q.side, q.metal, q.units, q.reference, q.price, q.spread_bps, q.fee_bps,
         q.metal_won, q.fee, q.total,
         case q.side when 'buy' then least(h.points, q.total) else 0 end,
         case q.side when 'buy' then q.total - least(h.points, q.total) else 0 end,
         case q.side when 'buy' then q.total
                     else ceil(h.cost::numeric * q.units / h.metal)::bigint end, p_now,
         coalesce(q.price_at, p.at), coalesce(q.price_source, p.source)
    from unnest(p_quotes, p_holders, p_orders) as c (quote, holder, order_id)
   cross join lateral (select q.* from trade_quote q
                        where q.id = c.quote and q.holder_id = c.holder and q.expires_at > p_now and q.metal <> all (p_stopped) limit 1) q
    -- A quote of the release before does not name its price: it is the newest of that moment.
    left join lateral (select m.at, m.source from metal_price m
                        where q.price_at is null and m.metal = q.metal and m.won_per_gram = q.reference
                          and m.at <= q.created_at and m.at > q.created_at - interval '2 days'
                        order by m.at desc limit 1) p on true
   cross join lateral balances_of(c.holder) b
   cross join lateral (select b.points, b.deposit, case q.metal when 'XAU' then b.gold else b.silver end as metal,
                              case q.metal when 'XAU' then b.gold_cost else b.silver_cost end as cost) h
   where c.holder = any (p_live)
     and case q.side when 'buy' then h.points + h.deposit >= q.total else h.metal >= q.units end;
  get diagnostics v_placed = row_count;
  return v_placed;
end $$;
