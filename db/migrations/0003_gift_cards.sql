-- Gift cards, what each partner used per day, the messages to send, and the keys that make a retry safe.

create table gift_card (
  id               uuid primary key,
  tx_id            uuid not null unique,
  number           bigint not null unique check (number > 0 and number < 9007199254740992),
  partner_id       integer not null,
  api_key_id       text not null,
  amount           bigint not null check (amount > 0),
  status           text not null default 'issued' check (status in ('issued', 'used', 'voided', 'expired')),
  issued_at        timestamptz not null,
  issued_on        date not null,
  expires_on       date not null check (expires_on > issued_on),
  used_at          timestamptz,
  voided_at        timestamptz,
  -- People's data: sealed values, found again by keyed hash (index_key names the key).
  index_key        text not null,
  recipient        bytea not null,
  recipient_index  bytea not null,
  pin              bytea,
  pin_index        bytea not null,
  unique (pin_index, index_key),
  check ((status = 'used') = (used_at is not null)),
  check ((status = 'voided') = (voided_at is not null)),
  -- A PIN that can no longer be redeemed is erased; only a card still open to its holder keeps it.
  check (status not in ('used', 'voided') or pin is null),
  check (status <> 'issued' or pin is not null)
);
create index gift_card_recipient on gift_card (recipient_index);
create trigger gift_card_stays before delete on gift_card for each row execute function refuse_change();
create trigger gift_card_stays_whole before truncate on gift_card execute function refuse_change();

-- Serials are handed to processes in blocks and turned into card numbers by a keyed permutation.
create sequence gift_card_serial_block as bigint minvalue 0 start 0;

-- Totals per partner and Seoul day, kept in the purchase's own transaction: a year is a few hundred rows
-- however many cards there are. Sharded, because many members redeem one partner's cards at once; a void
-- may reach another shard than its issue, so only the sum over shards means anything.
create table usage_day (
  partner_id      integer not null,
  day             date not null,
  shard           smallint not null,
  issued          bigint not null default 0,
  used            bigint not null default 0,
  used_in_issued  bigint not null default 0,
  primary key (partner_id, day, shard)
);

create function add_usage(
  p_partner integer, p_day date, p_issued bigint, p_used bigint, p_used_in_issued bigint
) returns void language sql as $$
  insert into usage_day as u (partner_id, day, shard, issued, used, used_in_issued)
  values (p_partner, p_day, (pg_backend_pid() % 4)::smallint, p_issued, p_used, p_used_in_issued)
  on conflict (partner_id, day, shard) do update
     set issued = u.issued + excluded.issued, used = u.used + excluded.used,
         used_in_issued = u.used_in_issued + excluded.used_in_issued
$$;

create table delivery (
  id          bigint generated always as identity primary key,
  card_id     uuid not null,
  channel     text not null check (channel in ('alimtalk', 'text')),
  status      text not null default 'queued' check (status in ('queued')),
  created_at  timestamptz not null
);
create index delivery_card on delivery (card_id);

-- A retry with the same key finds the first success here. Keys and bodies only as keyed hashes: a partner
-- may have put a phone number into either.
create table idempotency_key (
  partner_id    integer not null,
  operation     text not null check (operation in ('buy')),
  key_hash      bytea not null check (length(key_hash) = 32),
  request_hash  bytea not null check (length(request_hash) = 32),
  card_id       uuid not null,
  tx_id         uuid not null,
  created_at    timestamptz not null,
  primary key (partner_id, operation, key_hash)
);
create index idempotency_key_age on idempotency_key using brin (created_at);

