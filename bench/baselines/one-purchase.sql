-- One purchase per transaction, as one would write it without batching: the rows of write_purchases, in one
-- round trip. Its messages are delivered already, since nobody should send them: in place of a job each has the one
-- entry of its history. The rows that others wait for come last, so that they are locked for little but the commit;
-- receivable before outstanding before usage, so that no two purchases wait for each other.
create schema bench;

create function bench.buy_one(
  p_partner integer, p_gift uuid, p_tx uuid, p_number bigint, p_amount bigint,
  p_recipient bytea, p_recipient_index bytea, p_pin bytea, p_pin_index bytea
) returns uuid language plpgsql as $$
declare
  v_today        date := seoul_date(now());
  v_receivable   bigint;
  v_outstanding  bigint;
begin
  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, issued_at, issued_on, expires_on,
                         index_key, recipient, recipient_index, pin, pin_index)
  values (p_gift, p_tx, p_number, p_partner, 'bench0000000', p_amount, now(), v_today,
          (v_today + interval '12 months')::date, 'i1', p_recipient, p_recipient_index, p_pin, p_pin_index);
  with sent as (
    insert into delivery (card_id, channel, created_at, status, attempt, sent_at, settled_at)
    values (p_gift, 'alimtalk', now(), 'delivered', 1, now(), now()),
           (p_gift, 'text', now(), 'delivered', 1, now(), now())
    returning id)
  insert into delivery_event (delivery_id, attempt, at, status) select id, 1, now(), 'delivered' from sent;
  -- Its CHECK is the credit limit.
  update account set balance = balance - p_amount
   where partner_id = p_partner and kind = 'partner_receivable' and asset = 'KRW_POINT'
  returning id into strict v_receivable;
  update account set balance = balance + p_amount
   where kind = 'outstanding_cards' and asset = 'KRW_POINT' and partner_id is null
     and shard = (pg_backend_pid() % 16)::smallint
  returning id into strict v_outstanding;
  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
  values (p_tx, 'issue', 'KRW_POINT', p_amount, v_receivable, v_outstanding, p_gift, now());
  insert into usage_day as u (partner_id, day, shard, issued)
  values (p_partner, v_today, (pg_backend_pid() % 4)::smallint, p_amount)
  on conflict (partner_id, day, shard) do update set issued = u.issued + excluded.issued;
  return p_gift;
end $$;
