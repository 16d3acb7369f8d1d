-- A step of write_purchases: locks the accounts that the batch changes, and decides by each partner's credit, in order of arrival,
-- the outcomes that are still null. A purchase that does not fit leaves room for a smaller one after it. Null if all are bought.
create or replace function allot_credit(
  p_partners integer[], p_buyers integer[], p_receivables bigint[], p_outstanding bigint,
  p_amounts bigint[], p_key_hashes bytea[], p_outcomes text[]
) returns text[] language plpgsql as $$
declare
  v_wanted   bigint[];  -- won, by partner
  v_credits  bigint[];  -- by partner
  v_short    boolean;
begin
  select array_agg(w.won order by w.buyer) into v_wanted
    from (select c.buyer, coalesce(sum(c.amount) filter (where c.o is null), 0)::bigint as won
            from unnest(p_buyers, p_amounts, p_outcomes) as c (buyer, amount, o) group by c.buyer) w;
  if 0 < any (v_wanted) then
    select array_agg(a.credit order by a.place), bool_or(a.credit < v_wanted[a.place]) into v_credits, v_short
      from (select array_position(p_receivables, id) as place, balance - floor as credit
              from account where id = any (p_receivables || p_outstanding) order by id for no key update) a
     where a.place is not null;
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
