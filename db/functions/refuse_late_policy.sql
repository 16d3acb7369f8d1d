-- A refund policy is for cards of a later day: those that are sold keep what they were sold with.
create or replace function refuse_late_policy() returns trigger language plpgsql as $$
begin
  if new.effective_from <= seoul_date(service_now()) then
    raise exception 'a refund policy begins on a later day'
      using errcode = 'check_violation', constraint = 'refund_policy_begins_later';
  end if;
  return new;
end $$;
