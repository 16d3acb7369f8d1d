-- A step of buy_gift_cards as the release before has it: a call that was under way during the upgrade still needs it.
create or replace function allot_credit(
  p_partner integer, p_credit bigint, p_amounts bigint[], p_key_hashes bytea[], p_outcomes text[]
) returns text[] language plpgsql as $$
begin
  p_outcomes := coalesce(p_outcomes, array_fill(null::text, array[cardinality(p_amounts)]));
  for i in 1 .. cardinality(p_amounts) loop
    if p_outcomes[i] is null then
      if p_amounts[i] <= p_credit then
        p_credit := p_credit - p_amounts[i];
        p_outcomes[i] := 'issued';
      else
        p_outcomes[i] := 'credit_limit';
      end if;
    end if;
    -- Only successes are kept: a refusal leaves its key free.
    if p_outcomes[i] in ('credit_limit', 'amount_out_of_bounds') and p_key_hashes[i] is not null then
      delete from idempotency_key k
       where k.partner_id = p_partner and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
    end if;
  end loop;
  return p_outcomes;
end $$;
