-- The only clock. In the sandbox an integrator can travel forward to an expiry; in live the offset is zero.
create or replace function service_now() returns timestamptz language sql stable
  as $$ select now() + clock_offset from installation $$;
