-- A first payout to an account waits a day, and the member can stop it with a code from the notice.

alter table withdrawal
  -- By the service's clock: not paid before this.
  add column payable_after    timestamptz,
  -- The paid withdrawal to the same bank account that makes a wait unnecessary.
  add column same_account_as  uuid,
  add column stop_hash        bytea unique check (length(stop_hash) = 32),
  add column stop_asked_at    timestamptz;
-- Those of an earlier release did not wait: they name themselves.
update withdrawal set payable_after = requested_at, same_account_as = id;
-- A release before this one, which knows nothing of the wait, gives each withdrawal a whole one.
alter table withdrawal
  alter column payable_after set default service_now() + interval '24 hours',
  alter column payable_after set not null,
  add constraint withdrawal_wait_check
    check (payable_after >= requested_at + interval '24 hours'
           or same_account_as is not null and payable_after >= requested_at),
  add constraint withdrawal_paid_check check (status <> 'paid' or settled_at >= payable_after);

-- When a withdrawal was asked for and when it may be paid stays as it was written.
create function keep_payout_wait() returns trigger language plpgsql as $$
begin
  if (new.requested_at, new.payable_after) is distinct from (old.requested_at, old.payable_after)
     or new.same_account_as is distinct from old.same_account_as then
    raise exception 'a withdrawal keeps its wait' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger withdrawal_keeps_its_wait before update on withdrawal
  for each row execute function keep_payout_wait();

-- Set by a stop; a new password set with a verified identity lifts it.
alter table member_account add column withdrawals_stopped_at timestamptz;

-- Stop codes that nobody was given are counted by address, like other guesses.
alter table guess_count drop constraint guess_count_kind_check;
alter table guess_count add constraint guess_count_kind_check
  check (kind in ('pin', 'login', 'identity', 'payout_account', 'stop')) not valid;
