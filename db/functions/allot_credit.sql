-- A step of write_purchases: locks the accounts that the batch changes, in id order, and decides by each partner's credit, in order
-- of arrival, the outcomes that are still null. A purchase that does not fit leaves room for a smaller one after it. Null if all
-- are bought.
create or replace function allot_credit(
  p_partners integer[], p_buyers integer[], p_receivables bigint[], p_outstanding bigint,
  p_amounts bigint[], p_key_hashes bytea[], p_outcomes text[]
) returns text[] language plpgsql as $$
declare
  v_wanted   bigint[];  -- won, by partner
  v_credits  bigint[] := array_fill(0::bigint, array[cardinality(p_partners)]);
  v_short    boolean := false;
  v_place    integer;
  v_credit   bigint;
begin
  select array_agg(w.won order by w.buyer) into v_wanted
    from (select c.buyer, coalesce(sum(c.amount) filter (where c.o is null), 0)::bigint as won
            from unnest(p_buyers, p_amounts, p_outcomes) as c (buyer, amount, o) group by c.buyer) w;
  if 0 < any (v_wanted) then
    -- In a loop: a condition on what a subquery locks is applied before the lock. Outstanding would not be locked here, where
    -- voids lock it, but after the others.
    for v_place, v_credit in
      select array_position(p_receivables, id), balance - floor from account
       where id = any (array(select r.id from unnest(p_receivables, v_wanted) as r (id, won) where r.won > 0) || p_outstanding)
       order by id for no key update
    loop
      if v_place is not null then
        v_credits[v_place] := v_credit;
        v_short := v_short or v_credit < v_wanted[v_place];
      end if;
    end loop;
  end if;
  if p_outcomes is null and not v_short then
    return null;
  end if;
  p_outcomes := coalesce(p_outcomes, array_fill(null::text, array[cardinality(p_amounts)]));
  for i in 1 .. cardinality(p_amounts) loop
    if p_outcomes[i] is null then
      if p_amounts[i] <= v_credits[p_buyers[i]] then
        v_credits[p_buyers[i]] := v_credits[p_buyers[i]] - p_amounts[i];
        p_outcomes[i] := 'issued';
      else
        p_outcomes[i] := 'credit_limit';
      end if;
    end if;
    -- Only successes are kept: a refusal leaves its key free.
    if p_outcomes[i] in ('credit_limit', 'amount_out_of_bounds') and p_key_hashes[i] is not null then
      delete from idempotency_key k
       where k.partner_id = p_partners[p_buyers[i]] and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
    end if;
  end loop;
  return p_outcomes;
end $$;
