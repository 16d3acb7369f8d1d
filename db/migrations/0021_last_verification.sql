-- What the last run of `verify` found, by real time: metrics of every process read it here, also after a restart.
create table verification (
  one          boolean primary key default true check (one),
  finished_at  timestamptz not null,
  ok           boolean not null,
  checks       integer not null check (checks > 0),
  broken       integer not null check (broken >= 0), -- checks that did not hold
  last_ok_at   timestamptz,
  check (ok = (broken = 0))
);
