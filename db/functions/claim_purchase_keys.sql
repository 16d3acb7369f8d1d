-- A step of write_purchases: keeps the idempotency keys of partners that are active. Returns how many of the batch were free. Sorted, so
-- that two batches with the same keys wait in the same order. A key older than 30 days is free again.
create or replace function claim_purchase_keys(
  p_now timestamptz, p_partners integer[], p_buyers integer[], p_active boolean[], p_key_hashes bytea[],
  p_request_hashes bytea[], p_gift_ids uuid[], p_tx_ids uuid[]
) returns integer language plpgsql as $$
declare
  v_free integer;
begin
  insert into idempotency_key as k (partner_id, operation, key_hash, request_hash, card_id, tx_id, created_at)
  select p_partners[c.buyer], 'buy', c.key_hash, c.request_hash, c.gift_id, c.tx_id, p_now
    from unnest(p_buyers, p_key_hashes, p_request_hashes, p_gift_ids, p_tx_ids)
         as c (buyer, key_hash, request_hash, gift_id, tx_id)
   where c.key_hash is not null and p_active[c.buyer]
   order by p_partners[c.buyer], c.key_hash
  on conflict (partner_id, operation, key_hash) do update
     set request_hash = excluded.request_hash, card_id = excluded.card_id, tx_id = excluded.tx_id,
         created_at = excluded.created_at
   where k.created_at < p_now - interval '30 days';
  get diagnostics v_free = row_count;
  return v_free;
end $$;
