-- Nobody gets around a freeze by signing up.
create or replace function refuse_frozen_account() returns trigger language plpgsql as $$
begin
  perform 1 from member where id = new.member_id for key share;
  if exists (select from member_freeze where member_id = new.member_id and thawed_at is null) then
    raise exception 'the member is frozen' using errcode = 'check_violation', constraint = 'member_is_frozen';
  end if;
  return new;
end $$;
