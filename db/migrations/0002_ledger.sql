-- The books. A transfer moves one amount of one asset from a debit account to a credit account, so the
-- books balance by construction; account rows hold the running balance (credits − debits) and its floor.

create table account (
  id          bigint generated always as identity primary key,
  kind        text not null check (kind in ('partner_receivable', 'outstanding_cards')),
  asset       text not null check (asset in ('KRW_POINT', 'KRW', 'XAU', 'XAG')),
  partner_id  integer references partner (id),
  shard       smallint not null default 0,
  balance     bigint not null default 0,
  floor       bigint,
  constraint account_floor check (balance >= floor),
  check ((kind = 'partner_receivable') = (partner_id is not null)),
  check (kind <> 'partner_receivable' or floor is not null)
);
create unique index account_of_partner on account (partner_id, kind, asset) where partner_id is not null;
create unique index account_of_house on account (kind, asset, shard) where partner_id is null;
create trigger account_stays before delete on account for each row execute function refuse_change();
create trigger account_stays_whole before truncate on account execute function refuse_change();

-- House accounts have no floor and many writers: 16 shards, so that no two busy connections wait for one row.
insert into account (kind, asset, shard)
  select 'outstanding_cards', 'KRW_POINT', shard from generate_series(0, 15) shard;

create table transfer (
  id              bigint generated always as identity primary key,
  group_id        uuid not null,
  kind            text not null check (kind in ('issue', 'void')),
  asset           text not null,
  amount          bigint not null check (amount > 0),
  debit_account   bigint not null,
  credit_account  bigint not null,
  card_id         uuid,
  at              timestamptz not null,
  check (debit_account <> credit_account)
);
-- A card is issued once and voided once, whoever races. Also finds the movements of one card.
create unique index transfer_of_card on transfer (card_id, kind);
create trigger transfer_is_final before update or delete on transfer
  for each row execute function refuse_change();
create trigger transfer_is_final_whole before truncate on transfer execute function refuse_change();

-- The house account this connection writes to: stable per connection, different between busy ones.
create function outstanding_account() returns bigint language sql stable
  as $$ select id from account
        where kind = 'outstanding_cards' and asset = 'KRW_POINT' and partner_id is null
          and shard = (pg_backend_pid() % 16)::smallint $$;

-- The one way a balance changes. Accounts are locked in id order, so two callers never wait for each other.
create function post_transfers(
  p_kind text, p_at timestamptz, p_groups uuid[], p_cards uuid[],
  p_debits bigint[], p_credits bigint[], p_amounts bigint[]
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_posted integer;
begin
  perform 1 from account where id = any (p_debits || p_credits) order by id for no key update;

  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
  select t.group_id, p_kind, debit.asset, t.amount, t.debit, t.credit, t.card, p_at
    from unnest(p_groups, p_cards, p_debits, p_credits, p_amounts)
         as t (group_id, card, debit, credit, amount)
    join account debit on debit.id = t.debit
    join account credit on credit.id = t.credit and credit.asset = debit.asset;
  get diagnostics v_posted = row_count;
  if v_posted <> cardinality(p_groups) then
    raise exception 'a transfer joins two accounts of one asset' using errcode = 'check_violation';
  end if;

  update account set balance = balance + moved.net
    from (select leg.account, sum(leg.net) as net
            from (select unnest(p_debits), -unnest(p_amounts)
                  union all select unnest(p_credits), unnest(p_amounts)) as leg (account, net)
           group by leg.account) as moved
   where account.id = moved.account;
end $$;
