-- Terms that are better for buyers, or that trust prices longer, need a request that a second person approved.
create or replace function refuse_lone_terms() returns trigger language plpgsql as $$
begin
  if new.request_id is null and exists (
    select from (select * from trading_terms t where t.metal = new.metal order by t.id desc limit 1) before
     where new.spread_bps < before.spread_bps or new.fee_bps < before.fee_bps or new.max_age_seconds > before.max_age_seconds)
  then
    raise exception 'terms in the buyer''s favour take two people' using errcode = 'check_violation', constraint = 'trading_terms_two_people';
  end if;
  return new;
end $$;
