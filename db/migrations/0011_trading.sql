-- Buying and selling metal: the terms, quotes that hold for a minute, the orders that took one, and won on their way out.

-- The house's side of every order, and won on their way to a bank. Sharded like the other house accounts.
insert into account (kind, asset, shard)
  select 'trading', asset, shard
    from unnest(array['KRW_POINT', 'KRW', 'XAU', 'XAG']) asset, generate_series(0, 15) shard;
insert into account (kind, asset, shard)
  select 'withdrawals', 'KRW', shard from generate_series(0, 15) shard;
insert into account (kind, asset) values ('bank', 'KRW');

-- What the operator asks for, by metal; the newest row counts. History stays, as quotes name it.
create table trading_terms (
  id               integer generated always as identity primary key,
  metal            text not null check (metal in ('XAU', 'XAG')),
  spread_bps       integer not null check (spread_bps between 0 and 5000),
  fee_bps          integer not null check (fee_bps between 0 and 5000),
  max_age_seconds  integer not null check (max_age_seconds between 30 and 86400),
  stopped          boolean not null default false,
  at               timestamptz not null,
  set_by           text not null
);
create index trading_terms_newest on trading_terms (metal, id desc);
create trigger trading_terms_is_final before update or delete on trading_terms
  for each row execute function refuse_change();
insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by)
  select metal, 100, 30, 300, service_now(), 'migration' from unnest(array['XAU', 'XAG']) metal;

create table trade_quote (
  id            uuid primary key,
  holder_id     uuid not null,
  side          text not null check (side in ('buy', 'sell')),
  metal         text not null check (metal in ('XAU', 'XAG')),
  units         bigint not null check (units > 0),     -- of 0.0001 g
  reference     bigint not null check (reference > 0), -- won per gram, as the feed had it
  price         bigint not null check (price > 0),     -- won per gram, the spread included
  spread_bps    integer not null,
  fee_bps       integer not null,
  metal_won     bigint not null check (metal_won >= 0),
  fee           bigint not null check (fee >= 0),
  total         bigint not null check (total > 0),     -- paid or received
  rounding      bigint not null check (rounding >= 0),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  check (total = case side when 'buy' then metal_won + fee else metal_won - fee end)
);
create index trade_quote_age on trade_quote (created_at);

create table trade_order (
  id            uuid primary key,
  quote_id      uuid not null unique,
  holder_id     uuid not null,
  side          text not null check (side in ('buy', 'sell')),
  metal         text not null check (metal in ('XAU', 'XAG')),
  units         bigint not null check (units > 0),
  reference     bigint not null,
  price         bigint not null,
  spread_bps    integer not null,
  fee_bps       integer not null,
  metal_won     bigint not null,
  fee           bigint not null,
  total         bigint not null check (total > 0),
  from_points   bigint not null check (from_points >= 0),
  from_deposit  bigint not null check (from_deposit >= 0),
  -- What the metal that was bought cost, or what the metal that was sold had cost.
  cost          bigint not null check (cost >= 0),
  at            timestamptz not null,
  check (total = case side when 'buy' then metal_won + fee else metal_won - fee end),
  check (side = 'sell' and from_points = 0 and from_deposit = 0 or side = 'buy' and from_points + from_deposit = total)
);
create index trade_order_of_holder on trade_order (holder_id, at desc);
create trigger trade_order_is_final before update or delete on trade_order
  for each row execute function refuse_change();

-- A member asks for won; one of the operator's people approves, another pays.
create table withdrawal (
  id            uuid primary key,
  holder_id     uuid not null,
  request_id    uuid not null,
  amount        bigint not null check (amount > 0),
  destination   bytea, -- bank, account number and the holder's name: sealed, erased in time
  bank          text not null check (bank ~ '^[0-9]{3}$'),
  status        text not null default 'requested'
                check (status in ('requested', 'approved', 'paid', 'cancelled', 'refused')),
  requested_at  timestamptz not null,
  approved_at   timestamptz,
  approved_by   text,
  settled_at    timestamptz,
  settled_by    text,
  reason        text,
  unique (holder_id, request_id),
  check ((settled_at is not null) = (status in ('paid', 'cancelled', 'refused'))),
  check (status not in ('approved', 'paid') or approved_by is not null),
  -- Two people: who approves does not pay.
  check (status <> 'paid' or settled_by <> approved_by)
);
create index withdrawal_open on withdrawal (requested_at) where status in ('requested', 'approved');
create index withdrawal_of_holder on withdrawal (holder_id, requested_at desc);
create trigger withdrawal_stays before delete on withdrawal for each row execute function refuse_change();

-- The house account of a kind that this connection writes to: stable per connection, different between busy ones.
create function house_account(p_kind text, p_asset text) returns bigint language sql stable
  as $$ select id from account
         where kind = p_kind and kind <> 'holding' and asset = p_asset and partner_id is null
         order by shard = (pg_backend_pid() % 16)::smallint desc limit 1 $$;

-- With few accounts it pays to join all of them; a plan like that, kept while they become many, does not. Probes only.
alter function post_transfers(text, timestamptz, uuid[], uuid[], bigint[], bigint[], bigint[]) set enable_mergejoin = off;
alter function post_transfers(text, timestamptz, uuid[], uuid[], bigint[], bigint[], bigint[]) set enable_hashjoin = off;

-- A batch of orders in one round trip and one transaction, each with its outcome in order: placed, again (the same quote
-- by the same holder, so the same order), not_found (also of somebody else's quote), expired, insufficient. No holder and
-- no quote comes twice in a batch (the flow keeps them apart). Locks: quotes in id order, then accounts in id order.
-- VOLATILE on purpose: what decides is read by a statement that begins after the locks were had. Limits and offsets in the
-- laterals keep them probes of an index: joined, the planner would read all orders there ever were.
-- src/modules/trading/rules.ts is the reference model; a property test holds the two together.
create function place_orders(p_quotes uuid[], p_holders uuid[], p_orders uuid[])
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
                             metal_won, fee, total, from_points, from_deposit, cost, at)
    select c.order_id, q.id, c.holder, q.side, q.metal, q.units, q.reference, q.price, q.spread_bps, q.fee_bps,
           q.metal_won, q.fee, q.total,
           case q.side when 'buy' then least(h.points, q.total) else 0 end,
           case q.side when 'buy' then q.total - least(h.points, q.total) else 0 end,
           case q.side when 'buy' then q.total
                       else ceil(h.cost::numeric * q.units / h.metal)::bigint end, v_now
      from unnest(p_quotes, p_holders, p_orders) as c (quote, holder, order_id)
     cross join lateral (select q.* from trade_quote q
                          where q.id = c.quote and q.holder_id = c.holder and q.expires_at > v_now and q.metal <> all (v_stopped) limit 1) q
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
