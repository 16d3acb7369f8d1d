-- compatible with 0042

-- Figures by Seoul day, so that nothing is counted by reading cards. The worker counts them from rows that never change
-- (src/flows/overview/count-figures.ts). Purchases write nothing here.

-- How far each source was counted. `through_id`: every row up to it is in the figures, once. `through_day`: of a source without
-- ids; its later days are counted anew.
create table figure_source (
  source       text primary key check (source in ('transfer', 'delivery_event', 'member')),
  through_id   bigint not null default 0 check (through_id >= 0),
  through_day  date,
  -- By real time: when it was last counted to its end.
  counted_at   timestamptz
);
insert into figure_source (source) values ('transfer'), ('delivery_event'), ('member');

-- What happened to cards on a day. Issued is gross: what is voided later stays in the day of its issue.
create table card_day (
  day            date not null,
  partner_id     integer not null references partner (id),
  issued         bigint not null default 0,
  issued_won     bigint not null default 0,
  used           bigint not null default 0,
  used_won       bigint not null default 0,
  voided         bigint not null default 0,
  voided_won     bigint not null default 0,
  expired        bigint not null default 0,
  expired_won    bigint not null default 0,
  primary key (day, partner_id)
);

-- Cards that are neither used, voided nor expired, by the last day on which they can be used. `large`: of more than
-- 500,000 won, the limit of a bearer card by the decree on prepaid means.
create table card_expiry (
  expires_on  date not null,
  partner_id  integer not null references partner (id),
  large       boolean not null,
  cards       bigint not null,
  won         bigint not null,
  primary key (expires_on, partner_id, large)
);

create table order_day (
  day     date not null,
  metal   text not null,
  side    text not null,
  orders  bigint not null,
  won     bigint not null,
  units   bigint not null,
  primary key (day, metal, side)
);

-- outcome: requested, paid, returned.
create table withdrawal_day (
  day          date not null,
  outcome      text not null,
  withdrawals  bigint not null,
  won          bigint not null,
  primary key (day, outcome)
);

-- Messages by how and when they ended. One that ended twice (failed, then delivered after all) counts at its last end.
create table delivery_day (
  day       date not null,
  channel   text not null,
  status    text not null,
  provider  text not null,
  reason    text not null,
  messages  bigint not null,
  primary key (day, channel, status, provider, reason)
);

create table member_day (
  day      date primary key,
  members  bigint not null
);
