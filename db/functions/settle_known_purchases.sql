-- A step of buy_gift_cards as the release before has it: a call that was under way during the upgrade still needs it.
create or replace function settle_known_purchases(
  p_partner integer, p_gift_ids uuid[], p_tx_ids uuid[], p_amounts bigint[], p_key_hashes bytea[], p_request_hashes bytea[],
  p_min bigint, p_max bigint, out outcomes text[], out gift_ids uuid[], out tx_ids uuid[], out wanted bigint
) language plpgsql as $$
declare
  v_known record;
begin
  outcomes := array_fill(null::text, array[cardinality(p_gift_ids)]);
  gift_ids := p_gift_ids;
  tx_ids := p_tx_ids;
  wanted := 0;
  for i in 1 .. cardinality(p_gift_ids) loop
    if p_key_hashes[i] is not null then
      select k.request_hash, k.card_id, k.tx_id into strict v_known from idempotency_key k
       where k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
      if v_known.card_id <> p_gift_ids[i] then
        outcomes[i] := case when v_known.request_hash = p_request_hashes[i] then 'replayed' else 'key_reused' end;
        gift_ids[i] := v_known.card_id;
        tx_ids[i] := v_known.tx_id;
      end if;
    end if;
    if outcomes[i] is null and p_amounts[i] not between p_min and p_max then
      outcomes[i] := 'amount_out_of_bounds';
    end if;
    if outcomes[i] is null then
      wanted := wanted + p_amounts[i];
    end if;
  end loop;
end $$;
