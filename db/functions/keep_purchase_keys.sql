-- A step of buy_gift_cards as the release before has it: a call that was under way during the upgrade still needs it.
create or replace function keep_purchase_keys(
  p_partner integer, p_now timestamptz, p_key_hashes bytea[], p_request_hashes bytea[], p_gift_ids uuid[], p_tx_ids uuid[]
) returns integer language plpgsql as $$
declare
  v_free integer;
begin
  insert into idempotency_key as k (partner_id, operation, key_hash, request_hash, card_id, tx_id, created_at)
  select p_partner, 'buy', c.key_hash, c.request_hash, c.gift_id, c.tx_id, p_now
    from unnest(p_key_hashes, p_request_hashes, p_gift_ids, p_tx_ids) as c (key_hash, request_hash, gift_id, tx_id)
   where c.key_hash is not null
   order by c.key_hash
  on conflict (partner_id, operation, key_hash) do update
     set request_hash = excluded.request_hash, card_id = excluded.card_id, tx_id = excluded.tx_id,
         created_at = excluded.created_at
   where k.created_at < p_now - interval '30 days';
  get diagnostics v_free = row_count;
  return v_free;
end $$;
