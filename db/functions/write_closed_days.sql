-- Closes days whose lines and balances were just written, in order: each carries the hash of the one before.
create or replace function write_closed_days(
  p_days date[], p_through bigint, p_reads_from bigint[], p_movements bigint[], p_corrections bigint[], p_by text
) returns void language plpgsql as $$
declare
  v_now       timestamptz := service_now();
  v_previous  bytea := (select hash from closed_day order by day desc limit 1);
begin
  for i in 1 .. cardinality(p_days) loop
    insert into closed_day (day, through_id, reads_from, movements, corrections, closed_at, closed_by, previous_hash, hash)
    values (p_days[i], p_through, p_reads_from[i], p_movements[i], p_corrections[i], v_now, p_by, v_previous,
            closed_day_hash(v_previous, p_days[i], p_through, p_reads_from[i], p_movements[i], p_corrections[i], v_now, p_by))
    returning hash into v_previous;
  end loop;
end $$;
