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
