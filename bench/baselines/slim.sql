-- The slim reference: the least that a purchase has to leave behind, in tables of its own.
create schema bench_slim;

create table bench_slim.card (
  id            bigint generated always as identity primary key,
  gift_id       uuid not null unique,
  tx_id         uuid not null unique,
  partner_id    integer not null,
  amount        bigint not null check (amount > 0),
  pin_hash      bytea not null unique check (octet_length(pin_hash) = 32),
  sealed_pin    bytea not null,
  sealed_phone  bytea not null,
  issued_at     timestamptz not null,
  expires_at    timestamptz not null
);
create index on bench_slim.card (partner_id, issued_at);

create table bench_slim.transfer (
  id       bigint generated always as identity primary key,
  card_id  bigint not null,
  amount   bigint not null,
  at       timestamptz not null
);

create table bench_slim.message (
  id          bigint generated always as identity primary key,
  card_id     bigint not null,
  channel     text not null,
  created_at  timestamptz not null
);

create table bench_slim.usage_day (
  partner_id  integer not null,
  day         date not null,
  shard       integer not null,
  issued      bigint not null,
  primary key (partner_id, day, shard)
);
