-- A step of write_purchases: locks the accounts that the batch changes, in id order, and decides by each partner's credit, in order
-- of arrival, the outcomes that are still null. A purchase that does not fit leaves room for a smaller one after it. Null if all
-- are bought. Whose account others hold is `held` if it is not to be waited for.
create or replace function allot_credits(
  p_partners integer[], p_buyers integer[], p_receivables bigint[], p_outstanding bigint, p_wanted bigint[], p_skip_held boolean,
  p_amounts bigint[], p_key_hashes bytea[], p_outcomes text[]
) returns text[] language plpgsql as $$
declare
  v_accounts  bigint[] := p_receivables || p_outstanding;
  v_locked    bigint[];
  v_credits   bigint[];  -- by locked account
  v_left      bigint[];  -- by partner: its credit; null: held, or nothing is wanted
  v_short     boolean := false;
begin
  if p_outcomes is not null then
    v_accounts := array(select r.id from unnest(p_receivables, p_wanted) as r (id, won) where r.won > 0) || p_outstanding;
  end if;
  if cardinality(v_accounts) > 1 then
    if p_skip_held then
      -- Not passed over: it is held for the moment of a commit, and nothing can be written without it.
      perform 1 from account where id = p_outstanding for no key update;
      select array_agg(l.id), array_agg(l.credit) into v_locked, v_credits
        from (select id, balance - floor as credit from account
               where id = any (v_accounts) order by id for no key update skip locked) l;
    else
      select array_agg(l.id), array_agg(l.credit) into v_locked, v_credits
        from (select id, balance - floor as credit from account where id = any (v_accounts) order by id for no key update) l;
    end if;
  end if;
  for i in 1 .. cardinality(p_partners) loop
    v_left[i] := v_credits[array_position(v_locked, p_receivables[i])];
    v_short := v_short or v_left[i] >= p_wanted[i] is not true;
  end loop;
  if p_outcomes is null and not v_short then
    return null;
  end if;
  p_outcomes := coalesce(p_outcomes, array_fill(null::text, array[cardinality(p_amounts)]));
  for i in 1 .. cardinality(p_amounts) loop
    if p_outcomes[i] is null then
      if p_amounts[i] <= v_left[p_buyers[i]] then
        v_left[p_buyers[i]] := v_left[p_buyers[i]] - p_amounts[i];
        p_outcomes[i] := 'issued';
      else
        p_outcomes[i] := case when v_left[p_buyers[i]] is null then 'held' else 'credit_limit' end;
      end if;
    end if;
    -- Only successes are kept: a refusal leaves its key free.
    if p_outcomes[i] in ('credit_limit', 'amount_out_of_bounds', 'held') and p_key_hashes[i] is not null then
      delete from idempotency_key k
       where k.partner_id = p_partners[p_buyers[i]] and k.operation = 'buy' and k.key_hash = p_key_hashes[i];
    end if;
  end loop;
  return p_outcomes;
end $$;
