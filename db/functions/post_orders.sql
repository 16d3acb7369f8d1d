-- A step of place_orders: the transfers of the orders that were written, and what the metal of each holder has cost.
create or replace function post_orders(p_now timestamptz, p_house bigint[], p_orders uuid[])
returns void language plpgsql as $$
#variable_conflict use_column
declare
  v_kind     text;
  v_groups   uuid[];
  v_debits   bigint[];
  v_credits  bigint[];
  v_amounts  bigint[];
begin
  foreach v_kind in array array['buy', 'sell'] loop
    select array_agg(t.group_id), array_agg(t.debit), array_agg(t.credit), array_agg(t.amount)
      into v_groups, v_debits, v_credits, v_amounts
      from (select o.id as group_id, leg.amount,
                   case when leg.out then mine.id else house.id end as debit,
                   case when leg.out then house.id else mine.id end as credit
              from unnest(p_orders) as c (order_id)
             cross join lateral (select o.* from trade_order o where o.id = c.order_id limit 1) o
             cross join lateral (values (1, 'KRW_POINT', p_house[1], o.from_points, true),
                                        (2, 'KRW', p_house[2], o.from_deposit, true),
                                        (3, o.metal, p_house[case o.metal when 'XAU' then 3 else 4 end],
                                         o.units, o.side = 'sell'),
                                        (4, 'KRW', p_house[2], case o.side when 'sell' then o.total else 0 end, false)
                                ) as leg (i, asset, house, amount, out)
             cross join lateral (select leg.house as id) house
             cross join lateral (select a.id from account a
                                  where a.holder_id = o.holder_id and a.asset = leg.asset limit 1) mine
             where o.side = v_kind and leg.amount > 0
             order by o.id, leg.i) t;
    if v_groups is not null then
      perform post_transfers(v_kind, p_now, v_groups, array_fill(null::uuid, array[cardinality(v_groups)]),
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
end $$;
