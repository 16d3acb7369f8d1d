-- The terms that a metal is traded on: the last that were set. Inlined where it is called.
create or replace function current_terms(p_metal text) returns setof trading_terms
  language sql stable
  as $$ select * from trading_terms t where t.metal = p_metal order by t.id desc limit 1 $$;
