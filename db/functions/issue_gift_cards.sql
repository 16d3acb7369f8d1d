-- A step of buy_gift_cards as the release before has it: a call that was under way during the upgrade still needs it.
create or replace function issue_gift_cards(
  p_partner integer, p_now timestamptz, p_months integer, p_receivable bigint, p_outstanding bigint, p_total bigint,
  p_outcomes text[], p_gift_ids uuid[], p_tx_ids uuid[], p_numbers bigint[], p_amounts bigint[], p_api_keys text[],
  p_index_key text, p_recipients bytea[], p_recipient_indexes bytea[], p_pins bytea[], p_pin_indexes bytea[]
) returns void language plpgsql as $$
#variable_conflict use_column
declare
  v_today date := seoul_date(p_now);
begin
  if p_outcomes is not null then
    select array_agg(c.gift_id order by i), array_agg(c.tx_id order by i), array_agg(c.number order by i),
           array_agg(c.amount order by i), array_agg(c.api_key order by i), array_agg(c.recipient order by i),
           array_agg(c.recipient_index order by i), array_agg(c.pin order by i), array_agg(c.pin_index order by i),
           sum(c.amount)
      into p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
           p_recipient_indexes, p_pins, p_pin_indexes, p_total
      from unnest(p_outcomes, p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
                  p_recipient_indexes, p_pins, p_pin_indexes) with ordinality
           as c (o, gift_id, tx_id, number, amount, api_key, recipient, recipient_index, pin, pin_index, i)
     where c.o = 'issued';
  end if;

  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, issued_at, issued_on, expires_on,
                         index_key, recipient, recipient_index, pin, pin_index)
  select c.gift_id, c.tx_id, c.number, p_partner, c.api_key, c.amount, p_now, v_today,
         (v_today + make_interval(months => p_months))::date,
         p_index_key, c.recipient, c.recipient_index, c.pin, c.pin_index
    from unnest(p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients,
                p_recipient_indexes, p_pins, p_pin_indexes)
         as c (gift_id, tx_id, number, amount, api_key, recipient, recipient_index, pin, pin_index);
  perform post_transfers('issue', p_now, p_tx_ids, p_gift_ids,
                         array_fill(p_receivable, array[cardinality(p_gift_ids)]),
                         array_fill(p_outstanding, array[cardinality(p_gift_ids)]), p_amounts);
  perform add_usage(p_partner, v_today, p_total, 0, 0);
  insert into delivery (card_id, channel, created_at)
  select card_id, channel, p_now
    from unnest(p_gift_ids) as card_id cross join unnest(array['alimtalk', 'text']) as channel;
end $$;
