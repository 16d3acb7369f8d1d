-- Everything that one holder has goes to another, with what it cost.
create or replace function move_holdings(p_from uuid, p_to uuid, p_group uuid) returns integer
language plpgsql as $$
declare
  v_debits   bigint[];
  v_credits  bigint[];
  v_amounts  bigint[];
  v_costs    bigint[];
  v_held     integer;
  v_before   integer := -1;
begin
  -- Until no more come up: an order that was under way may have opened one. Once all are held, nothing can.
  loop
    perform 1 from account where holder_id = p_from order by id for no key update;
    get diagnostics v_held = row_count;
    exit when v_held = v_before;
    v_before := v_held;
  end loop;
  insert into account (kind, asset, floor, holder_id)
  select 'holding', asset, 0, p_to from account where holder_id = p_from and balance > 0 order by id
  on conflict do nothing;
  perform 1 from account where holder_id = p_to order by id for no key update;
  select array_agg(f.id), array_agg(t.id), array_agg(f.balance), array_agg(f.cost)
    into v_debits, v_credits, v_amounts, v_costs
    from account f join account t on t.holder_id = p_to and t.asset = f.asset
   where f.holder_id = p_from and f.balance > 0;
  if v_debits is null then
    return 0;
  end if;
  perform post_transfers('join', service_now(), array_fill(p_group, array[cardinality(v_debits)]),
                         array_fill(null::uuid, array[cardinality(v_debits)]), v_debits, v_credits, v_amounts);
  update account a set cost = a.cost + c.cost
    from unnest(v_credits, v_costs) as c (id, cost) where a.id = c.id and c.cost > 0;
  update account set cost = 0 where id = any (v_debits) and cost > 0;
  return cardinality(v_debits);
end $$;