-- A batch of purchases of one partner, in order of arrival, in one round trip and one transaction.
-- VOLATILE on purpose: each statement inside sees rows that others committed while it waited for a lock.
-- src/modules/gift-cards/rules.ts is the reference model; a property test holds the two together.
create function buy_gift_cards(
  p_partner integer, p_gift_ids uuid[], p_tx_ids uuid[], p_numbers bigint[], p_amounts bigint[],
  p_api_keys text[], p_index_key text, p_recipients bytea[], p_recipient_indexes bytea[],
  p_pins bytea[], p_pin_indexes bytea[], p_key_hashes bytea[], p_request_hashes bytea[]
) returns table (outcome text, gift_id uuid, tx_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  v_count     integer := cardinality(p_gift_ids);
  v_now       timestamptz := service_now();
  v_today     date := seoul_date(v_now);
  v_partner   partner%rowtype;
  v_outcomes  text[] := array_fill(null::text, array[cardinality(p_gift_ids)]);
  v_replays   boolean := false;
  v_wanted    bigint;
  v_credit    bigint;
  v_receivable  bigint;
  v_outstanding bigint := outstanding_account();
  v_bought    bigint := 0;
  r           record;
begin
  select * into strict v_partner from partner where id = p_partner;
  if v_partner.status <> 'active' then
    return query select 'partner_suspended', null::uuid, null::uuid from generate_series(1, v_count);
    return;
  end if;

  -- Idempotency first: an answer once given stands, whatever the limits are today. Sorted, so that two
  -- batches with the same keys wait in the same order. A key older than 30 days is free again.
  if array_length(array_remove(p_key_hashes, null), 1) > 0 then
    with fresh as (
      insert into idempotency_key as k (partner_id, operation, key_hash, request_hash, card_id, tx_id, created_at)
      select p_partner, 'buy', c.key_hash, c.request_hash, c.gift_id, c.tx_id, v_now
        from unnest(p_key_hashes, p_request_hashes, p_gift_ids, p_tx_ids) as c (key_hash, request_hash, gift_id, tx_id)
       where c.key_hash is not null order by c.key_hash
      on conflict (partner_id, operation, key_hash) do update
         set request_hash = excluded.request_hash, card_id = excluded.card_id, tx_id = excluded.tx_id,
             created_at = excluded.created_at
       where k.created_at < v_now - interval '30 days'
      returning k.card_id)
    select array_agg(case when c.key_hash is null or f.card_id is not null then null else 'kept' end order by c.i),
           bool_or(c.key_hash is not null and f.card_id is null)
      into v_outcomes, v_replays
      from unnest(p_key_hashes, p_gift_ids) with ordinality as c (key_hash, gift_id, i)
      left join fresh f on f.card_id = c.gift_id;
    for r in
      select c.i::integer as i, k.request_hash = c.request_hash as same
        from unnest(p_key_hashes, p_request_hashes, v_outcomes) with ordinality as c (key_hash, request_hash, kept, i)
        join idempotency_key k on k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = c.key_hash
       where v_replays and c.kept = 'kept'
    loop
      v_outcomes[r.i] := case when r.same then 'replayed' else 'key_reused' end;
    end loop;
  end if;

  select array_agg(case when o is null and a not between v_partner.amount_min and v_partner.amount_max
                        then 'amount_out_of_bounds' else o end order by i)
    into v_outcomes
    from unnest(v_outcomes, p_amounts) with ordinality as c (o, a, i);
  select coalesce(sum(a), 0) into v_wanted from unnest(v_outcomes, p_amounts) as c (o, a) where o is null;

  if v_wanted > 0 then
    select id into strict v_receivable from account
     where partner_id = p_partner and kind = 'partner_receivable' and asset = 'KRW_POINT';
    perform 1 from account where id in (v_receivable, v_outstanding) order by id for no key update;
    select balance - floor into strict v_credit from account where id = v_receivable;

    -- Credit in order of arrival: one that does not fit leaves room for a smaller one behind it.
    for i in 1 .. v_count loop
      if v_outcomes[i] is null then
        if p_amounts[i] <= v_credit then
          v_credit := v_credit - p_amounts[i];
          v_bought := v_bought + p_amounts[i];
          v_outcomes[i] := 'issued';
        else
          v_outcomes[i] := 'credit_limit';
        end if;
      end if;
    end loop;
  end if;

  -- Only successes are kept: a refusal leaves its key free.
  delete from idempotency_key k
   using unnest(p_key_hashes, p_gift_ids, v_outcomes) as c (key_hash, gift_id, o)
   where c.o in ('credit_limit', 'amount_out_of_bounds')
     and k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = c.key_hash and k.card_id = c.gift_id;

  if v_bought > 0 then
    insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, issued_at, issued_on, expires_on,
                           index_key, recipient, recipient_index, pin, pin_index)
    select c.gift_id, c.tx, c.number, p_partner, c.api_key, c.amount, v_now, v_today,
           (v_today + make_interval(months => v_partner.validity_months))::date,
           p_index_key, c.recipient, c.recipient_index, c.pin, c.pin_index
      from unnest(v_outcomes, p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
                  p_recipient_indexes, p_pins, p_pin_indexes)
           as c (o, gift_id, tx, number, amount, api_key, recipient, recipient_index, pin, pin_index)
     where c.o = 'issued';
    perform post_transfers('issue', v_now, array_agg(c.tx order by c.i), array_agg(c.gift_id order by c.i),
                           array_agg(v_receivable), array_agg(v_outstanding), array_agg(c.amount order by c.i))
      from unnest(v_outcomes, p_tx_ids, p_gift_ids, p_amounts) with ordinality as c (o, tx, gift_id, amount, i)
     where c.o = 'issued';
    perform add_usage(p_partner, v_today, v_bought, 0, 0);
    insert into delivery (card_id, channel, created_at)
    select c.gift_id, channel, v_now
      from unnest(v_outcomes, p_gift_ids) as c (o, gift_id)
     cross join (values ('alimtalk'), ('text')) as both_channels (channel)
     where c.o = 'issued';
  elsif v_replays then
    -- A replay acknowledges an earlier commit. Writing something of its own makes it wait for replication
    -- as that commit did, so it never vouches for a row that a failover may still lose.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;

  return query
    select c.o,
           case c.o when 'issued' then c.gift when 'replayed' then k.card_id end,
           case c.o when 'issued' then c.tx when 'replayed' then k.tx_id end
      from unnest(v_outcomes, p_gift_ids, p_tx_ids, p_key_hashes) with ordinality as c (o, gift, tx, key_hash, i)
      left join idempotency_key k
        on c.o = 'replayed' and k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = c.key_hash
     order by c.i;
end $$;
