-- A payout leaves the service: it is neither approved nor paid while its member is frozen. Whoever settles one holds its lock,
-- and so does a freeze.
create or replace function refuse_frozen_payout() returns trigger language plpgsql as $$
begin
  if exists (select from member_freeze where member_id = new.holder_id and thawed_at is null) then
    raise exception 'the member is frozen' using errcode = 'check_violation', constraint = 'member_is_frozen';
  end if;
  return new;
end $$;
