-- The ground everything stands on: which installation this is, its clock, its partners and their keys,
-- and the record of what people changed.

-- One row: what this database is. A process in another mode or with another key ring refuses to start.
create table installation (
  one           boolean primary key default true check (one),
  mode          text not null check (mode in ('sandbox', 'live')),
  key_ring      text not null,
  clock_offset  interval not null default interval '0' check (clock_offset >= interval '0'),
  created_at    timestamptz not null default now(),
  check (mode = 'sandbox' or clock_offset = interval '0')
);

-- The only clock. In the sandbox an integrator can travel forward to an expiry; in live the offset is zero.
create function service_now() returns timestamptz language sql stable
  as $$ select now() + clock_offset from installation $$;

create function seoul_date(moment timestamptz) returns date language sql immutable
  as $$ select (moment at time zone 'Asia/Seoul')::date $$;

-- Hot rows carry no foreign keys (decisions/0004): instead nothing they point at can ever be removed.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create table partner (
  id               integer generated always as identity primary key,
  code             text not null check (code ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  name             text not null check (length(name) between 1 and 200),
  status           text not null default 'active' check (status in ('active', 'suspended')),
  key_format       text not null check (key_format in ('uuid', 'custom')),
  key_pattern      text check (length(key_pattern) between 1 and 200),
  amount_min       bigint not null default 1 check (amount_min >= 1),
  amount_max       bigint not null default 10000000,
  validity_months  integer not null default 12 check (validity_months between 12 and 120),
  rate_limit       integer not null default 500 check (rate_limit >= 0),
  keyless          boolean not null default false,
  networks         inet[] not null default '{}',
  created_at       timestamptz not null default service_now(),
  check (amount_max >= amount_min),
  check ((key_format = 'custom') = (key_pattern is not null))
);
-- Two partners told apart by capitals alone would be mixed up by people.
create unique index partner_code on partner (lower(code));
create trigger partner_stays before delete on partner for each row execute function refuse_change();
create trigger partner_stays_whole before truncate on partner execute function refuse_change();

create table api_key (
  id           text primary key check (id ~ '^[0-9A-Za-z]{12}$'),
  partner_id   integer not null references partner (id),
  secret_hash  bytea not null unique check (length(secret_hash) = 32),
  label        text not null default '' check (length(label) <= 100),
  scopes       text[] not null,
  networks     inet[] not null default '{}',
  created_at   timestamptz not null default service_now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index api_key_partner on api_key (partner_id);

-- What people changed, by whom. Purchases are not here: the ledger has those.
create table audit_entry (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default service_now(),
  actor    text not null,
  action   text not null,
  subject  text not null,
  details  jsonb not null default '{}'
);
create index audit_entry_subject on audit_entry (subject);
create trigger audit_entry_is_final before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_is_final_whole before truncate on audit_entry execute function refuse_change();
