-- compatible with 0042

-- Members who asked for erasure. The details of a closed account go on this day instead of five years after the closing.
create table member_erasure (
  account_id         uuid primary key,
  requested_at       timestamptz not null,
  -- `member`, or who of the operator did it for a person who asked.
  requested_by       text not null,
  -- The last day in Seoul on which the details are kept, for the transactions that name them. Null: none.
  details_until      date,
  details_erased_at  timestamptz,
  check (details_until is not null or details_erased_at is not null)
);
create index member_erasure_due on member_erasure (details_until) where details_erased_at is null;
