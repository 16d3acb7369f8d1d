-- When a withdrawal was asked for and when it may be paid stays as it was written.
create or replace function keep_payout_wait() returns trigger language plpgsql as $$
begin
  if (new.requested_at, new.payable_after) is distinct from (old.requested_at, old.payable_after)
     or new.same_account_as is distinct from old.same_account_as then
    raise exception 'a withdrawal keeps its wait' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
