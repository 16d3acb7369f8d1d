-- The newest price of a metal at a moment; no row if there was none yet. Inlined where it is called: a probe of the primary
-- key, as if it were written out there.
create or replace function newest_price(p_metal text, p_until timestamptz) returns setof metal_price
  language sql stable
  as $$ select * from metal_price p where p.metal = p_metal and p.at <= p_until order by p.at desc limit 1 $$;
