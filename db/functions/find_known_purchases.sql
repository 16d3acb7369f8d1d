-- A step of write_purchases: the outcomes that need no credit, which are those of partners that are not active, repeats of earlier
-- purchases and amounts out of bounds. A repeat gets the ids of the first. The other outcomes are null; `wanted` is the won of these, by
-- partner. The keys are looked up one at a time on purpose: joined, the planner would read all keys the partner ever used.
create or replace function find_known_purchases(
  p_partners integer[], p_buyers integer[], p_active boolean[], p_mins bigint[], p_maxs bigint[], p_gift_ids uuid[],
  p_tx_ids uuid[], p_amounts bigint[], p_key_hashes bytea[], p_request_hashes bytea[],
  out outcomes text[], out gift_ids uuid[], out tx_ids uuid[], out wanted bigint[]
) language plpgsql as $$
declare
  v_buyer  integer;
  v_known  record;
begin
  outcomes := array_fill(null::text, array[cardinality(p_gift_ids)]);
  gift_ids := p_gift_ids;
  tx_ids := p_tx_ids;
  wanted := array_fill(0::bigint, array[cardinality(p_partners)]);
  for i in 1 .. cardinality(p_gift_ids) loop
    v_buyer := p_buyers[i];
    if not p_active[v_buyer] then
      outcomes[i] := 'partner_suspended';
    elsif p_key_hashes[i] is not null then
      select k.request_hash, k.card_id, k.tx_id into strict v_known from idempotency_key k
       where k.partner_id = p_partners[v_buyer] and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
      if v_known.card_id <> p_gift_ids[i] then
        outcomes[i] := case when v_known.request_hash = p_request_hashes[i] then 'replayed' else 'key_reused' end;
        gift_ids[i] := v_known.card_id;
        tx_ids[i] := v_known.tx_id;
      end if;
    end if;
    if outcomes[i] is null and p_amounts[i] not between p_mins[v_buyer] and p_maxs[v_buyer] then
      outcomes[i] := 'amount_out_of_bounds';
    end if;
    if outcomes[i] is null then
      wanted[v_buyer] := wanted[v_buyer] + p_amounts[i];
    end if;
  end loop;
end $$;
