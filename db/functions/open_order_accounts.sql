-- A step of place_orders: opens what a purchase is put into, or a sale is paid into, then locks every account that the batch
-- moves. Returns the house's accounts: points, deposit, gold, silver. Sorted, so that two batches wait in the same order.
create or replace function open_order_accounts(p_live uuid[], p_quotes uuid[], p_holders uuid[])
returns bigint[] language plpgsql as $$
#variable_conflict use_column
declare
  v_house bigint[];
begin
  insert into account (kind, asset, floor, holder_id)
  select 'holding', c.asset, 0, c.holder
    from (select c.holder, case q.side when 'buy' then q.metal else 'KRW' end as asset
            from unnest(p_quotes, p_holders) as c (quote, holder)
           cross join lateral (select q.side, q.metal from trade_quote q where q.id = c.quote limit 1) q
           where c.holder = any (p_live)) c
   where not exists (select from account a where a.holder_id = c.holder and a.asset = c.asset)
   order by c.holder, c.asset
  on conflict do nothing;

  v_house := array[house_account('trading', 'KRW_POINT'), house_account('trading', 'KRW'),
                   house_account('trading', 'XAU'), house_account('trading', 'XAG')];
  perform 1 from account a
   where a.id = any (v_house || array(select h.id from unnest(p_live) as l (holder)
                                       cross join lateral (select a.id from account a
                                                            where a.holder_id = l.holder offset 0) h))
   order by a.id for no key update;
  return v_house;
end $$;
