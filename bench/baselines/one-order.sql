-- One order per transaction: the service's own function with a batch of one, on the next open quote.
create schema if not exists bench;

create table bench.orderable (
  n          bigint primary key,
  quote_id   uuid not null,
  holder_id  uuid not null
);
create sequence bench.ordered;

create function bench.order_one() returns text language plpgsql as $$
declare
  v_n        bigint := nextval('bench.ordered');
  v_quote    bench.orderable;
  v_outcome  text;
begin
  select * into strict v_quote from bench.orderable where n = v_n;
  select outcome into strict v_outcome
    from place_orders(array[v_quote.quote_id], array[v_quote.holder_id], array[uuidv7()]);
  if v_outcome <> 'placed' then
    raise exception 'an order on an open quote is %', v_outcome;
  end if;
  return v_outcome;
end $$;
