-- A batch of purchases of one partner, as processes of the release before send it. One that names no epoch is of an older release
-- still, and is served until the keys first change.
create or replace function buy_gift_cards(
  p_partner integer, p_gift_ids uuid[], p_tx_ids uuid[], p_numbers bigint[], p_amounts bigint[],
  p_api_keys text[], p_index_key text, p_recipients bytea[], p_recipient_indexes bytea[],
  p_pins bytea[], p_pin_indexes bytea[], p_key_hashes bytea[], p_request_hashes bytea[],
  p_epoch integer default null
) returns table (outcome text, gift_id uuid, tx_id uuid) language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(key_lock());
  if p_epoch is null and (select i.key_epoch > 1 from installation i) then
    raise exception 'this release knows nothing of the keys in force' using errcode = 'cannot_connect_now';
  end if;
  return query
    select * from write_purchases(coalesce(p_epoch, 1), null, false, p_index_key, array[p_partner], array_fill(1, array[cardinality(p_gift_ids)]),
                                  p_gift_ids, p_tx_ids, p_numbers, p_amounts, p_api_keys, p_recipients, p_recipient_indexes,
                                  p_pins, p_pin_indexes, p_key_hashes, p_request_hashes);
end $$;
