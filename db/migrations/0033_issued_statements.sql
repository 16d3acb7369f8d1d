-- Statements that were issued: what each one said, frozen, for five years.
create table issued_statement (
  id          uuid primary key,
  number      text not null unique check (number ~ '^[0-9]{12}$'), -- random: tells nothing of how many there are
  code_hash   bytea not null check (length(code_hash) = 32),       -- SHA-256 of 100 random bits
  holder_id   uuid not null,
  request_id  uuid not null,
  document    bytea not null, -- names, figures and the code: sealed
  issued_at   timestamptz not null,
  unique (holder_id, request_id)
);
create index issued_statement_age on issued_statement (issued_at);
-- How many a holder was issued within a day.
create index issued_statement_of_holder on issued_statement (holder_id, issued_at);
-- Only the seal changes, with the keys.
create trigger issued_statement_is_final before update on issued_statement for each row
  when ((old.id, old.number, old.code_hash, old.holder_id, old.request_id, old.issued_at)
        is distinct from (new.id, new.number, new.code_hash, new.holder_id, new.request_id, new.issued_at))
  execute function refuse_change();
create trigger issued_statement_is_final_whole before truncate on issued_statement execute function refuse_change();
create trigger issued_statement_stays before delete on issued_statement for each row
  when (old.issued_at > service_now() - interval '5 years') execute function refuse_change();

-- Check codes that were never issued are counted by address, like other guesses.
alter table guess_count drop constraint guess_count_kind_check;
alter table guess_count add constraint guess_count_kind_check
  check (kind in ('pin', 'login', 'identity', 'payout_account', 'stop', 'statement')) not valid;
