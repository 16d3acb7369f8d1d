-- One redemption per transaction: the service's own function with a batch of one, for the next unused card.
create schema if not exists bench;

create table bench.redeemable (
  n          bigint primary key,
  pin_index  bytea not null,
  holder_id  uuid not null
);
create sequence bench.redeemed;

create function bench.redeem_one() returns text language plpgsql as $$
declare
  v_n        bigint := nextval('bench.redeemed');
  v_epoch    integer;
  v_card     bench.redeemable;
  v_outcome  text;
begin
  select key_epoch into strict v_epoch from installation;
  select * into strict v_card from bench.redeemable where n = v_n;
  select outcome into strict v_outcome
    from redeem_gift_cards(v_epoch, array[v_card.pin_index], array[null::bytea], array[v_card.holder_id],
                           array[uuidv7()], array[sha256(v_card.pin_index)]);
  if v_outcome <> 'redeemed' then
    raise exception 'a card that nobody has used is %', v_outcome;
  end if;
  return v_outcome;
end $$;
