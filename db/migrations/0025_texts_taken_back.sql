-- Texts of identity verifications are counted like failed guesses when they are sent, and taken back once their code was
-- right: what each verification has counted stands in its row until then.
alter table identity_verification
  add column counted jsonb not null default '[]',
  add constraint identity_verification_counted_check check (jsonb_typeof(counted) = 'array') not valid;

-- A count that was taken back whole is zero.
alter table guess_count drop constraint guess_count_failures_check;
alter table guess_count add constraint guess_count_failures_check check (failures >= 0) not valid;
